//===- specializer/polyhedral/model/statement_schedules.cpp - schedules of statements -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/model/statement_schedules.h"
#include "polly/Support/ISLTools.h"

namespace specrt {

isl::map scheduleOf(const isl::union_map &All, const isl::set &Domain) {
  isl::map Only;
  for (isl::map Each : All.intersect_domain(isl::union_set(Domain)).get_map_list()) {
    if (!Only.is_null())
      return {};
    Only = Each;
  }
  return Only;
}

} // namespace specrt
