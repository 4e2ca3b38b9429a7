//===- specializer/polyhedral/schedule/legality.cpp - checks schedules against dependences -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/schedule/legality.h"
#include "polly/DependenceInfo.h"
#include "polly/Support/GICHelper.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "isl/ctx.h"

namespace specrt {

/// Limit on isl operations to decide whether a loop is parallel.
static constexpr unsigned long MaxConflictOperations = 200'000;

isl::union_map allOrders(const polly::Dependences &D) {
  return D.getDependences(polly::Dependences::TYPE_RAW | polly::Dependences::TYPE_WAR |
                          polly::Dependences::TYPE_WAW);
}

bool respects(const isl::schedule &Schedule, const isl::union_map &Validity) {
  if (Schedule.is_null())
    return false;
  isl::union_map Time = Schedule.get_map();
  isl::set Range(Time.range());
  if (Range.is_null())
    return false;
  // The schedule must map every iteration to one time.
  if (!Schedule.get_domain().is_subset(Time.domain()).is_true() ||
      !Time.is_single_valued().is_true())
    return false;
  isl::map Forward = isl::map::lex_lt(Range.get_space());
  isl::union_map Ordered = Validity.apply_domain(Time).apply_range(Time);
  return Ordered.is_subset(isl::union_map(Forward)).is_true();
}

bool mayConflict(const isl::union_map &Schedule, const isl::union_map &Conflicts) {
  isl_ctx *const Ctx = Conflicts.ctx().get();
  bool None = false;
  {
    polly::IslMaxOperationsGuard Limit(Ctx, MaxConflictOperations);
    const isl::union_set All = Conflicts.apply_domain(Schedule).apply_range(Schedule).deltas();
    None = All.is_empty().is_true();
    if (All.is_empty().is_false()) {
      isl::set Between(All);
      const unsigned Depth = count(Between.tuple_dim());
      for (unsigned D = 0; D + 1 < Depth; ++D)
        Between = Between.fix_si(isl::dim::set, D, 0);
      None = Depth > 0 && Between.is_subset(Between.fix_si(isl::dim::set, Depth - 1, 0)).is_true();
    }
  }
  isl_ctx_reset_error(Ctx);
  return !None;
}

} // namespace specrt
