//===- specializer/speculation/element_walk.cpp - the elements that a load reads -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/element_walk.h"
#include "analysis/memory/entry_path.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace specrt {
namespace {

/// Limit on numbers, so that their sums and products do not overflow int64_t.
constexpr int64_t MaxNumber = int64_t{1} << 40;

std::optional<int64_t> numberOf(const SCEV *S) {
  const auto *Constant = dyn_cast<SCEVConstant>(S);
  if (!Constant || Constant->getAPInt().getSignificantBits() > 41)
    return std::nullopt;
  return Constant->getAPInt().getSExtValue();
}

} // namespace

std::optional<ElementWalk> ElementWalk::of(const LoadInst &Load, ScalarEvolution &SE) {
  const SCEV *S = SE.getSCEV(const_cast<Value *>(Load.getPointerOperand()));
  ElementWalk Walk;
  while (const auto *Steps = dyn_cast<SCEVAddRecExpr>(S)) {
    std::optional<int64_t> Stride = numberOf(Steps->getStepRecurrence(SE));
    if (!Steps->isAffine() || !Stride || *Stride == 0 || !Steps->getLoop()->contains(&Load))
      return std::nullopt;
    Walk.Parts.insert(Walk.Parts.begin(), {Steps->getLoop(), *Stride});
    S = Steps->getStart();
  }
  const auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(S));
  std::optional<int64_t> Offset = numberOf(SE.removePointerBase(S));
  if (!Base || !Offset)
    return std::nullopt;
  Walk.Base = Base->getValue();
  Walk.Offset = *Offset;
  return Walk;
}

CertainReads::CertainReads(const Function &F, ScalarEvolution &SE, LoopInfo &LI,
                           const DominatorTree &DT, const PostDominatorTree &PDT)
    : F(F), SE(SE), DT(DT), PDT(PDT), OnEntry(instructionsOnEntryPath(F)) {
  for (const Instruction &I : instructions(F))
    AlwaysReturns &= I.isTerminator() || isGuaranteedToTransferExecutionToSuccessor(&I);
  for (const Loop *L : LI.getLoopsInPreorder())
    AlwaysReturns &=
        SE.loopIsFiniteByAssumption(L) || !isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(L));
}

Backedges CertainReads::backedges(const Loop &L) const {
  if (!L.getLoopLatch() || L.getExitingBlock() != L.getLoopLatch() || !L.isLoopSimplifyForm())
    return {};
  const SCEV *Count = SE.getBackedgeTakenCount(&L);
  if (const auto *Constant = dyn_cast<SCEVConstant>(Count)) {
    if (Constant->getAPInt().ugt(MaxNumber))
      return {};
    return {static_cast<int64_t>(Constant->getAPInt().getZExtValue()), nullptr};
  }
  if (isa<SCEVCouldNotCompute>(Count) || !SE.isLoopInvariant(Count, L.getOutermostLoop()))
    return {};
  return {std::nullopt, Count};
}

bool CertainReads::readsAll(const LoadInst &Load, const ElementWalk &Walk) const {
  // In loops that do not move the address, one iteration is sufficient.
  if (!AlwaysReturns || !PDT.dominates(Load.getParent(), &F.getEntryBlock()))
    return false;
  return all_of(Walk.Parts, [&](const ElementWalk::Part &P) {
    const Backedges Count = backedges(*P.L);
    return (Count.Number || Count.Expression) &&
           DT.dominates(Load.getParent(), P.L->getLoopLatch());
  });
}

} // namespace specrt
