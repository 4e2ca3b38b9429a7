//===- instrument/select/rounding.cpp - results that only this compilation has ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/select/rounding.h"
#include "analysis/memory/variables.h"
#include "analysis/rounding/extrema.h"
#include "analysis/rounding/fusion.h"
#include "analysis/rounding/reordering.h"
#include "instrument/select/definitions.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace specrt {

// LLVM computes llvm.fmuladd of constants fused, whatever the target. It unrolls short loops after
// they became vectors; those with more iterations than this it does not.
static constexpr uint64_t MaxUnrolledIterations = 4096;

/// What a version is made of.
struct Rounding::Code {
  SmallVector<const Instruction *> Instructions;
  SmallVector<const Loop *> Loops;
  SmallSetVector<const Function *, 4> Callees;
};

Rounding::Rounding(const Module &M, FunctionAnalysisManager &FAM, bool ForLTO)
    : FAM(FAM), ForLTO(ForLTO), HasContractFlags(hasContractFlags(M)) {
  if (ForLTO)
    AtLinkTime.emplace(M, HasContractFlags);
}

static const Function *calleeOf(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && mayStandForCalls(*Callee) ? Callee : nullptr;
}

/// Those that \p C calls, with all that they call.
void Rounding::addCallees(Code &C) const {
  for (size_t Next = 0; Next < C.Instructions.size(); ++Next) {
    const Function *Callee = calleeOf(*C.Instructions[Next]);
    if (!Callee || !C.Callees.insert(Callee))
      continue;
    for (const Instruction &I : instructions(*Callee))
      C.Instructions.push_back(&I);
    append_range(C.Loops,
                 FAM.getResult<LoopAnalysis>(const_cast<Function &>(*Callee)).getLoopsInPreorder());
  }
}

Refusal Rounding::refuseFusion(const Code &C) const {
  if (const Instruction *Sum = HasContractFlags ? findFreeFusion(C.Instructions) : nullptr)
    return {"code generation chooses which of its multiplications are fused", Sum};
  return {};
}

/// Can loops be unrolled until nothing but constants is left of the operands?
static bool mayBecomeConstant(const IntrinsicInst &I, FunctionAnalysisManager &FAM, bool ForLTO) {
  auto &F = const_cast<Function &>(*I.getFunction());
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  uint64_t Iterations = 1;
  SmallPtrSet<const Loop *, 4> Loops;
  auto IsVariable = [&](const PHINode &Phi) {
    const Loop *L = LI.getLoopFor(Phi.getParent());
    if (!L || L->getHeader() != Phi.getParent())
      return false;
    // Link-time optimisation may find the bound.
    const unsigned TripCount =
        ForLTO ? SE.getSmallConstantTripCount(L) : SE.getSmallConstantMaxTripCount(L);
    if (TripCount == 0)
      return !ForLTO;
    if (Loops.insert(L).second)
      Iterations = SaturatingMultiply<uint64_t>(Iterations, TripCount);
    return Iterations > MaxUnrolledIterations;
  };
  return none_of(I.args(), [&](const Use &U) { return isVariable(U, IsVariable, ForLTO); });
}

Refusal Rounding::refuseFolding(const Code &C) const {
  for (const Instruction *I : C.Instructions)
    if (const auto *Call = dyn_cast<IntrinsicInst>(I);
        Call && Call->getIntrinsicID() == Intrinsic::fmuladd &&
        mayBecomeConstant(*Call, FAM, ForLTO) && !mayFuse(*I->getFunction(), *I->getType()))
      return {"its multiplications are fused only where the compiler finds constants", I};
  return {};
}

Refusal Rounding::refuseExtrema(const Code &C) const {
  for (const Instruction *I : C.Instructions)
    if (const IntrinsicInst *Extremum = asExtremum(*I)) {
      OfEqual Which = whichOfEqual(*Extremum);
      // At link time more values may become constants.
      if (Which == OfEqual::Unsettled || (ForLTO && Which == OfEqual::First))
        return {"only code generation knows which of two equal zeros fmin or fmax will return", I};
    }
  return {};
}

Refusal Rounding::refuse(const Code &C) const {
  for (const Loop *Part : C.Loops)
    if (const Instruction *I = findReorderedReduction(*Part, /*SimplifiedAgain=*/ForLTO))
      return {"a pragma lets the compiler reorder a floating-point reduction", I};
  if (Refusal Why = refuseFusion(C))
    return Why;
  if (Refusal Why = refuseFolding(C))
    return Why;
  return refuseExtrema(C);
}

Refusal Rounding::refuse(const Loop &L) const {
  Code C;
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      C.Instructions.push_back(&I);
  append_range(C.Loops, L.getLoopsInPreorder());
  addCallees(C);
  if (Refusal Why = refuse(C))
    return Why;
  return AtLinkTime ? AtLinkTime->refuse(L) : Refusal();
}

Refusal Rounding::refuse(Function &F) const {
  Code C;
  for (const Instruction &I : instructions(F))
    C.Instructions.push_back(&I);
  append_range(C.Loops, FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder());
  C.Callees.insert(&F);
  addCallees(C);
  return refuse(C);
}

} // namespace specrt
