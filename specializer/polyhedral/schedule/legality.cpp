//===- specializer/polyhedral/schedule/legality.cpp - is a schedule legal? ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/schedule/legality.h"
#include "polly/DependenceInfo.h"

namespace specrt {

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
  // A pair without a place in the new order would be no pair of it.
  if (!Schedule.get_domain().is_subset(Time.domain()).is_true() ||
      !Time.is_single_valued().is_true())
    return false;
  isl::map Forward = isl::map::lex_lt(Range.get_space());
  isl::union_map Ordered = Validity.apply_domain(Time).apply_range(Time);
  return Ordered.is_subset(isl::union_map(Forward)).is_true();
}

} // namespace specrt
