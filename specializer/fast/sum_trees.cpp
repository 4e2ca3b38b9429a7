//===- specializer/fast/sum_trees.cpp - gives sums a fixed order ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/fast/sum_trees.h"
#include "specializer/fast/sum_chains.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/rounding/sum_marks.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace specrt {
namespace {

/// The bytes of all lanes of a sum. They fill four AVX2 or two AVX-512 vectors, whose additions
/// overlap. Dot products of 3000 to 30000 elements in the caches of a Zen 5 processor take 1.3
/// to 1.9 times as long with 64 bytes. With 256 bytes they are no faster, and those of 100 floats
/// take 3 times as long, because fewer iterations are in blocks.
constexpr unsigned LaneBytes = 128;

/// A counter of the loop. Its values are { Start + i * Step }.
struct Counter {
  PHINode *Phi;
  const SCEV *Step;
  Value *StepOfBlock = nullptr; ///< Step * Lanes
};

/// A loop that can be split into blocks of iterations.
struct Splittable {
  SmallVector<Sum, 2> Sums;
  SmallVector<Counter, 2> Counters;
  unsigned Lanes = 0; ///< number of lanes of each sum
};

/// Returns whether copies of \p I may be executed in vectors. Lanes are useless without vectors.
bool mayBecomeVector(const Instruction &I, const Loop &L, ScalarEvolution &SE) {
  if (const auto *Call = dyn_cast<CallBase>(&I)) {
    const Function *Callee = Call->getCalledFunction();
    if (!Callee || Call->isConvergent() || Call->cannotDuplicate())
      return false;
    return isa<IntrinsicInst>(Call)
               ? Call->doesNotAccessMemory() || Call->onlyAccessesInaccessibleMemory()
               : !Callee->isDeclaration();
  }
  if (I.getType()->isVectorTy() || I.getType()->isTokenTy() || isa<AllocaInst>(I))
    return false;
  if (!isa<LoadInst, StoreInst>(I))
    return !I.mayReadOrWriteMemory();
  if (I.isVolatile() || I.isAtomic())
    return false;
  // Addresses that depend on loaded values are left to the candidates for sparse rows.
  const SCEV *Address = SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&I)));
  if (SE.isLoopInvariant(Address, &L))
    return true;
  const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Address);
  return Recurrence && Recurrence->getLoop() == &L && Recurrence->isAffine();
}

std::optional<Splittable> analyse(const Loop &L, ScalarEvolution &SE) {
  const SCEV *Trips = L.isInnermost() ? tripsOf(L, SE) : nullptr;
  if (!Trips || !isKnownBefore(L, Trips, SE) || !L.isSafeToClone())
    return std::nullopt;
  Splittable Found;
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (const SCEVAddRecExpr *Count = counterOf(Phi, L, SE)) {
      Found.Counters.push_back({.Phi = &Phi, .Step = Count->getStepRecurrence(SE)});
      continue;
    }
    const std::optional<Sum> S = findSum(Phi, L);
    if (!S)
      return std::nullopt;
    Found.Lanes = std::max(Found.Lanes, numLanes(*S->Phi->getType()));
    Found.Sums.push_back(*S);
  }
  if (Found.Sums.empty() || !mayHaveBlocks(*Trips, Found.Lanes))
    return std::nullopt;
  for (const BasicBlock *Block : L.blocks())
    if (!all_of(*Block, [&](const Instruction &I) { return mayBecomeVector(I, L, SE); }))
      return std::nullopt;
  if (haveBetterLoops(L, Found.Sums, {}, SE))
    return std::nullopt;
  return Found;
}

/// Returns the operation that combines two numbers; nothing for extrema, which have no binary
/// operator.
std::optional<Instruction::BinaryOps> operationOf(SumKind Kind) {
  switch (Kind) {
  case SumKind::Add:
    return Instruction::FAdd;
  case SumKind::Multiply:
    return Instruction::FMul;
  case SumKind::Minimum:
  case SumKind::Maximum:
    return std::nullopt;
  }
  llvm_unreachable("no other kind");
}

MDNode *option(LLVMContext &Context, StringRef Name, ArrayRef<Metadata *> More = {}) {
  SmallVector<Metadata *, 2> Parts = {MDString::get(Context, Name)};
  Parts.append(More.begin(), More.end());
  return MDNode::get(Context, Parts);
}

/// Returns loop metadata that disables unrolling until the loop has been vectorised, and unrolls
/// the rest fully afterwards.
MDNode *describeLanes(LLVMContext &Context, MDNode *Original) {
  MDNode *Full = option(Context, "llvm.loop.unroll.full");
  return makePostTransformationMetadata(
      Context, Original, {"llvm.loop.unroll."},
      {option(Context, "llvm.loop.unroll.disable"), option(Context, SumLoopMark),
       option(Context, "llvm.loop.vectorize.followup_all", {Full})});
}

/// Returns metadata of the loop of remaining iterations. It is not unrolled, because it has fewer
/// iterations than a block.
MDNode *describeRest(LLVMContext &Context, MDNode *Original) {
  return makePostTransformationMetadata(
      Context, Original, {"llvm.loop.unroll."},
      {option(Context, "llvm.loop.unroll.disable"), option(Context, SumLoopMark)});
}

/// Splits the blocks of iterations off one loop, which keeps the remaining iterations.
class Splitter {
public:
  Splitter(Loop &L, Splittable &What, ScalarEvolution &SE)
      : L(L), What(What), F(*L.getHeader()->getParent()), Context(F.getContext()), B(Context),
        Expander(SE, "sum"), Trips(tripsOf(L, SE)), Preheader(L.getLoopPreheader()),
        Header(L.getHeader()), Latch(L.getLoopLatch()), Exit(L.getExitBlock()) {}

  /// Returns the header of the inner loop.
  BasicBlock *split();

private:
  BasicBlock *create(const char *Name) { return BasicBlock::Create(Context, Name, &F, Header); }
  void countBlocks();
  void initializeLanes();
  void linkCounters();
  void linkLanes();
  void endInnerLoop();
  void combineLanes();
  void linkRest();
  Value *laneOf(unsigned Sum, Value *Lane) {
    return B.CreateInBoundsGEP(What.Sums[Sum].Phi->getType(), Lanes[Sum], Lane);
  }
  Value *combine(const Sum &S, Value *X, Value *Y);
  Value *combineWithStart(const Sum &S, Value *Tree, Value *Start);
  Value *startOf(const PHINode &Phi) const { return Phi.getIncomingValueForBlock(Preheader); }
  Value *mapped(Value *V) const {
    const auto At = Copies.find(V);
    return At == Copies.end() ? V : &*At->second;
  }
  BasicBlock *copyOf(const BasicBlock *Block) const {
    return cast<BasicBlock>(&*Copies.find(Block)->second);
  }

  Loop &L;
  Splittable &What;
  Function &F;
  LLVMContext &Context;
  IRBuilder<> B;
  SCEVExpander Expander;
  const SCEV *const Trips;
  BasicBlock *const Preheader, *const Header, *const Latch, *const Exit;

  BasicBlock *Begin = nullptr;    ///< gives the lanes their first values, before Outer
  BasicBlock *Outer = nullptr;    ///< the header of the loop over blocks of iterations
  BasicBlock *OuterEnd = nullptr; ///< the latch of that loop
  BasicBlock *End = nullptr;      ///< combines the lanes
  BasicBlock *Rest = nullptr;     ///< the new preheader of the loop
  ValueToValueMapTy Copies;       ///< [value of the loop] its copy in the inner loop over lanes
  Value *NumBlocks = nullptr, *HasRest = nullptr;
  PHINode *Lane = nullptr;
  SmallVector<AllocaInst *, 2> Lanes; ///< [sum] memory of its lanes
  /// [counter] its values at the beginning and at the end of a block of iterations.
  SmallVector<std::pair<PHINode *, Value *>, 2> Counts;
  SmallVector<Value *, 2> Totals; ///< [sum] its value after all blocks
};

/// Computes the number of blocks. Makes the preheader branch to them, or to the remaining
/// iterations if there is no whole block.
void Splitter::countBlocks() {
  Instruction *Jump = Preheader->getTerminator();
  Value *Count = Expander.expandCodeFor(Trips, B.getInt64Ty(), Jump);
  B.SetInsertPoint(Jump);
  for (Counter &C : What.Counters) {
    Type *Width = C.Step->getType();
    Value *Step = Expander.expandCodeFor(C.Step, Width, Jump);
    C.StepOfBlock = B.CreateMul(Step, ConstantInt::get(Width, What.Lanes));
  }
  NumBlocks = B.CreateLShr(Count, Log2_32(What.Lanes), "sum.blocks");
  HasRest = B.CreateICmpNE(B.CreateAnd(Count, What.Lanes - 1), B.getInt64(0));
  B.CreateCondBr(B.CreateICmpNE(NumBlocks, B.getInt64(0)), Begin, Rest);
  Jump->eraseFromParent();
}

/// Initializes each lane with the neutral element, or an extremum with the start of the sum.
void Splitter::initializeLanes() {
  for (const Sum &S : What.Sums) {
    Type *T = S.Phi->getType();
    B.SetInsertPoint(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
    Lanes.push_back(B.CreateAlloca(ArrayType::get(T, What.Lanes), nullptr, "sum.lanes"));
    Lanes.back()->setAlignment(Align(64));
    markSum(*Lanes.back(), SumLanesMark);
  }
  // Polly models this loop as one statement.
  BasicBlock *Fill = create("sum.fill");
  B.SetInsertPoint(Begin);
  B.CreateBr(Fill);
  B.SetInsertPoint(Fill);
  PHINode *Filled = B.CreatePHI(B.getInt64Ty(), 2, "lane");
  for (auto [Number, S] : enumerate(What.Sums)) {
    Type *T = S.Phi->getType();
    const std::optional<Instruction::BinaryOps> Operation = operationOf(S.Kind);
    Value *First = Operation ? ConstantExpr::getBinOpIdentity(*Operation, T) : startOf(*S.Phi);
    B.CreateStore(First, laneOf(unsigned(Number), Filled));
  }
  Value *Next = B.CreateNUWAdd(Filled, B.getInt64(1));
  Filled->addIncoming(B.getInt64(0), Begin);
  Filled->addIncoming(Next, Fill);
  Begin = Fill;
  B.CreateCondBr(B.CreateICmpEQ(Next, B.getInt64(What.Lanes)), Outer, Fill)
      ->setMetadata(LLVMContext::MD_loop, describeLanes(Context, nullptr));
}

/// Continues the counters from block to block: { Start + (b * Lanes + l) * Step }.
void Splitter::linkCounters() {
  B.SetInsertPoint(Outer);
  for (const Counter &C : What.Counters) {
    PHINode *AtBlock = B.CreatePHI(C.Phi->getType(), 2, C.Phi->getName() + ".block");
    AtBlock->addIncoming(startOf(*C.Phi), Begin);
    Counts.push_back({AtBlock, nullptr});
  }
  B.CreateBr(copyOf(Header));
  for (auto [C, Count] : zip(What.Counters, Counts)) {
    B.SetInsertPoint(OuterEnd);
    if (C.Phi->getType()->isPointerTy()) {
      Count.second = B.CreatePtrAdd(Count.first, C.StepOfBlock);
    } else {
      // This addition overflows only if one of the single steps does, so it keeps their flags.
      const auto *Add = dyn_cast<OverflowingBinaryOperator>(C.Phi->getIncomingValueForBlock(Latch));
      const bool IsStep =
          Add && Add->getOpcode() == Instruction::Add && is_contained(Add->operands(), C.Phi);
      Count.second = B.CreateAdd(Count.first, C.StepOfBlock, "", IsStep && Add->hasNoUnsignedWrap(),
                                 IsStep && Add->hasNoSignedWrap());
    }
    Count.first->addIncoming(Count.second, OuterEnd);
    auto *Copy = cast<PHINode>(mapped(C.Phi));
    Copy->setIncomingValue(unsigned(Copy->getBasicBlockIndex(Outer)), Count.first);
  }
}

/// Makes iteration number l of a block add to lane l.
void Splitter::linkLanes() {
  BasicBlock *Top = copyOf(Header);
  B.SetInsertPoint(Top, Top->begin());
  Lane = B.CreatePHI(B.getInt64Ty(), 2, "lane");
  Lane->addIncoming(B.getInt64(0), Outer);
  for (auto [Number, S] : enumerate(What.Sums)) {
    auto *Copy = cast<PHINode>(mapped(S.Phi));
    B.SetInsertPoint(Top, Top->getFirstNonPHIIt());
    Value *Place = laneOf(unsigned(Number), Lane);
    Value *Before = B.CreateLoad(Copy->getType(), Place);
    B.SetInsertPoint(copyOf(Latch)->getTerminator());
    B.CreateStore(mapped(S.Next), Place);
    Copy->replaceAllUsesWith(Before);
    Copy->eraseFromParent();
    Copies[S.Phi] = Before;
  }
}

void Splitter::endInnerLoop() {
  Instruction *Jump = copyOf(Latch)->getTerminator();
  MDNode *Original = Latch->getTerminator()->getMetadata(LLVMContext::MD_loop);
  B.SetInsertPoint(Jump);
  Value *NextLane = B.CreateNUWAdd(Lane, B.getInt64(1));
  Lane->addIncoming(NextLane, copyOf(Latch));
  Instruction *NewJump =
      B.CreateCondBr(B.CreateICmpEQ(NextLane, B.getInt64(What.Lanes)), OuterEnd, copyOf(Header));
  NewJump->setDebugLoc(Jump->getDebugLoc());
  NewJump->setMetadata(LLVMContext::MD_loop, describeLanes(Context, Original));
  Jump->eraseFromParent();
  B.SetInsertPoint(Outer, Outer->begin());
  PHINode *Block = B.CreatePHI(B.getInt64Ty(), 2, "sum.block");
  Block->addIncoming(B.getInt64(0), Begin);
  B.SetInsertPoint(OuterEnd);
  Value *NextBlock = B.CreateNUWAdd(Block, B.getInt64(1));
  Block->addIncoming(NextBlock, OuterEnd);
  B.CreateCondBr(B.CreateICmpEQ(NextBlock, NumBlocks), End, Outer);
}

Value *Splitter::combine(const Sum &S, Value *X, Value *Y) {
  if (S.Extremum != Intrinsic::not_intrinsic)
    return B.CreateBinaryIntrinsic(S.Extremum, X, Y);
  if (const std::optional<Instruction::BinaryOps> Operation = operationOf(S.Kind))
    return B.CreateBinOp(*Operation, X, Y);
  return B.CreateSelect(S.Kind == SumKind::Minimum ? B.CreateFCmpULT(X, Y) : B.CreateFCmpUGT(X, Y),
                        X, Y);
}

/// Combines the start of the sum with its lanes. Lanes of extrema already contain the start.
Value *Splitter::combineWithStart(const Sum &S, Value *Tree, Value *Start) {
  if (!operationOf(S.Kind))
    return Tree;
  Value *Total = combine(S, Start, Tree);
  if (auto *I = dyn_cast<Instruction>(Total))
    markSum(*I, SumStartMark);
  return Total;
}

void Splitter::combineLanes() {
  B.SetInsertPoint(End);
  for (auto [Number, S] : enumerate(What.Sums)) {
    B.setFastMathFlags(S.Flags);
    SmallVector<Value *, 32> Parts;
    for (unsigned I = 0; I < What.Lanes; ++I)
      Parts.push_back(B.CreateLoad(S.Phi->getType(), laneOf(unsigned(Number), B.getInt64(I))));
    for (size_t Half = Parts.size() / 2; Half > 0; Half /= 2)
      for (size_t I = 0; I < Half; ++I)
        Parts[I] = combine(S, Parts[I], Parts[I + Half]);
    Totals.push_back(combineWithStart(S, Parts.front(), startOf(*S.Phi)));
  }
  B.CreateCondBr(HasRest, Rest, Exit);
}

/// Makes the loop continue where the blocks end. If no iterations remain, the values after the loop
/// come from the last block.
void Splitter::linkRest() {
  for (PHINode &Phi : Exit->phis()) {
    Value *V = Phi.getIncomingValueForBlock(Latch);
    const auto *Of = find_if(What.Sums, [&](const Sum &S) { return S.Next == V; });
    Phi.addIncoming(Of == What.Sums.end() ? mapped(V) : Totals[size_t(Of - What.Sums.begin())],
                    End);
  }
  B.SetInsertPoint(Rest);
  const auto Continue = [&](PHINode &Phi, Value *After) {
    PHINode *Merged = B.CreatePHI(Phi.getType(), 2);
    Merged->addIncoming(startOf(Phi), Preheader);
    Merged->addIncoming(After, End);
    Phi.setIncomingValue(unsigned(Phi.getBasicBlockIndex(Preheader)), Merged);
    Phi.replaceIncomingBlockWith(Preheader, Rest);
  };
  for (auto [C, Count] : zip(What.Counters, Counts))
    Continue(*C.Phi, Count.second);
  for (auto [S, Total] : zip(What.Sums, Totals))
    Continue(*S.Phi, Total);
  B.CreateBr(Header);
  Instruction *Jump = Latch->getTerminator();
  Jump->setMetadata(LLVMContext::MD_loop,
                    describeRest(Context, Jump->getMetadata(LLVMContext::MD_loop)));
}

BasicBlock *Splitter::split() {
  Begin = create("sum.begin");
  Outer = create("sum.outer");
  OuterEnd = create("sum.latch");
  Copies[Preheader] = Outer;
  Copies[Exit] = OuterEnd;
  copyLoop(L, F, Copies, /*KeepsLines=*/true);
  End = create("sum.end");
  Rest = create("sum.rest");
  countBlocks();
  initializeLanes();
  linkCounters();
  linkLanes();
  endInnerLoop();
  combineLanes();
  linkRest();
  return copyOf(Header);
}

} // namespace

unsigned numLanes(const Type &T) { return LaneBytes * 8 / unsigned(T.getPrimitiveSizeInBits()); }

bool mayHaveBlocks(const SCEV &Trips, unsigned Lanes) {
  const auto *Known = dyn_cast<SCEVConstant>(&Trips);
  return !Known || Known->getAPInt().uge(2 * Lanes);
}

unsigned makeSumTrees(Function &F, FunctionAnalysisManager &FAM) {
  simplifyLoops(F, FAM);
  // Each loop is analysed once. The new inner loops are not analysed.
  SmallPtrSet<const BasicBlock *, 8> Seen;
  unsigned NumSums = 0;
  const auto SplitOne = [&] {
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
      std::optional<Splittable> What =
          Seen.insert(L->getHeader()).second ? analyse(*L, SE) : std::nullopt;
      if (!What)
        continue;
      Seen.insert(Splitter(*L, *What, SE).split());
      NumSums += unsigned(What->Sums.size());
      return true;
    }
    return false;
  };
  while (SplitOne())
    simplifyLoops(F, FAM);
  return NumSums;
}

} // namespace specrt
