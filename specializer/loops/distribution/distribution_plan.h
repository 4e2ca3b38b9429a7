//===- specializer/loops/distribution/distribution_plan.h - what each part does ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_LOOPS_DISTRIBUTION_DISTRIBUTION_PLAN_H
#define SPECRT_SPECIALIZER_LOOPS_DISTRIBUTION_DISTRIBUTION_PLAN_H

#include "specializer/loops/distribution/counting_loop.h"
#include "specializer/loops/distribution/kept_values.h"
#include "specializer/loops/independence/hull_inspector.h"
#include "specializer/loops/independence/loop_accesses.h"
#include "specializer/loops/loop_slice.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>
#include <optional>

namespace llvm {
class DominatorTree;
class LoadInst;
class PostDominatorTree;
class ScalarEvolution;
class TargetTransformInfo;
} // namespace llvm

namespace specrt {

struct FirstLoop;

/// Returns whether the second loop has to execute \p I for its effects.
bool isWrite(const llvm::Instruction &I);

/// Decides which part of a loop computes a value, see distributed_loop.h. The second loop has all
/// effects. It also computes the values that these need, unless a value is independent and costs
/// more than keeping it.
class DistributionPlan {
public:
  /// Values of inner loops are kept if \p MayKeepInLoop returns true. The analyses in \p FAM must
  /// be up to date.
  DistributionPlan(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM,
                   llvm::function_ref<bool(const llvm::Loop &)> MayKeepInLoop);
  DistributionPlan(const DistributionPlan &) = delete;
  DistributionPlan &operator=(const DistributionPlan &) = delete;

  /// Makes the plan. Returns false if the loop cannot be split, or if that does not save time, see
  /// distributeLoop(). Does not change the function.
  bool make(const FirstLoop &By, double AtMost);

  // The following require that make() has returned true.
  KeptValues &kept() { return Demands.Kept; }
  bool keepsInside() const { return !Demands.Kept.Inside.empty(); }
  /// Builds the first loop.
  HullInspector &first() { return *Inspector; }
  /// Builds the loop in front of the first one.
  CountingLoop &count() { return Count; }
  /// Returns the part of the loop that the second loop executes, without the writes.
  const LoopSlice &second() const { return Second; }
  /// Returns the part of the loop's work that the first loop does.
  double firstShare() const { return FirstShare; }

private:
  bool collect();
  bool areApart(const LoopAccess &Read, const LoopAccess &Write);
  bool mayReadFirst(const llvm::LoadInst &Load);
  bool isUnchecked(const llvm::LoadInst &Load);
  LoopSlice checkedSlice();
  bool isHarmless(const llvm::LoadInst &Load);
  bool isHarmless(const LoopSlice &Slice);
  double emptyCost(const llvm::Loop &In);
  bool mayKeepIn(llvm::Loop &In);
  std::optional<double> costInFirst(llvm::Instruction &V);
  bool isExpensive(const llvm::Value *V);
  bool keeps(llvm::Instruction &V);
  bool planSecond();
  bool planFirst();
  unsigned hullOf(const LoopAccess &A) { return Demands.add(A, HullKind::All, LI, SE); }
  bool keepsCalls() const;
  bool carriesNothing(const LoopSlice &Slice);
  double costOfKeeping() const;
  bool fillsVectors(const llvm::Loop &In) const;
  bool exceedsLatency();
  double costOfFirst(double Lanes) const;

  llvm::Loop &L;
  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  const llvm::PostDominatorTree &PDT;
  const llvm::TargetTransformInfo &TTI;
  const llvm::function_ref<bool(const llvm::Loop &)> MayKeepInLoop;
  LoopAccesses Memory;
  const std::function<bool(const llvm::LoadInst &)> MayReadFirst =
      [this](const llvm::LoadInst &Load) { return mayReadFirst(Load); };
  const std::function<bool(const llvm::LoadInst &)> MayReadSecond = [](const llvm::LoadInst &) {
    return true;
  };
  const std::function<bool(const llvm::LoadInst &)> IsChecked = [this](const llvm::LoadInst &Load) {
    return !isUnchecked(Load);
  };
  const std::function<bool(llvm::Instruction &)> IsKept = [this](llvm::Instruction &V) {
    return keeps(V);
  };
  LoopSlice First;
  CountingLoop Count;
  LoopSlice Second;
  llvm::SmallVector<const LoopAccess *, 8> Writes;
  llvm::DenseMap<const llvm::Instruction *, const LoopAccess *> Reads;
  /// Costs of computing values, beyond that of empty iterations.
  llvm::DenseMap<const llvm::Instruction *, std::optional<double>> Costs;
  /// Costs of the empty iterations of a loop in one iteration of L.
  llvm::DenseMap<const llvm::Loop *, double> EmptyCosts;
  llvm::DenseMap<const llvm::Loop *, bool> MayKeepIn;
  llvm::DenseMap<const llvm::LoadInst *, bool> HarmlessLoads;
  llvm::SmallSetVector<llvm::Instruction *, 8> Kept;
  HullDemands Demands;
  std::optional<HullInspector> Inspector;
  double FirstShare = 0; ///< of the work
};

} // namespace specrt

#endif
