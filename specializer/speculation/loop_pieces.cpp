//===- specializer/speculation/loop_pieces.cpp - splits a loop into several -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/loop_pieces.h"
#include "specializer/loops/loop_copy.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns the value in this piece that corresponds to \p V in the first one.
Value *copyOf(const LoopPiece &Piece, Value *V) {
  Value *Copy = Piece.Copies ? Piece.Copies->lookup(V) : nullptr;
  return Copy ? Copy : V;
}

class Splitter {
public:
  Splitter(Loop &L, ScalarEvolution &SE)
      : L(L), SE(SE), Header(L.getHeader()), Latch(L.getLoopLatch()), Exit(L.getExitBlock()) {}

  SmallVector<LoopPiece, 8> run(ArrayRef<int64_t> Others, int64_t Count);

private:
  void findStarts(ArrayRef<int64_t> Others);
  LoopPiece copy(int64_t First);
  void append(const LoopPiece &Before, const LoopPiece &Next, unsigned Number);
  void endAfter(LoopPiece &Piece, int64_t Length, BasicBlock *Behind);

  Loop &L;
  ScalarEvolution &SE;
  BasicBlock *const Header, *const Latch, *const Exit;
  SmallVector<PHINode *, 8> Carried;
  /// By piece, then as Carried: the initial value if it does not depend on earlier pieces,
  /// otherwise null.
  SmallVector<SmallVector<Value *, 8>, 8> Starts;
};

/// Computes initial values of affine functions of the iteration, so that each loop can be analysed
/// by itself.
void Splitter::findStarts(ArrayRef<int64_t> Others) {
  SCEVExpander Expander(SE, "specrt");
  Instruction *Before = L.getLoopPreheader()->getTerminator();
  for (PHINode &Phi : Header->phis())
    Carried.push_back(&Phi);
  for (int64_t First : Others) {
    Starts.emplace_back();
    for (PHINode *Phi : Carried) {
      const auto *Steps =
          SE.isSCEVable(Phi->getType()) ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Phi)) : nullptr;
      Value *Start = nullptr;
      if (Steps && Steps->getLoop() == &L && Steps->isAffine()) {
        Type *T = SE.getEffectiveSCEVType(Phi->getType());
        const SCEV *At = Steps->evaluateAtIteration(
            SE.getTruncateOrZeroExtend(SE.getConstant(APInt(64, First)), T), SE);
        if (Expander.isSafeToExpand(At))
          Start = Expander.expandCodeFor(At, Phi->getType(), Before->getIterator());
      }
      Starts.back().push_back(Start);
    }
  }
}

/// Copies the blocks of the loop, without predecessors.
LoopPiece Splitter::copy(int64_t First) {
  LoopPiece Piece{First, nullptr, std::make_unique<ValueToValueMapTy>()};
  SmallVector<BasicBlock *, 16> Blocks;
  const std::string Suffix = ".from" + std::to_string(First);
  for (BasicBlock *Block : L.blocks()) {
    BasicBlock *Copy = CloneBasicBlock(Block, *Piece.Copies, Suffix, Header->getParent());
    Copy->moveBefore(Exit);
    (*Piece.Copies)[Block] = Copy;
    Blocks.push_back(Copy);
  }
  remapInstructionsInBlocks(Blocks, *Piece.Copies);
  // Alias scopes hold within an iteration of one piece, not between pieces.
  SmallVector<MDNode *, 4> Scopes;
  identifyNoAliasScopesToClone(L.getBlocks(), Scopes);
  cloneAndAdaptNoAliasScopes(Scopes, Blocks, Header->getContext(), Suffix);
  return Piece;
}

/// Makes \p Next begin with the final values of \p Before.
void Splitter::append(const LoopPiece &Before, const LoopPiece &Next, unsigned Number) {
  auto *From = cast<BasicBlock>(copyOf(Before, Latch)),
       *To = cast<BasicBlock>(copyOf(Next, Header));
  BasicBlock *Between = BasicBlock::Create(Header->getContext(), "piece", Header->getParent(), To);
  IRBuilder<> B(Between);
  for (auto [Phi, Start] : zip_equal(Carried, Starts[Number])) {
    auto *Copy = cast<PHINode>(copyOf(Next, Phi));
    Value *Incoming = Start;
    if (!Start) {
      PHINode *Last = B.CreatePHI(Phi->getType(), 1);
      Last->addIncoming(copyOf(Before, Phi->getIncomingValueForBlock(Latch)), From);
      Incoming = Last;
    }
    const int Edge = Copy->getBasicBlockIndex(L.getLoopPreheader());
    Copy->setIncomingBlock(static_cast<unsigned>(Edge), Between);
    Copy->setIncomingValue(static_cast<unsigned>(Edge), Incoming);
  }
  B.CreateBr(To);
}

/// Makes \p Piece continue with \p Behind after \p Length iterations.
void Splitter::endAfter(LoopPiece &Piece, int64_t Length, BasicBlock *Behind) {
  auto *Begin = cast<BasicBlock>(copyOf(Piece, Header)),
       *End = cast<BasicBlock>(copyOf(Piece, Latch));
  IRBuilder<> B(&*Begin->begin());
  Piece.Counter = B.CreatePHI(B.getInt64Ty(), 2, "piece.number");
  B.SetInsertPoint(End->getTerminator());
  Value *Next = B.CreateAdd(Piece.Counter, B.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  for (BasicBlock *From : predecessors(Begin))
    Piece.Counter->addIncoming(From == End ? Next : B.getInt64(0), From);
  auto *Branch = cast<BranchInst>(End->getTerminator());
  BranchInst *Ends = B.CreateCondBr(B.CreateICmpEQ(Next, B.getInt64(Length)), Behind, Begin);
  Ends->setMetadata(LLVMContext::MD_loop, Branch->getMetadata(LLVMContext::MD_loop));
  Branch->eraseFromParent();
}

SmallVector<LoopPiece, 8> Splitter::run(ArrayRef<int64_t> Others, int64_t Count) {
  findStarts(Others);
  SmallVector<LoopPiece, 8> Pieces;
  Pieces.emplace_back();
  for (int64_t First : Others)
    Pieces.push_back(copy(First));
  for (unsigned I = 0; I < Others.size(); ++I)
    append(Pieces[I], Pieces[I + 1], I);
  auto *LastLatch = cast<BasicBlock>(copyOf(Pieces.back(), Latch));
  for (PHINode &Phi : Exit->phis())
    for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I)
      if (Phi.getIncomingBlock(I) == Latch) {
        Phi.setIncomingBlock(I, LastLatch);
        Phi.setIncomingValue(I, copyOf(Pieces.back(), Phi.getIncomingValue(I)));
      }
  for (unsigned I = 0; I < Pieces.size(); ++I) {
    const bool IsLast = I + 1 == Pieces.size();
    BasicBlock *Behind = Exit;
    if (!IsLast) {
      auto *Next = cast<BasicBlock>(copyOf(Pieces[I + 1], Header));
      for (BasicBlock *From : predecessors(Next))
        if (From != copyOf(Pieces[I + 1], Latch))
          Behind = From;
    }
    endAfter(Pieces[I], (IsLast ? Count : Pieces[I + 1].First) - Pieces[I].First, Behind);
  }
  return Pieces;
}

} // namespace

bool canSplitIterations(const Loop &L, size_t NumPieces) {
  if (!L.isLoopSimplifyForm() || !L.isSafeToClone())
    return false;
  const BasicBlock *Latch = L.getLoopLatch();
  return L.getExitingBlock() == Latch && isa<BranchInst>(Latch->getTerminator()) &&
         maySplit(L, NumPieces);
}

SmallVector<LoopPiece, 8> splitIterations(Loop &L, LoopInfo &LI, const DominatorTree &DT,
                                          ScalarEvolution &SE, ArrayRef<int64_t> Others,
                                          int64_t Count) {
  formLCSSARecursively(L, DT, &LI, &SE);
  return Splitter(L, SE).run(Others, Count);
}

} // namespace specrt
