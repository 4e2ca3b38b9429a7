//===- instrument/select/rounding/rounding.cpp - results that versions might round differently ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/select/rounding/rounding.h"
#include "analysis/rounding/extrema.h"
#include "analysis/rounding/fusion.h"
#include "analysis/rounding/reordering.h"
#include "analysis/rounding/unrolling.h"
#include "instrument/select/definitions.h"
#include "instrument/select/rounding/exchanged_values.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace specrt {

/// The code that a version contains.
struct Rounding::Code {
  SmallVector<const Instruction *> Instructions;
  SmallVector<const Loop *> Loops;
  SmallSetVector<const Function *, 4> Callees;
};

Rounding::Rounding(const Module &M, FunctionAnalysisManager &FAM, bool ForLTO)
    : FAM(FAM), ForLTO(ForLTO), MayContract(mayContract(M)) {
  if (ForLTO)
    AtLinkTime.emplace(M, MayContract);
}

static const Function *calleeOf(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && mayStandForCalls(*Callee) ? Callee : nullptr;
}

/// Adds the visible callees of \p C, and theirs, with their instructions and loops.
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

LoopsOfFunction Rounding::loopsOf(const Function &F) const {
  auto &Code = const_cast<Function &>(F);
  return {FAM.getResult<LoopAnalysis>(Code), FAM.getResult<ScalarEvolutionAnalysis>(Code)};
}

/// Returns a reason if \p C contains an llvm.fmuladd whose arguments may become constants on a
/// target without fused multiply-adds: LLVM folds it fused for all targets.
Refusal Rounding::refuseFolding(const Code &C) const {
  auto MayBeFolded = [&](const IntrinsicInst &I) {
    const LoopsOfFunction Loops = loopsOf(*I.getFunction());
    const Unrolling Later(Loops.LI, Loops.SE, ForLTO);
    return all_of(I.args(), [&](const Use &U) { return Later.mayBecomeConstant(*U); });
  };
  for (const Instruction *I : C.Instructions)
    if (const auto *Call = dyn_cast<IntrinsicInst>(I);
        Call && Call->getIntrinsicID() == Intrinsic::fmuladd && MayBeFolded(*Call) &&
        !mayFuse(*I->getFunction(), *I->getType()))
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
  // With other flags that leave results open, the loop is a region for SPECRT_FP=fast.
  if (MayContract &&
      none_of(C.Instructions, [](const Instruction *I) { return hasFreeResult(*I); }))
    if (const OpenResult Open = findOpen(C))
      return {Open.Why, Open.Where};
  if (Refusal Why = refuseFolding(C))
    return Why;
  return refuseExtrema(C);
}

Rounding::Code Rounding::codeOf(ArrayRef<BasicBlock *> Blocks) const {
  Code C;
  for (const BasicBlock *Block : Blocks)
    for (const Instruction &I : *Block)
      C.Instructions.push_back(&I);
  addCallees(C);
  return C;
}

Rounding::Code Rounding::codeOf(const Loop &L) const {
  Code C = codeOf(L.getBlocks());
  append_range(C.Loops, L.getLoopsInPreorder());
  return C;
}

/// Returns why a region beside the original in place may change the bits of the original; null if
/// it does not.
const char *Rounding::findNeighbour(const Loop &L, const Code &C) const {
  const bool IsFree =
      any_of(C.Instructions, [](const Instruction *I) { return hasFreeResult(*I); });
  const auto Any = [](const Instruction &) { return true; };
  if (exchangesLanes(L, hasFreeResult) || (IsFree && exchangesLanes(L, Any) && findOpen(C)))
    return "how they are rounded depends on code around it: several numbers enter or leave it in "
           "registers";
  const LoopsOfFunction Loops = loopsOf(*L.getHeader()->getParent());
  const Unrolling Later(Loops.LI, Loops.SE, ForLTO);
  if (IsFree && sharesArrayOfRegisters(
                    L, [&](const Value &Subscript) { return Later.mayBecomeConstant(Subscript); }))
    return "how they are rounded depends on code around it, with which it shares a small array";
  if (IsFree && ForLTO && findOpen(C))
    return "the linker optimises it once more, with the code around it";
  return nullptr;
}

Refusal Rounding::refuse(const Loop &L) const {
  const Code C = codeOf(L);
  if (Refusal Why = refuse(C))
    return Why;
  if (const char *Why = findNeighbour(L, C))
    return {std::string("flags such as -ffast-math leave its results open, and ") + Why};
  return AtLinkTime ? AtLinkTime->refuse(L.getBlocks()) : Refusal();
}

Refusal Rounding::refuseBetween(ArrayRef<BasicBlock *> Blocks) const {
  const Code C = codeOf(Blocks);
  if (const OpenResult Open = findOpen(C))
    return {Open.Why, Open.Where};
  if (Refusal Why = refuse(C))
    return Why;
  return AtLinkTime ? AtLinkTime->refuse(Blocks) : Refusal();
}

OpenResult Rounding::findOpen(const Code &C) const {
  return findOpenResult(
      C.Instructions, [&](const Function &F) { return loopsOf(F); }, MayContract, ForLTO);
}

OpenResult Rounding::findOpen(const Loop &L) const { return findOpen(codeOf(L)); }

Refusal Rounding::refuse(Function &F) const {
  Code C;
  for (const Instruction &I : instructions(F))
    C.Instructions.push_back(&I);
  append_range(C.Loops, FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder());
  C.Callees.insert(&F);
  addCallees(C);
  if (const OpenResult Open = findOpen(C))
    return {Open.Why, Open.Where};
  return refuse(C);
}

} // namespace specrt
