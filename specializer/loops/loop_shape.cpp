//===- specializer/loops/loop_shape.cpp - canonical loops with counters ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/loop_shape.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {

void simplifyLoops(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, PreservedAnalyses::none());
  // A pass manager would skip these passes when the compile budget is used up.
  FAM.invalidate(F, LoopSimplifyPass().run(F, FAM));
  LCSSAPass().run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
}

void hoistInvariants(Function &F, FunctionAnalysisManager &FAM) {
  simplifyLoops(F, FAM);
  FunctionPassManager Passes;
  Passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  Passes.run(F, FAM);
  simplifyLoops(F, FAM);
}

bool areAllAccesses(const AllocaInst &Room, function_ref<bool(const Instruction &)> Holds) {
  SmallSetVector<const Value *, 16> Addresses;
  Addresses.insert(&Room);
  for (size_t I = 0; I < Addresses.size(); ++I)
    for (const User *U : Addresses[I]->users()) {
      const auto *By = cast<Instruction>(U);
      if (isa<GetElementPtrInst, PHINode, SelectInst>(By) && By->getType()->isPointerTy()) {
        Addresses.insert(By);
        continue;
      }
      const auto *Store = dyn_cast<StoreInst>(By);
      const bool IsAccess = isa<LoadInst, MemIntrinsic, LifetimeIntrinsic>(By) ||
                            (Store && Store->getValueOperand() != Addresses[I]);
      if (!IsAccess || !Holds(*By))
        return false;
    }
  return true;
}

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
