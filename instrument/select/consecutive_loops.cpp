//===- instrument/select/consecutive_loops.cpp - loops over one matrix, one after the other ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/select/consecutive_loops.h"
#include "analysis/between_loops.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns the blocks from the exit of \p L to the preheader of the next loop, which is \p To
/// unless that is null, in which case it becomes the loop found. Each block has one successor, and
/// nothing but the block before leads to it. Returns nothing if there is no such path.
SmallVector<BasicBlock *> wayFrom(const Loop &L, const LoopInfo *LI, const Loop *&To) {
  SmallVector<BasicBlock *> Way;
  for (BasicBlock *Block = L.getUniqueExitBlock(); Block;) {
    Way.push_back(Block);
    BasicBlock *Next = Block->getSingleSuccessor();
    if (!Next)
      break;
    const Loop *Entered = To ? To : LI->getLoopFor(Next);
    if (Entered && Entered->getHeader() == Next && !Entered->contains(Block)) {
      To = Entered;
      return Way;
    }
    Block = Next->getSinglePredecessor() ? Next : nullptr;
  }
  return {};
}

/// Returns whether \p Block only computes and reads, so that it changes nothing that others see.
bool changesNothing(const BasicBlock &Block) {
  return all_of(Block, [](const Instruction &I) {
    if (const auto *Load = dyn_cast<LoadInst>(&I))
      return Load->isSimple();
    const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
    const bool IsSaid = Intrinsic && Intrinsic->isAssumeLikeIntrinsic();
    return (IsSaid && !Intrinsic->isLifetimeStartOrEnd()) ||
           !(I.mayReadOrWriteMemory() || I.mayThrow());
  });
}

/// A pointer, or the address that it is loaded from, because each loop may load it by itself.
using ArrayKey = PointerIntPair<const SCEV *, 1, bool>;

ArrayKey arrayOf(const SCEV *Address, const Loop &L, ScalarEvolution &SE) {
  const SCEV *Base = SE.getPointerBase(Address);
  const auto *Unknown = dyn_cast<SCEVUnknown>(Base);
  const auto *Load = Unknown ? dyn_cast<LoadInst>(Unknown->getValue()) : nullptr;
  if (!Load || L.contains(Load))
    return {Base, false};
  return {SE.getSCEV(const_cast<Value *>(Load->getPointerOperand())), true};
}

/// Returns whether \p Next uses no result of \p L, and results of \p L and \p Way are used by them
/// and by \p Next only.
bool isIndependentOf(const Loop &L, ArrayRef<BasicBlock *> Way, const Loop &Next) {
  const auto IsWithin = [&](const BasicBlock *Block) {
    return L.contains(Block) || Next.contains(Block) || is_contained(Way, Block);
  };
  const auto BeginsWithout = [&](const BasicBlock *Block) {
    return all_of(*Block, [&](const Instruction &I) {
      return none_of(I.operand_values(), [&](const Value *V) { return followsFrom(*V, L, Way); });
    });
  };
  return all_of(Next.blocks(), BeginsWithout) && areUsedOnlyIn(L.getBlocks(), IsWithin) &&
         areUsedOnlyIn(Way, IsWithin);
}

/// Returns whether \p S contains a value that iterations of \p L compute, other than a counter.
bool isReadIn(const Loop &L, const SCEV *S) {
  return SCEVExprContains(S, [&](const SCEV *Part) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    const auto *I = Unknown ? dyn_cast<Instruction>(Unknown->getValue()) : nullptr;
    return I && L.contains(I);
  });
}

/// The arrays that a loop over rows reads entry after entry, and the direction in which it takes
/// the rows.
struct RowsRead {
  SmallDenseSet<ArrayKey, 4> Integers, Numbers;
  bool Ascends = false, Descends = false;

  RowsRead(const Loop &L, const LoopInfo &LI, ScalarEvolution &SE) {
    for (const BasicBlock *Block : L.blocks())
      for (const Instruction &I : *Block)
        if (const Value *Address = getLoadStorePointerOperand(&I))
          add(I, SE.getSCEV(const_cast<Value *>(Address)), L, *LI.getLoopFor(Block), SE);
  }

private:
  void add(const Instruction &I, const SCEV *Address, const Loop &L, const Loop &Inner,
           ScalarEvolution &SE) {
    const auto *Counted = dyn_cast<SCEVAddRecExpr>(Address);
    if (!Counted || Counted->getLoop() != &Inner)
      return;
    if (&Inner == &L) {
      const SCEV *Step = Counted->getStepRecurrence(SE);
      Ascends |= SE.isKnownPositive(Step);
      Descends |= SE.isKnownNegative(Step);
    } else if (isa<LoadInst>(I) && isReadIn(L, Counted->getStart())) {
      auto &Arrays = I.getType()->isIntegerTy() ? Integers : Numbers;
      Arrays.insert(arrayOf(Address, L, SE));
    }
  }
};

bool haveCommon(const SmallDenseSet<ArrayKey, 4> &Some, const SmallDenseSet<ArrayKey, 4> &Others) {
  return any_of(Some, [&](ArrayKey Each) { return Others.contains(Each); });
}

} // namespace

Loop *findNextLoop(const Loop &L, const LoopInfo &LI) {
  const Loop *Next = nullptr;
  const SmallVector<BasicBlock *> Way = wayFrom(L, &LI, Next);
  if (!Next || Next->getParentLoop() != L.getParentLoop() || !Next->getUniqueExitBlock() ||
      !all_of(Way, [](const BasicBlock *Block) { return changesNothing(*Block); }) ||
      !isIndependentOf(L, Way, *Next))
    return nullptr;
  return const_cast<Loop *>(Next);
}

Loop *findLoopOverSameRows(const Loop &L, const LoopInfo &LI, ScalarEvolution &SE) {
  Loop *Next = findNextLoop(L, LI);
  if (!Next)
    return nullptr;
  const RowsRead One(L, LI, SE), Other(*Next, LI, SE);
  const bool InOneDirection =
      One.Ascends != One.Descends && One.Ascends == Other.Ascends && One.Descends == Other.Descends;
  if (!InOneDirection || !haveCommon(One.Integers, Other.Integers) ||
      !haveCommon(One.Numbers, Other.Numbers))
    return nullptr;
  return Next;
}

SmallVector<BasicBlock *> blocksBetween(const Loop &L, const Loop &Next) {
  const Loop *To = &Next;
  return wayFrom(L, nullptr, To);
}

} // namespace specrt
