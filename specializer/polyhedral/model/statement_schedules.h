//===- specializer/polyhedral/model/statement_schedules.h - schedules of statements -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_STATEMENT_SCHEDULES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_STATEMENT_SCHEDULES_H

#include "isl/isl-noexceptions.h"

namespace specrt {

/// Returns { Stmt[i] -> [t] } from \p All, the schedule of a Scop, for the iterations in \p Domain.
/// Returns null if there are none, or isl gives up. ScopStmt::getSchedule must not be used where
/// that can happen, as it does not check isl's results; it also recomputes \p All each time.
isl::map scheduleOf(const isl::union_map &All, const isl::set &Domain);

} // namespace specrt

#endif
