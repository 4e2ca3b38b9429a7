//===- instrument/select/rounding/link_time_fusion.cpp - fusion that LTO's inlining decides ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/select/rounding/link_time_fusion.h"
#include "analysis/rounding/fusion.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace specrt {

/// Returns whether some functions of \p M have fused multiply-adds and others do not.
static bool targetsDiffer(const Module &M) {
  SmallSet<std::pair<StringRef, StringRef>, 4> Seen;
  bool With = false, Without = false;
  for (const Function &F : M)
    if (!F.isDeclaration() && Seen.insert({F.getFnAttribute("target-cpu").getValueAsString(),
                                           F.getFnAttribute("target-features").getValueAsString()})
                                  .second)
      (mayFuse(F) ? With : Without) = true;
  return With && Without;
}

LinkTimeFusion::LinkTimeFusion(const Module &M, bool MayContract)
    : MayContract(MayContract), TargetsDiffer(targetsDiffer(M)) {
  HasUndecided = any_of(M, [&](const Function &F) {
    return isUndecided(F) &&
           any_of(instructions(F), [&](const Instruction &I) { return mayBeFused(I); });
  });
}

/// Returns whether \p F may be inlined into a function where other multiplications are fused than
/// in \p F itself.
bool LinkTimeFusion::isUndecided(const Function &F) const {
  if ((!TargetsDiffer && !MayContract) || F.isDeclaration() ||
      F.hasFnAttribute(Attribute::NoInline))
    return false;
  return mayFuse(F) ? MayContract : TargetsDiffer;
}

/// Returns whether \p I may be one of the operations that are fused. A product or a sum is enough,
/// because the other operation may be in the caller.
bool LinkTimeFusion::mayBeFused(const Instruction &I) const {
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
    return Call->getIntrinsicID() == Intrinsic::fmuladd;
  return MayContract && isa<FPMathOperator>(I) && !I.hasAllowReassoc() &&
         is_contained({Instruction::FMul, Instruction::FAdd, Instruction::FSub}, I.getOpcode());
}

static Refusal refuseBecauseOf(const Function &F, const Instruction *Where = nullptr) {
  return {("what link-time optimisation inlines " + F.getName() +
           " into decides which multiplications are fused")
              .str(),
          Where};
}

Refusal LinkTimeFusion::refuse(ArrayRef<BasicBlock *> Blocks) const {
  if (!HasUndecided || Blocks.empty())
    return {};
  const Function &F = *Blocks.front()->getParent();
  if (isUndecided(F))
    return refuseBecauseOf(F);
  // Callees may be inlined into the original. In a version they keep their own targets.
  SmallSetVector<const Function *, 8> Callees;
  auto Look = [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (const Function *Callee = Call ? Call->getCalledFunction() : nullptr)
      Callees.insert(Callee);
  };
  for (const BasicBlock *Block : Blocks)
    for_each(*Block, Look);
  for (size_t Number = 0; Number < Callees.size(); ++Number)
    for (const Instruction &I : instructions(*Callees[Number])) {
      if (mayBeFused(I) && isUndecided(*I.getFunction()))
        return refuseBecauseOf(*I.getFunction(), &I);
      Look(I);
    }
  return {};
}

} // namespace specrt
