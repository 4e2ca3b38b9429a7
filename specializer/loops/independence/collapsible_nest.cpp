//===- specializer/loops/independence/collapsible_nest.cpp - loops that threads share as one -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/independence/collapsible_nest.h"
#include "specializer/loops/accumulator.h"
#include "specializer/loops/independence/independent_loop.h"
#include "specializer/loops/independence/loop_accesses.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/loops/loop_shape.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns whether \p I has the same result in each thread that executes it, and no effect.
bool isPure(const Instruction &I) {
  return isOnlySaid(I) || I.isLifetimeStartOrEnd() ||
         (!I.mayHaveSideEffects() && !isa<FreezeInst>(I));
}

/// Returns whether \p Outer may be executed in parts of \p Inner, as far as memory is concerned.
/// \p Memory has the accesses of a loop around both.
bool mayRepeatCodeAround(const Loop &Inner, const Loop &Outer, LoopAccesses &Memory) {
  for (const BasicBlock *BB : Outer.blocks())
    for (const Instruction &I : *BB)
      if (!Inner.contains(&I) && !isPure(I))
        return false;
  const auto IsWriteInside = [&](const LoopAccess &Of) {
    return Of.IsWrite && Inner.contains(Of.I);
  };
  for (const LoopAccess &Read : Memory.all()) {
    if (!Outer.contains(Read.I) || Inner.contains(Read.I))
      continue;
    for (const LoopAccess &Write : Memory.all())
      if (IsWriteInside(Write) && !Memory.areDifferentObjects(Read, Write))
        return false;
  }
  return true;
}

/// Returns whether \p Inner carries only counters with steps that are known before \p Around, and
/// accumulators of \p Outer, which nothing else in \p Outer changes.
bool carriesWhatOuterDoes(const Loop &Inner, const Loop &Outer, const Loop &Around,
                          ScalarEvolution &SE) {
  for (PHINode &Phi : Outer.getHeader()->phis()) {
    if (counterOf(Phi, Outer, SE))
      continue;
    const std::optional<Accumulator> Of = accumulatorOf(Phi, Outer);
    if (!Of || !all_of(Of->Operations, [&](const Instruction *I) { return Inner.contains(I); }))
      return false;
  }
  for (PHINode &Phi : Inner.getHeader()->phis()) {
    if (const SCEVAddRecExpr *Counter = counterOf(Phi, Inner, SE)) {
      if (!isKnownBefore(Around, Counter->getStepRecurrence(SE), SE))
        return false;
      continue;
    }
    const auto *Start = dyn_cast<PHINode>(Phi.getIncomingValueForBlock(Inner.getLoopPreheader()));
    if (!Start || Start->getParent() != Outer.getHeader() || !accumulatorOf(Phi, Inner) ||
        counterOf(*const_cast<PHINode *>(Start), Outer, SE))
      return false;
  }
  return true;
}

} // namespace

CollapsibleNest collapsibleNest(const Loop &L, unsigned MaxLoops, FunctionAnalysisManager &FAM) {
  CollapsibleNest Found;
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(*L.getHeader()->getParent());
  LoopAccesses Memory(L, FAM);
  if (!Memory.collect([](const AllocaInst &) { return false; }))
    return Found;
  const Loop *Outer = &L;
  while (Found.Inner.size() < MaxLoops && Outer->getSubLoops().size() == 1) {
    Loop *Inner = Outer->getSubLoops().front();
    const SCEV *Trips = tripsOf(*Inner, SE);
    if (!Trips || !mayRepeatCodeAround(*Inner, *Outer, Memory) ||
        !carriesWhatOuterDoes(*Inner, *Outer, L, SE) ||
        !SCEVExpander(SE, "nest")
             .isSafeToExpandAt(Trips, Inner->getLoopPreheader()->getTerminator()))
      break;
    const std::optional<IndependentLoop> Demands = demandsWithin(L, *Inner, FAM);
    if (!Demands)
      break;
    Found.NoLarger.insert_range(Demands->NoLarger);
    Found.Inner.push_back(Inner);
    Outer = Inner;
  }
  return Found;
}

} // namespace specrt
