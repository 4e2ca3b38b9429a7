//===- specializer/loops/independence/hull_extent.cpp - bounds of an access ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/independence/hull_extent.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {

bool leaveOut(const Loop &Inner, const SCEV *&Low, const SCEV *&High, ScalarEvolution &SE) {
  const SCEV *const Taken = SE.getBackedgeTakenCount(&Inner);
  const auto Extreme = [&](const SCEV *S, bool IsHigh) -> const SCEV * {
    if (SE.isLoopInvariant(S, &Inner))
      return S;
    const auto *Counter = dyn_cast<SCEVAddRecExpr>(S);
    const auto *Step = Counter && Counter->getLoop() == &Inner && Counter->isAffine()
                           ? dyn_cast<SCEVConstant>(Counter->getStepRecurrence(SE))
                           : nullptr;
    if (!Step || isa<SCEVCouldNotCompute>(Taken) || SE.getTypeSizeInBits(Taken->getType()) > 64 ||
        !SE.isLoopInvariant(Taken, &Inner))
      return nullptr;
    if (Step->getAPInt().isNegative() == IsHigh)
      return Counter->getStart();
    const SCEV *Way =
        SE.getMulExpr(SE.getNoopOrZeroExtend(Taken, Type::getInt64Ty(SE.getContext())), Step);
    return SE.getAddExpr(Counter->getStart(), Way);
  };
  const SCEV *const NewLow = Extreme(Low, false), *const NewHigh = Extreme(High, true);
  if (!NewLow || !NewHigh)
    return false;
  Low = NewLow;
  High = NewHigh;
  return true;
}

Instruction *placeFor(const SCEV *Low, const SCEV *High, const Loop &In, const DominatorTree &DT,
                      const LoopInfo &LI, SCEVExpander &Expander) {
  ScalarEvolution &SE = *Expander.getSE();
  Instruction *At = &*In.getHeader()->getFirstInsertionPt();
  for (const SCEV *S : {Low, High}) {
    SmallVector<const SCEVUnknown *, 4> Unknown;
    struct Collector {
      SmallVectorImpl<const SCEVUnknown *> &To;
      bool follow(const SCEV *Part) {
        if (const auto *U = dyn_cast<SCEVUnknown>(Part))
          To.push_back(U);
        return true;
      }
      bool isDone() const { return false; }
    } Collect{Unknown};
    visitAll(S, Collect);
    for (const SCEVUnknown *U : Unknown) {
      auto *Made = dyn_cast<Instruction>(U->getValue());
      if (!Made || DT.dominates(Made, At))
        continue;
      if (!DT.dominates(At, Made) || Made->isTerminator())
        return nullptr;
      At = isa<PHINode>(Made) ? &*Made->getParent()->getFirstInsertionPt() : Made->getNextNode();
    }
  }
  // Only the last value that a loop inside leaves matters.
  for (Loop *Around = LI.getLoopFor(At->getParent()); Around != &In;
       Around = Around->getParentLoop())
    if (BasicBlock *Exit = Around->getExitBlock(); Exit && DT.dominates(At, &Exit->front()))
      At = &*Exit->getFirstInsertionPt();
  // A slice may leave out a loop that has ended before At, so its counter is not known there.
  const auto IsOver = [&](const SCEV *Part) {
    const auto *Counter = dyn_cast<SCEVAddRecExpr>(Part);
    return Counter && !Counter->getLoop()->contains(At->getParent());
  };
  const auto IsKnown = [&](const SCEV *S) {
    return Expander.isSafeToExpand(S) && SE.dominates(S, At->getParent()) &&
           !SCEVExprContains(S, IsOver);
  };
  return IsKnown(Low) && IsKnown(High) ? At : nullptr;
}

} // namespace specrt
