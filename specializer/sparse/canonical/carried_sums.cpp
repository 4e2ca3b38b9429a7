//===- specializer/sparse/canonical/carried_sums.cpp - sums over all rows of a loop ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/canonical/carried_sums.h"
#include "specializer/loops/loop_shape.h"
#include "support/memory/scratch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {
namespace {

constexpr size_t MaxSteps = 12, MaxTerms = 4;
constexpr uint64_t MaxBytes = uint64_t{64} << 20, TooManyBytes = ~uint64_t{0};
constexpr const char *WholeName = "specrt.whole";

/// Returns whether an array can have elements of this type.
bool isElement(const Type &T) {
  return T.isDoubleTy() || T.isFloatTy() ||
         (T.isIntegerTy() && T.getIntegerBitWidth() >= 8 && T.getIntegerBitWidth() <= 64 &&
          isPowerOf2_32(T.getIntegerBitWidth()));
}

/// Returns whether \p I computes a scalar without side effects.
bool onlyComputes(const Instruction &I) {
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
    return Call->doesNotAccessMemory() && !Call->isConvergent() && !Call->getType()->isVectorTy();
  return isa<BinaryOperator, UnaryOperator, CmpInst, SelectInst, CastInst, FreezeInst>(I) &&
         !I.getType()->isVectorTy() && !I.getType()->isPointerTy();
}

/// Adds to \p Sums all instructions that depend on \p Phi; returns false if others do.
bool follow(PHINode &Phi, const Loop &L, const LoopInfo &LI, const DominatorTree &DT,
            RowCarriedSums &Sums) {
  SmallVector<Instruction *> Work{&Phi};
  while (!Work.empty())
    for (User *U : Work.pop_back_val()->users()) {
      auto *I = cast<Instruction>(U);
      if (!L.contains(I) || Sums.contains(*I))
        continue;
      if (isa<PHINode>(I) && I->getParent() == L.getHeader()) {
        Sums.Phis.push_back(cast<PHINode>(I));
      } else {
        // Steps must be executed once in each row.
        if (!onlyComputes(*I) || Sums.Steps.size() == MaxSteps ||
            LI.getLoopFor(I->getParent()) != &L || !DT.dominates(I->getParent(), L.getLoopLatch()))
          return false;
        Sums.Steps.push_back(I);
      }
      Work.push_back(I);
    }
  return true;
}

/// Lays out the memory of the terms, and emits the code.
class Splitter {
public:
  Splitter(Loop &L, const RowCarriedSums &Sums, LoopInfo &LI, DominatorTree &DT,
           ScalarEvolution &SE)
      : L(L), Sums(Sums), LI(LI), DT(DT), SE(SE), Context(L.getHeader()->getContext()),
        Word(Type::getInt64Ty(Context)), Byte(Type::getInt8Ty(Context)) {}

  void split() {
    formLCSSA(L, DT, &LI, &SE);
    Exit = L.getExitBlock();
    Before = L.getLoopPreheader();
    Instruction *End = Before->getTerminator();
    Rows = SCEVExpander(SE, "rows").expandCodeFor(tripsOf(L, SE), Word, End);
    Rows = IRBuilder<>(End).CreateFreeze(Rows);
    Begin = SplitEdge(Before, L.getHeader(), &DT, &LI);
    keepWhole();
    takeMemory();
    buildSums();
    storeTerms();
    for (PHINode *Phi : Sums.Phis)
      Phi->replaceAllUsesWith(PoisonValue::get(Phi->getType()));
    for (Instruction *I : reverse(Sums.Steps)) {
      I->replaceAllUsesWith(PoisonValue::get(I->getType()));
      I->eraseFromParent();
    }
    for (PHINode *Phi : Sums.Phis)
      Phi->eraseFromParent();
  }

private:
  void keepWhole();
  void takeMemory();
  void storeTerms();
  void buildSums();
  Value *place(IRBuilderBase &B, size_t Term, Value *Row) {
    return B.CreateGEP(Sums.Terms[Term]->getType(), Arrays[Term], Row);
  }

  Loop &L;
  const RowCarriedSums &Sums;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  LLVMContext &Context;
  Type *const Word, *const Byte;
  BasicBlock *Before = nullptr, *Begin = nullptr, *Exit = nullptr, *WholeBegin = nullptr;
  Value *Rows = nullptr, *Memory = nullptr;
  SmallVector<Value *> Arrays; ///< [Sums.Terms]
};

void Splitter::keepWhole() {
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *> Blocks;
  BasicBlock *Latch = L.getLoopLatch();
  Loop *Whole = cloneLoopWithPreheader(Exit, Before, &L, Map, ".whole", &LI, &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Map);
  WholeBegin = Whole->getLoopPreheader();
  for (PHINode &Phi : Exit->phis()) {
    Value *V = Phi.getIncomingValueForBlock(Latch);
    const auto Copied = Map.find(V);
    Phi.addIncoming(Copied == Map.end() ? V : &*Copied->second, Whole->getLoopLatch());
  }
  addStringMetadataToLoop(Whole, WholeName, 1);
}

/// Puts arrays of wide terms first, so that all are aligned.
void Splitter::takeMemory() {
  Instruction *End = Before->getTerminator();
  IRBuilder<> B(End);
  const DataLayout &DL = L.getHeader()->getDataLayout();
  const auto BytesOf = [&](size_t Term) {
    return DL.getTypeStoreSize(Sums.Terms[Term]->getType()).getFixedValue();
  };
  SmallVector<size_t> ByWidth = to_vector(seq(Sums.Terms.size()));
  stable_sort(ByWidth, [&](size_t A, size_t B) { return BytesOf(A) > BytesOf(B); });
  uint64_t BytesPerRow = 0;
  SmallVector<uint64_t> Offsets(Sums.Terms.size());
  for (const size_t Term : ByWidth)
    Offsets[Term] = std::exchange(BytesPerRow, BytesPerRow + BytesOf(Term));
  Module &M = *Before->getModule();
  // Zero rows means that their number did not fit; that also requests too many bytes.
  Value *Bytes = B.CreateSelect(
      B.CreateICmpULT(B.CreateSub(Rows, B.getInt64(1)), B.getInt64(MaxBytes / BytesPerRow)),
      B.CreateMul(Rows, B.getInt64(BytesPerRow)), B.getInt64(TooManyBytes));
  CallInst *Take = B.CreateCall(M.getOrInsertFunction(TakeScratchName, B.getPtrTy(), Word), Bytes);
  Take->setDoesNotThrow();
  Take->addRetAttr(Attribute::NoAlias);
  Memory = Take;
  for (const uint64_t Offset : Offsets)
    Arrays.push_back(B.CreateGEP(Byte, Memory, B.CreateMul(Rows, B.getInt64(Offset))));
  B.CreateCondBr(B.CreateIsNull(Memory), WholeBegin, Begin);
  End->eraseFromParent();
}

void Splitter::storeTerms() {
  IRBuilder<> B(L.getHeader(), L.getHeader()->begin());
  PHINode *Row = B.CreatePHI(Word, 2, "row");
  B.SetInsertPoint(L.getLoopLatch()->getTerminator());
  const DataLayout &DL = L.getHeader()->getDataLayout();
  for (auto [I, Term] : enumerate(Sums.Terms))
    B.CreateAlignedStore(Term, place(B, I, Row), DL.getABITypeAlign(Term->getType()));
  Row->addIncoming(B.getInt64(0), Begin);
  Row->addIncoming(B.CreateNUWAdd(Row, B.getInt64(1)), L.getLoopLatch());
}

/// Emits the loop that adds up the terms between the latch and the exit.
void Splitter::buildSums() {
  BasicBlock *Latch = L.getLoopLatch();
  Function &F = *Latch->getParent();
  auto *First = BasicBlock::Create(Context, "sums", &F, Exit);
  Latch->getTerminator()->replaceSuccessorWith(Exit, First);
  IRBuilder<> B(First);
  CallInst *Give = B.CreateCall(
      F.getParent()->getOrInsertFunction(GiveScratchName, B.getVoidTy(), B.getPtrTy()), Memory);
  Give->setDoesNotThrow();
  B.CreateBr(Exit);
  const auto [Body, Row] = SplitBlockAndInsertSimpleForLoop(Rows, Give->getIterator());
  BasicBlock *Header = Body->getParent(), *Last = Give->getParent();
  ValueToValueMapTy Map;
  B.SetInsertPoint(Header, Header->begin());
  for (PHINode *Phi : Sums.Phis) {
    PHINode *New = B.CreatePHI(Phi->getType(), 2);
    New->addIncoming(Phi->getIncomingValueForBlock(Begin), First);
    Map[Phi] = New;
  }
  B.SetInsertPoint(Body);
  const DataLayout &DL = F.getDataLayout();
  for (auto [I, Term] : enumerate(Sums.Terms))
    Map[Term] =
        B.CreateAlignedLoad(Term->getType(), place(B, I, Row), DL.getABITypeAlign(Term->getType()));
  for (Instruction *I : Sums.Steps) {
    Instruction *New = I->clone();
    B.Insert(New);
    RemapInstruction(New, Map, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
    Map[I] = New;
  }
  const auto Summed = [&](Value *V) -> Value * {
    const auto Known = Map.find(V);
    return Known == Map.end() ? V : &*Known->second;
  };
  for (PHINode *Phi : Sums.Phis)
    cast<PHINode>(Summed(Phi))->addIncoming(Summed(Phi->getIncomingValueForBlock(Latch)), Header);
  for (PHINode &Phi : Exit->phis()) {
    const int At = Phi.getBasicBlockIndex(Latch);
    Phi.setIncomingValue(unsigned(At), Summed(Phi.getIncomingValue(unsigned(At))));
    Phi.setIncomingBlock(unsigned(At), Last);
  }
}

} // namespace

RowCarriedSums findSums(const Loop &L, const LoopInfo &LI, const DominatorTree &DT,
                        ScalarEvolution &SE) {
  // Without inner loops, a row offers nothing to overlap with the latency of an addition.
  const SCEV *Trips = L.isInnermost() ? nullptr : tripsOf(L, SE);
  if (!Trips || !isKnownBefore(L, Trips, SE))
    return {};
  RowCarriedSums Sums;
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (Sums.contains(Phi) || !isElement(*Phi.getType()) || counterOf(Phi, L, SE))
      continue;
    RowCarriedSums New = Sums;
    New.Phis.push_back(&Phi);
    if (follow(Phi, L, LI, DT, New))
      Sums = std::move(New);
  }
  const auto IsCarried = [&](const PHINode *Phi) {
    const auto *Next = dyn_cast<Instruction>(Phi->getIncomingValueForBlock(L.getLoopLatch()));
    return Next && Sums.contains(*Next) && isElement(*Phi->getType());
  };
  if (!all_of(Sums.Phis, IsCarried))
    return {};
  llvm::sort(Sums.Steps, [&](const Instruction *A, const Instruction *B) {
    return A != B && DT.dominates(A, B);
  });
  for (const Instruction *I : Sums.Steps)
    for (Value *V : I->operands()) {
      const auto *Term = dyn_cast<Instruction>(V);
      if (!Term || !L.contains(Term) || Sums.contains(*Term) || is_contained(Sums.Terms, V))
        continue;
      if (!isElement(*V->getType()) || Sums.Terms.size() == MaxTerms)
        return {};
      Sums.Terms.push_back(V);
    }
  // A value that does not depend on rows' computations is not a sum over rows.
  return Sums.Terms.empty() ? RowCarriedSums() : Sums;
}

void splitSums(Loop &L, const RowCarriedSums &Sums, LoopInfo &LI, DominatorTree &DT,
               ScalarEvolution &SE) {
  Splitter(L, Sums, LI, DT, SE).split();
}

bool isWhole(const Loop &L) { return getBooleanLoopAttribute(&L, WholeName); }

} // namespace specrt
