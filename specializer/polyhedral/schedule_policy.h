//===- specializer/polyhedral/schedule_policy.h - what decides about an order -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modelling and code generation are the same whatever becomes of a Scop's order (scop_pipeline.h).
// What differs from policy to policy is asked here: which model it needs, and which schedule it
// makes of it. The policies themselves are in specializer/strategies/.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_POLICY_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_POLICY_H

#include "polly/DependenceInfo.h"
#include "specializer/polyhedral/contraction/commuting_updates.h"
#include "specializer/polyhedral/schedule/array_name.h"
#include "specializer/polyhedral/schedule/tiling_target.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "isl/isl-noexceptions.h"
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class TargetTransformInfo;
} // namespace llvm

namespace specrt {

/// What a policy made of a Scop.
struct NewSchedule {
  /// Null, and Note says why: the policy finds nothing, or isl gave up.
  isl::schedule Schedule;
  /// The order of the source is wanted: no new schedule, and no failure.
  bool IsSource = false;
  std::string Note; ///< describes the schedule, or says why there is none
  /// All pairs that must not run at the same time, where Polly's dependences do not say that: null
  /// unless updates changed their order.
  isl::union_map Conflicts;
  /// The Scop is what the policy looks for; whether it pays depends on the number of workers.
  bool DependsOnWorkers = false;
  std::shared_ptr<const void> Marks; ///< what the marks in Schedule point to
  /// Statements that become kernels. Their marks hold the addresses of operands, so that arrays
  /// which they access must not be compacted.
  llvm::SmallVector<const polly::ScopStmt *, 4> Kernels;
};

/// A Scop as policies see it.
class ScopModel {
public:
  ScopModel(polly::Scop &S, llvm::TargetTransformInfo &TTI, const TilingTarget &Target,
            unsigned long MaxOperations)
      : S(S), TTI(TTI), Target(Target), MaxOperations(MaxOperations),
        Dependences(polly::runDependenceAnalysis(S)) {}

  polly::Scop &S;
  llvm::TargetTransformInfo &TTI;
  const TilingTarget &Target;
  const unsigned long MaxOperations; ///< of isl, for one step of a policy
  polly::DependenceAnalysis::Result Dependences;
  bool HasDependences = false; ///< they were computed, within the limits
  NameOfArray Names = nullptr;

  /// Those between iterations of statements.
  const polly::Dependences &dependences() {
    return Dependences.getDependences(polly::Dependences::AL_Statement);
  }

  /// To be called when accesses have changed.
  void forgetDependences() {
    Dependences.abandonDependences();
    HasRelaxed = false;
    Relaxed.reset();
  }

  /// The dependences without those between updates that commute, computed once; nothing when no
  /// order becomes free by that.
  const std::optional<RelaxedOrder> &relaxed();

  /// For a policy that needs no more than \p Validity, the pairs whose order is fixed: tries
  /// without the pairs of updates that commute first, then with all. Null when both are.
  NewSchedule byOrders(
      llvm::function_ref<NewSchedule(const isl::union_map &Validity, bool HasFreeUpdates)> Try);

private:
  bool HasRelaxed = false; ///< it was tried
  std::optional<RelaxedOrder> Relaxed;
};

/// Every answer here is that of a policy which keeps the order of the source. Objects live as long
/// as the process and hold no state: they have no destructor to run at its end.
class SchedulePolicy {
public:
  /// Does it want values of different iterations in different places (expand_storage.h), where
  /// loops may become \p Parallel? Policies that answer alike may share models.
  virtual bool expandsStorage(bool Parallel) const { return false; }

  /// May its schedules keep outermost loops as they are, so that arrays can be private in them
  /// (private_arrays.h)? Only policies that expand storage are asked.
  virtual bool mayKeepOutermostLoops(bool Parallel) const { return false; }

  /// May its schedules shorten the time for which arrays hold values, so that these need less
  /// memory (transient_arrays.h)? Only policies that expand storage are asked.
  virtual bool mayCompactStorage() const { return false; }
  /// Does it run nests in turn, so that an array between them is never full? Only policies that may
  /// compact storage are asked.
  virtual bool interleavesNests() const { return false; }

  /// A look at what is known, which may be only the loops, before the costly phases: false, with
  /// the reason in \p Why, when the policy will find nothing.
  virtual bool mayFit(ScopModel &Model, std::string &Why) const { return true; }

  /// Its schedule of a Scop whose dependences are known. isl may be interrupted.
  virtual NewSchedule schedule(ScopModel &Model) const;

protected:
  ~SchedulePolicy() = default;
};

} // namespace specrt

#endif
