//===- specializer/loops/independence/pipelined_loop.cpp - loops for a pipeline ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/independence/pipelined_loop.h"
#include "analysis/memory/linear_form.h"
#include "specializer/loops/independence/footprint.h"
#include "specializer/loops/independence/loop_accesses.h"
#include "specializer/loops/independence/work_arrays.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/polyhedral/model/unordered_calls.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace specrt {
namespace {

class PipelineProof {
public:
  PipelineProof(const Loop &L, FunctionAnalysisManager &FAM)
      : L(L), FAM(FAM), SE(FAM.getResult<ScalarEvolutionAnalysis>(function())),
        DT(FAM.getResult<DominatorTreeAnalysis>(function())), Memory(L, FAM) {}

  bool run();
  PipelinedLoop Found;

private:
  struct Access : LoopAccess {
    const Loop *Shared; ///< the shared loop that contains the access; null if none does
    std::optional<Footprint> Touched;
  };

  bool hasShape();
  const Loop *sharedLoopOf(const Instruction &I) const;
  bool isPrivate(const AllocaInst &Room) const;
  bool collect();
  bool areInOrder(const Access &First, const Access &Second);
  Function &function() const { return *L.getHeader()->getParent(); }

  const Loop &L;
  FunctionAnalysisManager &FAM;
  ScalarEvolution &SE;
  const DominatorTree &DT;
  LoopAccesses Memory;
  SmallVector<Access, 0> Accesses;
};

/// Returns the number of iterations of \p L if it is a constant and \p L carries only counters.
std::optional<int64_t> tripsOfCountedLoop(const Loop &L, ScalarEvolution &SE) {
  const SCEV *Taken = backedgesOf(L, SE);
  const auto *Last = Taken ? dyn_cast<SCEVConstant>(Taken) : nullptr;
  const bool HasCounters = all_of(L.getHeader()->phis(), [&](PHINode &Phi) {
    const SCEVAddRecExpr *Counter = counterOf(Phi, L, SE);
    return Counter && isa<SCEVConstant>(Counter->getStepRecurrence(SE));
  });
  if (!Last || !HasCounters || !Last->getAPInt().isIntN(31))
    return std::nullopt;
  return int64_t(Last->getAPInt().getZExtValue()) + 1;
}

/// Returns whether no value of \p L is used behind it. All such uses are phis (LCSSA).
bool leavesNothing(const Loop &L) { return L.getExitBlock()->phis().empty(); }

bool PipelineProof::hasShape() {
  const std::optional<int64_t> Trips = tripsOfCountedLoop(L, SE);
  if (!Trips || !L.isOutermost() || L.isInnermost() || !leavesNothing(L))
    return false;
  Found.Header = L.getHeader();
  Found.Trips = *Trips;
  for (const Loop *Inner : L) {
    const std::optional<int64_t> InnerTrips = tripsOfCountedLoop(*Inner, SE);
    if (!InnerTrips || (Found.SharedTrips != 0 && *InnerTrips != Found.SharedTrips) ||
        !leavesNothing(*Inner))
      return false;
    Found.SharedTrips = *InnerTrips;
    Found.Shared.push_back(Inner->getHeader());
  }
  return true;
}

const Loop *PipelineProof::sharedLoopOf(const Instruction &I) const {
  for (const Loop *Inner : L)
    if (Inner->contains(&I))
      return Inner;
  return nullptr;
}

/// Returns whether each iteration of a shared loop may have its own \p Room: its lifetime begins in
/// the iteration, or the iteration writes each byte before it reads it.
bool PipelineProof::isPrivate(const AllocaInst &Room) const {
  return any_of(L, [&](const Loop *Inner) {
    if (beginsAnew(Room, *Inner, DT))
      return true;
    SmallVector<ArrayAccess, 16> Here;
    const bool IsInside = areAllAccesses(Room, [&](const Instruction &I) {
      if (I.isLifetimeStartOrEnd())
        return true;
      const DataLayout &DL = I.getDataLayout();
      if (const auto *Load = dyn_cast<LoadInst>(&I))
        Here.push_back({&I, Load->getPointerOperand(),
                        DL.getTypeStoreSize(Load->getType()).getFixedValue(), false});
      else if (const auto *Store = dyn_cast<StoreInst>(&I))
        Here.push_back({&I, Store->getPointerOperand(),
                        DL.getTypeStoreSize(Store->getValueOperand()->getType()).getFixedValue(),
                        true});
      else
        return false;
      return Inner->contains(&I);
    });
    return IsInside && workArrayAt(const_cast<AllocaInst &>(Room), Here, *Inner, FAM);
  });
}

bool PipelineProof::collect() {
  // Threads execute ranges of columns, so the last iteration that sets errno is not known.
  for (const BasicBlock *BB : L.blocks())
    if (any_of(*BB, [](const Instruction &I) { return isErrnoOnly(I); }))
      return false;
  DenseMap<const AllocaInst *, bool> IsPrivate;
  const bool AreKnown = Memory.collect([&](const AllocaInst &Room) {
    const auto [At, IsNew] = IsPrivate.insert({&Room, false});
    if (IsNew)
      At->second = isPrivate(Room);
    return At->second;
  });
  if (!AreKnown)
    return false;
  for (const LoopAccess &Each : Memory.all()) {
    const Loop *Shared = sharedLoopOf(*Each.I);
    // All threads execute the code outside of the shared loops.
    if (!Shared && Each.IsWrite)
      return false;
    Accesses.push_back(
        {Each, Shared,
         Shared ? Footprint::of(Each.Address, Each.Bytes, L, SE, Shared) : std::nullopt});
  }
  return true;
}

/// Returns whether \p First in an iteration (k, j) of L and its shared loop comes before \p Second
/// in (k', j') whenever j < j' and both access the same byte.
bool PipelineProof::areInOrder(const Access &First, const Access &Second) {
  if (First.I != Second.I && Memory.areDifferentObjects(First, Second))
    return true;
  if (!First.Touched || !Second.Touched)
    return false;
  const bool MayBeLater = First.Shared != Second.Shared &&
                          !DT.dominates(First.Shared->getHeader(), Second.Shared->getHeader());
  return Footprint::areInOrder(*First.Touched, *First.Shared, *Second.Touched, *Second.Shared, L,
                               {.LeastDistance = MayBeLater ? 0 : 1,
                                .Last = Found.Trips - 1,
                                .LastShared = Found.SharedTrips - 1});
}

bool PipelineProof::run() {
  if (!hasShape() || !collect())
    return false;
  for (const Access &First : Accesses)
    for (const Access &Second : Accesses)
      if ((First.IsWrite || Second.IsWrite) && !areInOrder(First, Second))
        return false;
  return true;
}

} // namespace

std::optional<PipelinedLoop> pipelinedLoop(const Loop &L, FunctionAnalysisManager &FAM) {
  PipelineProof Proof(L, FAM);
  return Proof.run() ? std::optional(std::move(Proof.Found)) : std::nullopt;
}

} // namespace specrt
