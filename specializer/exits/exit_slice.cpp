//===- specializer/exits/exit_slice.cpp - the instructions that decide about a loop's end -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/exits/exit_slice.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace specrt {
namespace {

/// Limit on the slice; a larger one is part of the work rather than a condition.
constexpr size_t MaxNeeded = 64;

/// Returns whether every execution of \p L ends, or leaves it by an exit.
bool comesToItsEnd(const Loop &L, ScalarEvolution &SE) {
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (!I.isTerminator() && !isGuaranteedToTransferExecutionToSuccessor(&I))
        return false;
  return all_of(L.getLoopsInPreorder(), [&](const Loop *Inner) {
    return Inner == &L || SE.loopIsFiniteByAssumption(Inner) ||
           !isa<SCEVCouldNotCompute>(SE.getSymbolicMaxBackedgeTakenCount(Inner));
  });
}

/// Returns whether a copy of \p I can be executed once more with the same result. For loads, the
/// caller must check memory.
bool isRepeatable(const Instruction &I) {
  if (isa<LoadInst>(I))
    return cast<LoadInst>(I).isSimple();
  // A second freeze of a value may give another result.
  if (isa<AllocaInst, FreezeInst>(I) || I.mayReadOrWriteMemory() || I.mayHaveSideEffects())
    return false;
  const auto *Call = dyn_cast<CallBase>(&I);
  return !Call || (!Call->isConvergent() && !Call->isInlineAsm());
}

} // namespace

bool ExitSlice::isLatch(const BranchInst &Exit) const {
  return Exit.getParent() == L.getLoopLatch();
}

bool ExitSlice::isWanted(const Loop &L, FunctionAnalysisManager &FAM) {
  Function &F = *L.getHeader()->getParent();
  return L.isLoopSimplifyForm() &&
         (!L.getExitingBlock() ||
          isa<SCEVCouldNotCompute>(
              FAM.getResult<ScalarEvolutionAnalysis>(F).getBackedgeTakenCount(&L)));
}

/// Finds the exits in their order; returns false if some iteration does not execute one of them, or
/// if one is not a branch.
bool ExitSlice::findExits(FunctionAnalysisManager &FAM) {
  Function &F = *L.getHeader()->getParent();
  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  SmallVector<BasicBlock *> Exiting;
  L.getExitingBlocks(Exiting);
  for (BasicBlock *Block : Exiting) {
    auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
    if (!Branch || LI.getLoopFor(Block) != &L || !DT.dominates(Block, L.getLoopLatch()))
      return false;
    Exits.push_back(Branch);
  }
  sort(Exits, [&](const BranchInst *A, const BranchInst *B) {
    return DT.properlyDominates(A->getParent(), B->getParent());
  });
  return !Exits.empty();
}

/// Adds \p V; its operands are added later. Returns an obstacle, or null.
const char *ExitSlice::add(Value &V) {
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || !L.contains(I)) {
    Inputs.push_back(&V);
    return nullptr;
  }
  if (!Needed.insert(I))
    return nullptr;
  if (Needed.size() > MaxNeeded)
    return "what decides about its end takes too much";
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    if (Phi->getParent() != L.getHeader())
      return "its end depends on what branches or loops in it compute";
    Phis.push_back(Phi);
    append_range(Open, Phi->incoming_values());
    return nullptr;
  }
  if (!isRepeatable(*I))
    return "what decides about its end has effects of its own";
  if (auto *Load = dyn_cast<LoadInst>(I))
    Loads.push_back(Load);
  append_range(Open, I->operands());
  return nullptr;
}

const char *ExitSlice::findNeeded() {
  for (BranchInst *Exit : Exits)
    Open.push_back(Exit->getCondition());
  while (!Open.empty()) {
    Value *V = Open.pop_back_val();
    if (isa<BasicBlock, MetadataAsValue>(V))
      continue;
    if (const char *Why = add(*V))
      return Why;
  }
  return nullptr;
}

/// Returns whether nothing in \p In writes what determines the end, in any iteration.
bool ExitSlice::isUnwritten(const Loop &In, FunctionAnalysisManager &FAM) const {
  BatchAAResults AA(FAM.getResult<AAManager>(*L.getHeader()->getParent()));
  AA.enableCrossIterationMode();
  for (const LoadInst *Load : Loads) {
    // Addresses of one iteration do not bound those of others.
    const MemoryLocation Read =
        MemoryLocation::getBeforeOrAfter(Load->getPointerOperand(), Load->getAAMetadata());
    for (const BasicBlock *Block : In.blocks())
      for (const Instruction &I : *Block)
        if (I.mayWriteToMemory() && isModSet(AA.getModRefInfo(&I, Read)))
          return false;
  }
  return true;
}

/// Returns whether the loop contains enough other work.
bool ExitSlice::isCheap() const {
  if (!L.isInnermost())
    return true;
  size_t All = 0;
  for (const BasicBlock *Block : L.blocks())
    All += Block->sizeWithoutDebug();
  return 2 * Needed.size() <= All;
}

ExitRefusal ExitSlice::find(FunctionAnalysisManager &FAM) {
  Function &F = *L.getHeader()->getParent();
  if (!findExits(FAM))
    return {SPECRT_NOTE_PLAIN, "some exit is not passed by every iteration"};
  if (const char *Why = findNeeded())
    return {SPECRT_NOTE_EXIT_WORK, Why};
  if (!isCheap())
    return {SPECRT_NOTE_PLAIN, ""};
  if (!comesToItsEnd(L, FAM.getResult<ScalarEvolutionAnalysis>(F)))
    return {SPECRT_NOTE_PLAIN, "an iteration may not come to its end"};
  if (!isUnwritten(L, FAM))
    return {SPECRT_NOTE_EXIT_DATA, "it may write what decides about its end"};
  return {};
}

Loop &ExitSlice::outermost(FunctionAnalysisManager &FAM) const {
  Function &F = *L.getHeader()->getParent();
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto AlwaysComesToIt = [&](const Loop &Around) {
    SmallVector<BasicBlock *> Ends;
    Around.getExitingBlocks(Ends);
    Ends.push_back(Around.getLoopLatch());
    return all_of(Ends, [&](BasicBlock *End) { return DT.dominates(L.getLoopPreheader(), End); });
  };
  Loop *Best = &L;
  for (Loop *Around = L.getParentLoop(); Around; Around = Around->getParentLoop()) {
    if (!Around->isLoopSimplifyForm() || !AlwaysComesToIt(*Around) ||
        !all_of(Inputs, [&](const Value *V) { return Around->isLoopInvariant(V); }) ||
        !comesToItsEnd(*Around, SE) || !isUnwritten(*Around, FAM))
      break;
    Best = Around;
  }
  return *Best;
}

} // namespace specrt
