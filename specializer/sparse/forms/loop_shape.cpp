//===- specializer/sparse/forms/loop_shape.cpp - loops that count ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/forms/loop_shape.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {

bool isLeftBehindLatch(const Loop &L) {
  return L.isLoopSimplifyForm() && L.getExitBlock() && L.getExitingBlock() == L.getLoopLatch();
}

const SCEV *backedgesOf(const Loop &L, ScalarEvolution &SE) {
  if (!isLeftBehindLatch(L))
    return nullptr;
  const SCEV *Taken = SE.getBackedgeTakenCount(&L);
  return isa<SCEVCouldNotCompute>(Taken) || SE.getTypeSizeInBits(Taken->getType()) > 64 ? nullptr
                                                                                        : Taken;
}

const SCEV *tripsOf(const Loop &L, ScalarEvolution &SE) {
  const SCEV *Taken = backedgesOf(L, SE);
  if (!Taken)
    return nullptr;
  Type *Word = Type::getInt64Ty(SE.getContext());
  return SE.getAddExpr(SE.getNoopOrZeroExtend(Taken, Word), SE.getOne(Word));
}

bool isKnownBefore(const Loop &L, const SCEV *S, ScalarEvolution &SE) {
  if (isa<SCEVConstant>(S))
    return true;
  return SE.isLoopInvariant(S, &L) &&
         SCEVExpander(SE, "shape").isSafeToExpandAt(S, L.getLoopPreheader()->getTerminator());
}

const SCEVAddRecExpr *counterOf(PHINode &Phi, const Loop &L, ScalarEvolution &SE) {
  if (Phi.getParent() != L.getHeader() || !SE.isSCEVable(Phi.getType()))
    return nullptr;
  const auto *Counter = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
  return Counter && Counter->getLoop() == &L && Counter->isAffine() &&
                 isKnownBefore(L, Counter->getStepRecurrence(SE), SE)
             ? Counter
             : nullptr;
}

} // namespace specrt
