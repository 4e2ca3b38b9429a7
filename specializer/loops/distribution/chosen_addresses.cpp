//===- specializer/loops/distribution/chosen_addresses.cpp - chosen addresses ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/distribution/chosen_addresses.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace specrt {
namespace {

/// A value that is passed from one iteration of a loop to the next, as an address uses it.
class Choice {
public:
  Choice(PHINode &Chosen, const LoopInfo &LI, const DominatorTree &DT, ScalarEvolution &SE)
      : Chosen(Chosen), In(*LI.getLoopFor(Chosen.getParent())), LI(LI), DT(DT), SE(SE) {}

  /// Returns whether each iteration that is not the last one executes \p I, and at most once.
  bool isInEachIteration(const Instruction &I) const {
    return LI.getLoopFor(I.getParent()) == &In && In.getLoopLatch() &&
           DT.dominates(I.getParent(), In.getLoopLatch());
  }

  /// Returns whether \p Load, which is in each iteration, reads only what the first iteration of
  /// the loop reads, or what loads at certain addresses read in each iteration.
  bool isReadAnyway(const LoadInst &Load, function_ref<bool(const Value &)> IsCertain) const {
    const SCEV *Address = SE.getSCEV(const_cast<Value *>(Load.getPointerOperand()));
    Value *First = Chosen.getIncomingValueForBlock(In.getLoopPreheader());
    const auto IsUncertain = [&](const SCEV *Part) {
      const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
      return Unknown && Unknown->getValue() != &Chosen && !IsCertain(*Unknown->getValue());
    };
    if (!IsCertain(*First) || SCEVExprContains(Address, IsUncertain) ||
        !SE.isLoopInvariant(with(Address, First), &In))
      return false;
    SmallSetVector<Value *, 8> Values;
    Values.insert(Chosen.getIncomingValueForBlock(In.getLoopLatch()));
    for (size_t N = 0; N < Values.size(); ++N) {
      Value *V = Values[N];
      if (V == &Chosen)
        continue;
      const auto *I = dyn_cast<Instruction>(V);
      if (I && In.contains(I) && LI.getLoopFor(I->getParent()) != &In)
        return false;
      if (auto *Select = dyn_cast<SelectInst>(V); Select && In.contains(Select)) {
        Values.insert(Select->getTrueValue());
        Values.insert(Select->getFalseValue());
      } else if (const auto *Phi = dyn_cast_or_null<PHINode>(I);
                 Phi && In.contains(Phi) && Phi->getParent() != In.getHeader()) {
        for (Value *Incoming : Phi->incoming_values())
          Values.insert(Incoming);
      } else if (!isReadInEachIteration(with(Address, V), *Load.getType(), IsCertain)) {
        return false;
      }
    }
    return true;
  }

private:
  /// Returns \p Address with another value chosen.
  const SCEV *with(const SCEV *Address, Value *V) const {
    ValueToSCEVMapTy Map;
    Map[&Chosen] = SE.getSCEV(V);
    return SCEVParameterRewriter::rewrite(Address, SE, Map);
  }

  bool isReadInEachIteration(const SCEV *Address, const Type &T,
                             function_ref<bool(const Value &)> IsCertain) const {
    for (BasicBlock *BB : In.blocks())
      for (Instruction &I : *BB)
        if (auto *Other = dyn_cast<LoadInst>(&I);
            Other && Other->getType() == &T && isInEachIteration(*Other) &&
            SE.getSCEV(Other->getPointerOperand()) == Address &&
            IsCertain(*Other->getPointerOperand()))
          return true;
    return false;
  }

  PHINode &Chosen;
  const Loop &In;
  const LoopInfo &LI;
  const DominatorTree &DT;
  ScalarEvolution &SE;
};

} // namespace

bool readsWhatIsReadAnyway(const LoadInst &Load, const Loop &L,
                           function_ref<bool(const Value &)> IsCertain, const LoopInfo &LI,
                           const DominatorTree &DT, ScalarEvolution &SE) {
  const Loop *In = LI.getLoopFor(Load.getParent());
  if (!In || In == &L || !L.contains(In) || !In->getLoopLatch() || !In->getLoopPreheader())
    return false;
  const SCEV *Address = SE.getSCEV(const_cast<Value *>(Load.getPointerOperand()));
  for (PHINode &Phi : In->getHeader()->phis()) {
    if (!SE.isSCEVable(Phi.getType()) || !SCEVExprContains(Address, [&](const SCEV *Part) {
          const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
          return Unknown && Unknown->getValue() == &Phi;
        }))
      continue;
    const Choice Of(Phi, LI, DT, SE);
    return Of.isInEachIteration(Load) && Of.isReadAnyway(Load, IsCertain);
  }
  return false;
}

} // namespace specrt
