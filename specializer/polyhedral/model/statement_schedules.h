//===- specializer/polyhedral/model/statement_schedules.h - when statements execute ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_STATEMENT_SCHEDULES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_STATEMENT_SCHEDULES_H

#include "isl/isl-noexceptions.h"

namespace specrt {

/// { Stmt[i] -> [t] } out of \p All, the schedule of a Scop, for the iterations in \p Domain. Null
/// where there are none, or isl gives up. ScopStmt::getSchedule may not be asked where that can
/// happen: it takes the answers of isl for granted. It also makes \p All anew each time.
isl::map scheduleOf(const isl::union_map &All, const isl::set &Domain);

} // namespace specrt

#endif
