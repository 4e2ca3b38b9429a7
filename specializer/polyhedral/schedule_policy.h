//===- specializer/polyhedral/schedule_policy.h - the interface of schedule policies -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modelling and code generation do not depend on how a Scop is reordered (scop_pipeline.h). A
// policy decides what does: which model it needs, and which schedule it makes of it. The policies
// are in specializer/strategies/.
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

/// The result of a policy for a Scop.
struct NewSchedule {
  /// Null if the policy finds nothing or isl gave up; Note then says why.
  isl::schedule Schedule;
  /// Keeps the order of the source: no new schedule, and no failure.
  bool IsSource = false;
  std::string Note; ///< describes the schedule, or says why there is none
  /// All pairs that must not run at the same time, if Polly's dependences do not express that; null
  /// unless updates were reordered.
  isl::union_map Conflicts;
  /// The Scop suits the policy; whether it pays depends on the number of workers.
  bool DependsOnWorkers = false;
  std::shared_ptr<const void> Marks; ///< objects that the marks in Schedule point to
  /// Statements that become kernels. Their marks hold addresses of operands, so arrays that they
  /// access must not be compacted.
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
  const unsigned long MaxOperations; ///< limit on isl for one step of a policy
  polly::DependenceAnalysis::Result Dependences;
  bool HasDependences = false; ///< they were computed, within the limits
  NameOfArray Names = nullptr;

  /// Returns the dependences between iterations of statements.
  const polly::Dependences &dependences() {
    return Dependences.getDependences(polly::Dependences::AL_Statement);
  }

  /// Must be called after accesses were changed.
  void forgetDependences() {
    Dependences.abandonDependences();
    HasRelaxed = false;
    Relaxed.reset();
  }

  /// Returns the dependences without those between commuting updates, computed once; nothing if
  /// that frees no order.
  const std::optional<RelaxedOrder> &relaxed();

  /// Serves policies that only need \p Validity, the pairs whose order is fixed: calls \p Try
  /// without the pairs of commuting updates first, then with all pairs. The schedule is null if
  /// both attempts fail.
  NewSchedule byOrders(
      llvm::function_ref<NewSchedule(const isl::union_map &Validity, bool HasFreeUpdates)> Try);

private:
  bool HasRelaxed = false; ///< whether it was tried
  std::optional<RelaxedOrder> Relaxed;
};

/// The default implementations keep the order of the source. Policies are stateless objects that
/// live as long as the process, and have no destructor to run at its end.
class SchedulePolicy {
public:
  /// Returns whether values of different iterations should be in different places
  /// (expand_storage.h), where loops may become \p Parallel. Policies with equal results may share
  /// models.
  virtual bool expandsStorage(bool Parallel) const { return false; }

  /// Returns whether its schedules may keep outermost loops as they are, so that arrays can be
  /// private in them (private_arrays.h). Only called if expandsStorage().
  virtual bool mayKeepOutermostLoops(bool Parallel) const { return false; }

  /// Returns whether its schedules may shorten the lifetimes of values in arrays, so that these
  /// need less memory (transient_arrays.h). Only called if expandsStorage().
  virtual bool mayCompactStorage() const { return false; }
  /// Returns whether it interleaves nests, so that an array between them is never full. Only called
  /// if mayCompactStorage().
  virtual bool interleavesNests() const { return false; }

  /// Checks what is known, possibly only the loops, before the costly phases: returns false, with
  /// the reason in \p Why, if the policy will find nothing.
  virtual bool mayFit(ScopModel &Model, std::string &Why) const { return true; }

  /// Returns its schedule of a Scop with known dependences. isl may be interrupted.
  virtual NewSchedule schedule(ScopModel &Model) const;

protected:
  ~SchedulePolicy() = default;
};

} // namespace specrt

#endif
