//===- specializer/loops/distribution/vector_parts.cpp - parts of loops for vectors ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/distribution/vector_parts.h"
#include "specializer/loops/distribution/distributed_loop.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/polyhedral/model/iteration_scopes.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace specrt {
namespace {

/// The estimated time of a split loop must be below this part: with smaller gains, what the
/// estimate does not know decides.
constexpr double WorthwhilePart = 0.8;

/// Returns whether something keeps LLVM from using vectors for \p L, an innermost loop: a value
/// that iterations pass on, or a write whose place data decide.
bool needsOrder(const Loop &L, ScalarEvolution &SE) {
  for (PHINode &Phi : L.getHeader()->phis()) {
    RecurrenceDescriptor Sum;
    const bool HasAnyOrder =
        RecurrenceDescriptor::isReductionPHI(&Phi, const_cast<Loop *>(&L), Sum) &&
        !Sum.hasExactFPMath();
    if (!HasAnyOrder && !counterOf(Phi, L, SE))
      return true;
  }
  return any_of(L.blocks(), [&](BasicBlock *BB) {
    return any_of(*BB, [&](Instruction &I) {
      const auto *Store = dyn_cast<StoreInst>(&I);
      if (!Store)
        return false;
      const SCEV *Address = SE.getSCEV(const_cast<Value *>(Store->getPointerOperand()));
      return !SE.isLoopInvariant(Address, &L) && !isa<SCEVAddRecExpr>(Address);
    });
  });
}

} // namespace

unsigned splitForVectors(Function &F, FunctionAnalysisManager &FAM, function_ref<bool()> Expired) {
  forgetIterationScopes(F, FAM);
  hoistInvariants(F, FAM);
  const TypeSize Bits = FAM.getResult<TargetIRAnalysis>(F).getRegisterBitWidth(
      TargetTransformInfo::RGK_FixedWidthVector);
  const FirstLoop By = {.Threads = 1, .Lanes = double(Bits.getKnownMinValue()) / 64};
  SmallVector<const BasicBlock *, 8> Headers;
  for (const Loop *L : FAM.getResult<LoopAnalysis>(F))
    Headers.push_back(L->getHeader());
  unsigned Count = 0;
  for (size_t I = 0; I < Headers.size() && !Expired(); ++I) {
    Loop *L = FAM.getResult<LoopAnalysis>(F).getLoopFor(Headers[I]);
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    if (none_of(L->getLoopsInPreorder(),
                [&](const Loop *Each) { return Each->isInnermost() && needsOrder(*Each, SE); }))
      continue;
    SmallVector<const BasicBlock *, 8> Next;
    for (const Loop *Each : *L)
      Next.push_back(Each->getHeader());
    const auto IsAny = [](const Loop &) { return true; };
    if (distributeLoop(*L, FAM, By, WorthwhilePart, IsAny).First)
      ++Count;
    else
      append_range(Headers, Next);
  }
  return Count;
}

} // namespace specrt
