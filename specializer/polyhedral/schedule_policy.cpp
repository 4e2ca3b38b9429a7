//===- specializer/polyhedral/schedule_policy.cpp - the interface of schedule policies -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/schedule_policy.h"
#include "specializer/polyhedral/polyhedral.h"
#include "specializer/polyhedral/schedule/legality.h"

#include <utility>

namespace specrt {
namespace {

class SourcePolicy final : public SchedulePolicy {};

} // namespace

const std::optional<RelaxedOrder> &ScopModel::relaxed() {
  if (!std::exchange(HasRelaxed, true))
    Relaxed = relaxUpdates(S, MaxOperations);
  return Relaxed;
}

NewSchedule ScopModel::byOrders(
    llvm::function_ref<NewSchedule(const isl::union_map &Validity, bool HasFreeUpdates)> Try) {
  const isl::union_map All = allOrders(dependences());
  if (const std::optional<RelaxedOrder> &Free = relaxed()) {
    NewSchedule New = Try(Free->Validity, /*HasFreeUpdates=*/true);
    if (!New.Schedule.is_null()) {
      // Polly's dependences start at the last writer in the old order.
      New.Conflicts = Free->Conflicts;
      return New;
    }
  }
  return Try(All, /*HasFreeUpdates=*/false);
}

NewSchedule SchedulePolicy::schedule(ScopModel &) const {
  NewSchedule New;
  New.IsSource = true;
  return New;
}

const SchedulePolicy &PolyhedralOptions::first() const {
  static constexpr SourcePolicy Source;
  return Schedule ? *Schedule : Source;
}

} // namespace specrt
