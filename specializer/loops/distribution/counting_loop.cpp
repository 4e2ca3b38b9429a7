//===- specializer/loops/distribution/counting_loop.cpp - where iterations keep values -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/distribution/counting_loop.h"
#include "analysis/rounding/fast_math.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/loops/loop_shape.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {

CountingLoop::CountingLoop(Loop &L, FunctionAnalysisManager &FAM,
                           function_ref<bool(const LoadInst &)> MayLoad)
    : L(L), F(*L.getHeader()->getParent()), SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
      LI(FAM.getResult<LoopAnalysis>(F)), DT(FAM.getResult<DominatorTreeAnalysis>(F)),
      Slice(L, LI, FAM.getResult<PostDominatorTreeAnalysis>(F), MayLoad) {}

bool CountingLoop::add(Loop &Inner) {
  const SCEV *Trips = tripsOf(Inner, SE);
  Instruction *const At = Inner.getLoopPreheader()->getTerminator();
  if (!Trips || !SCEVExpander(SE, "count").isSafeToExpandAt(Trips, At))
    return false;
  return Slice.addParts(Trips) && Slice.addExecution(*L.getHeader()) &&
         Slice.addExecution(*At->getParent()) && isCopyable();
}

/// Returns whether the other loops come to the same numbers.
bool CountingLoop::isCopyable() const {
  return none_of(Slice.instructions(), [](Instruction *I) { return mayDifferInCopies(*I); });
}

// The expander takes instructions that exist for parts of an expression. These may depend on more
// than the expression does, such as on a branch.
bool CountingLoop::prepare(const KeptValues &Kept) {
  SCEVExpander Expander(SE, "count");
  for (const KeptValues::OfInner &Inner : Kept.Inside) {
    Instruction *const At = Inner.In->getLoopPreheader()->getTerminator();
    Trips.push_back(
        Expander.expandCodeFor(tripsOf(*Inner.In, SE), Type::getInt64Ty(F.getContext()), At));
    if (!Slice.add(Trips.back()))
      return false;
  }
  return isCopyable();
}

/// Returns a variable on the stack that is 0 at the end of \p Before.
AllocaInst *CountingLoop::makeVariable(BasicBlock *Before) {
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  AllocaInst *Variable = B.CreateAlloca(B.getInt64Ty());
  B.SetInsertPoint(Before->getTerminator());
  B.CreateStore(B.getInt64(0), Variable);
  return Variable;
}

CountingLoop::Built CountingLoop::build(const KeptValues &Kept) {
  SCEVExpander Expander(SE, "count");
  IRBuilder<> B(F.getContext());
  Type *const Word = B.getInt64Ty();
  BasicBlock *const Before = L.getLoopPreheader();
  AllocaInst *const Words = makeVariable(Before), *const Fit = makeVariable(Before);
  SmallVector<Instruction *, 8> Stores;
  const auto Store = [&](Value *V, Value *To) { Stores.push_back(B.CreateStore(V, To)); };
  // Numbers of words above this one need not be told apart.
  Value *const Full = B.getInt64(Kept.InsideWords + 1);
  const auto AtMostFull = [&](Value *V) {
    return B.CreateBinaryIntrinsic(Intrinsic::umin, V, Full);
  };
  const SCEV *const Number =
      SE.getAddRecExpr(SE.getZero(Word), SE.getOne(Word), &L, SCEV::FlagAnyWrap);

  // The loop itself counts until it has been copied.
  Instruction *const First = &*L.getHeader()->getFirstInsertionPt();
  Value *const Iteration = Expander.expandCodeFor(Number, Word, First);
  B.SetInsertPoint(First);
  Store(B.CreateLoad(Word, Words), Kept.beginOf(Iteration, B));
  for (const auto &[Inner, Times] : zip_equal(Kept.Inside, Trips)) {
    B.SetInsertPoint(Inner.In->getLoopPreheader()->getTerminator());
    Value *const More = B.CreateMul(AtMostFull(Times), B.getInt64(Inner.Values.size()));
    Store(AtMostFull(B.CreateAdd(B.CreateLoad(Word, Words), More)), Words);
  }
  BasicBlock *const Latch = L.getLoopLatch();
  Value *const Done =
      Expander.expandCodeFor(SE.getAddExpr(Number, SE.getOne(Word)), Word, Latch->getTerminator());
  B.SetInsertPoint(Latch->getTerminator());
  Value *const IsFull = B.CreateICmpEQ(B.CreateLoad(Word, Words), Full);
  Store(B.CreateSelect(IsFull, B.CreateLoad(Word, Fit), Done), Fit);

  BasicBlock *const Behind = SplitBlock(Before, Before->getTerminator(), &DT, &LI);
  ValueToValueMapTy Map;
  Map[Behind] = Before;
  Map[L.getExitBlock()] = Behind;
  const auto Copies = LoopSlice::copyBlocks(L, Map, ".count");
  SmallPtrSet<const Instruction *, 8> Copied;
  for (const Instruction *I : Stores)
    Copied.insert(cast<Instruction>(Map.lookup(I)));
  auto *const End = cast<BranchInst>(Map.lookup(Latch->getTerminator()));
  const bool LeavesFirst = End->getSuccessor(0) == Behind;
  Value *const IsFullInCopy = Map.lookup(IsFull);
  B.SetInsertPoint(End);
  End->setCondition(LeavesFirst ? B.CreateOr(End->getCondition(), IsFullInCopy)
                                : B.CreateAnd(End->getCondition(), B.CreateNot(IsFullInCopy)));
  Slice.restrict(Copies, Map, [&](const Instruction &I) { return Copied.contains(&I); });

  Expander.clear();
  for (Instruction *I : Stores)
    eraseWithOperands(*I);
  DeleteDeadPHIs(L.getHeader());
  B.SetInsertPoint(Behind, Behind->getFirstInsertionPt());
  return {.Behind = Behind,
          .Header = cast<BasicBlock>(Map.lookup(L.getHeader())),
          .Fit = B.CreateLoad(Word, Fit),
          .Variables = {Words, Fit}};
}

} // namespace specrt
