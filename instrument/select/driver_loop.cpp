//===- instrument/select/driver_loop.cpp - loops that only drive what is inside ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/select/driver_loop.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace specrt {
namespace {

bool containsNest(const Loop &L) {
  return any_of(L, [](const Loop *Inner) { return !Inner->isInnermost(); });
}

bool isInInnerLoop(const Loop &L, const Instruction &I) {
  return any_of(L, [&](const Loop *Inner) { return Inner->contains(&I); });
}

/// Does whether \p L goes on follow from what loops in it compute?
bool endsByResults(const Loop &L) {
  SmallVector<BasicBlock *> Exiting;
  L.getExitingBlocks(Exiting);
  SmallVector<const Value *> Pending;
  for (const BasicBlock *Block : Exiting)
    if (const auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
        Branch && Branch->isConditional() && !isInInnerLoop(L, *Branch))
      Pending.push_back(Branch->getCondition());
  SmallPtrSet<const Value *, 16> Seen;
  while (!Pending.empty()) {
    const auto *I = dyn_cast<Instruction>(Pending.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (isInInnerLoop(L, *I))
      return true;
    append_range(Pending, I->operand_values());
  }
  return false;
}

/// Does what \p Carried hands on to the next iteration of \p L get into memory?
bool isStored(const Loop &L, const PHINode &Carried) {
  SmallVector<const Instruction *> Pending = {&Carried};
  SmallPtrSet<const Instruction *, 16> Seen;
  while (!Pending.empty()) {
    const Instruction *I = Pending.pop_back_val();
    if (!L.contains(I) || !Seen.insert(I).second)
      continue;
    if (isa<StoreInst>(I))
      return true;
    for (const User *U : I->users())
      Pending.push_back(cast<Instruction>(U));
  }
  return false;
}

/// Does one iteration of \p L compute with what another has computed, not by way of memory?
bool handsNumbersOn(const Loop &L) {
  return any_of(L.getHeader()->phis(), [&](const PHINode &Phi) {
    return Phi.getType()->isFloatingPointTy() && isStored(L, Phi);
  });
}

/// Does \p S follow from an integer that an iteration of \p L reads, from a place of its own?
bool followsFromIndices(const SCEV *S, const Loop &L, ScalarEvolution &SE) {
  return SCEVExprContains(S, [&](const SCEV *Part) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    const auto *Load = Unknown ? dyn_cast<LoadInst>(Unknown->getValue()) : nullptr;
    return Load && L.contains(Load) && Load->getType()->isIntegerTy() &&
           !SE.isLoopInvariant(SE.getSCEV(const_cast<Value *>(Load->getPointerOperand())), &L);
  });
}

bool mentions(const SCEV *S, const Loop &L) {
  return SCEVExprContains(S, [&](const SCEV *Part) {
    const auto *Rec = dyn_cast<SCEVAddRecExpr>(Part);
    return Rec && Rec->getLoop() == &L;
  });
}

/// Does \p L repeat loops that integers in memory describe, the same ones over and over as far as
/// addresses tell?
bool repeatsIndirection(const Loop &L, ScalarEvolution &SE) {
  bool Found = false;
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block) {
      const Value *Address = getLoadStorePointerOperand(&I);
      if (!Address || !isInInnerLoop(L, I))
        continue;
      const SCEV *S = SE.getSCEV(const_cast<Value *>(Address));
      if (mentions(S, L))
        return false;
      Found |= followsFromIndices(S, L, SE);
    }
  return Found;
}

} // namespace

const char *drivesOthers(const Loop &L, ScalarEvolution &SE) {
  if (!containsNest(L))
    return nullptr;
  if (endsByResults(L))
    return "it ends when what it computes says so, and drives the loops inside";
  if (handsNumbersOn(L))
    return "its iterations compute with numbers from one to the next, and drive the loops inside";
  if (repeatsIndirection(L, SE))
    return "it repeats loops whose accesses follow from integers in memory";
  for (const Loop *Inner : L)
    if (const char *Why = drivesOthers(*Inner, SE))
      return Why;
  return nullptr;
}

} // namespace specrt
