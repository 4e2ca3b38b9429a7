//===- instrument/select/unprofitable.cpp - nests that no version can help ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/select/unprofitable.h"
#include "analysis/memory/trip_counts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>

using namespace llvm;

namespace specrt {

/// A nest that runs fewer instructions than this per call cannot earn back the call through its
/// slot.
static constexpr uint64_t MinConstantWork = 256;
/// A nest of known size that executes fewer instructions takes about a microsecond at most. Its
/// data fit the first cache, and starting threads takes longer.
static constexpr uint64_t MaxShortWork = 4096;

static SmallVector<BasicBlock *> exitingBlocks(const Loop &L) {
  SmallVector<BasicBlock *> Blocks;
  L.getExitingBlocks(Blocks);
  return Blocks;
}

/// Returns how many instructions one execution of the nest runs if all trip counts are constants or
/// can be estimated; otherwise nothing.
static std::optional<uint64_t> constantWork(const Loop &L, ScalarEvolution &SE) {
  uint64_t TripCount = SE.getSmallConstantMaxTripCount(&L);
  if (TripCount == 0)
    TripCount = estimatedTrips(L, SE);
  if (TripCount == 0)
    return std::nullopt;
  uint64_t Work = 0;
  for (const BasicBlock *Block : L.blocks())
    if (!any_of(L, [&](const Loop *Inner) { return Inner->contains(Block); }))
      Work += Block->size();
  for (const Loop *Inner : L) {
    std::optional<uint64_t> InnerWork = constantWork(*Inner, SE);
    if (!InnerWork)
      return std::nullopt;
    Work += *InnerWork;
  }
  return SaturatingMultiply<uint64_t>(Work, TripCount);
}

/// Returns whether the branch at the end of \p Exiting compares a value that advances regularly in
/// \p L, as in "i < n" and "i * i < s->n".
static bool comparesCounter(const BasicBlock &Exiting, const Loop &L, ScalarEvolution &SE) {
  const auto *Branch = dyn_cast<BranchInst>(Exiting.getTerminator());
  const auto *Test =
      Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  return Test && any_of(Test->operands(), [&](Value *Side) {
           // Any expression over the iteration number counts: ranges of it, extensions, products.
           return SE.isSCEVable(Side->getType()) &&
                  SCEVExprContains(SE.getSCEV(Side), [&](const SCEV *S) {
                    const auto *AddRec = dyn_cast<SCEVAddRecExpr>(S);
                    return AddRec && AddRec->getLoop() == &L;
                  });
         });
}

/// Returns whether some loop of the nest counts iterations. Searches and traversals of lists have
/// no sizes to specialize for.
static bool counts(const Loop &L, ScalarEvolution &SE) {
  return any_of(exitingBlocks(L),
                [&](const BasicBlock *Block) { return comparesCounter(*Block, L, SE); }) ||
         any_of(L, [&](const Loop *Inner) { return counts(*Inner, SE); });
}

static bool accessesMemory(const Instruction &I) {
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return I.mayReadOrWriteMemory() &&
         !(Intrinsic && (Intrinsic->isAssumeLikeIntrinsic() || Intrinsic->isLifetimeStartOrEnd()));
}

static bool computesFloatingPoint(const Instruction &I) {
  return I.getType()->isFPOrFPVectorTy() &&
         (I.isBinaryOp() || I.isUnaryOp() || I.isCast() || isa<CallBase>(I));
}

static bool readsBytes(const Instruction &I) {
  const auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->getType()->isIntegerTy(8);
}

/// Returns whether each innermost loop has an exit that no counter decides but data do, so that its
/// trip count is not known when it begins.
static bool endsByWhatItReads(const Loop &L, ScalarEvolution &SE) {
  if (L.isInnermost())
    return any_of(exitingBlocks(L),
                  [&](const BasicBlock *Block) { return !comparesCounter(*Block, L, SE); });
  return all_of(L, [&](const Loop *Inner) { return endsByWhatItReads(*Inner, SE); });
}

/// Returns whether the nest parses or compares texts, sorts, or follows chains in tables. Searches
/// in numbers that write nothing do not count: versions may compare several numbers at once.
static bool handlesTextsOrKeys(const Loop &L, ScalarEvolution &SE) {
  bool Writes = false, ReadsOthers = false;
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block) {
      if (computesFloatingPoint(I))
        return false;
      Writes |= I.mayWriteToMemory() && accessesMemory(I);
      ReadsOthers |= I.mayReadFromMemory() && accessesMemory(I) && !readsBytes(I);
    }
  return (Writes || !ReadsOthers) && endsByWhatItReads(L, SE);
}

/// Returns whether the nest only computes floating-point numbers, each from that of the previous
/// iteration. Their order matters, so no version can compute several at once.
static bool onlyContinuesNumbers(const Loop &L) {
  if (any_of(L.blocks(), [](const BasicBlock *Block) { return any_of(*Block, accessesMemory); }))
    return false;
  return all_of(L.getLoopsInPreorder(), [](const Loop *Inner) {
    return !Inner->isInnermost() || any_of(Inner->getHeader()->phis(), [](const PHINode &Phi) {
      return Phi.getType()->isFloatingPointTy();
    });
  });
}

bool isShort(const Loop &L, ScalarEvolution &SE) {
  return constantWork(L, SE).value_or(MaxShortWork) < MaxShortWork;
}

std::string whyUnprofitable(const Loop &L, ScalarEvolution &SE) {
  if (!counts(L, SE))
    return "none of its loops counts iterations";
  if (std::optional<uint64_t> Work = constantWork(L, SE); Work && *Work < MinConstantWork)
    return "it runs only about " + std::to_string(*Work) + " instructions";
  if (onlyContinuesNumbers(L))
    return "it accesses no memory, and its floating-point numbers follow from each other";
  if (handlesTextsOrKeys(L, SE))
    return "its loops end by what they read, and it computes no floating-point numbers";
  return "";
}

} // namespace specrt
