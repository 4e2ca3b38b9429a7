//===- specializer/polyhedral/schedule/legality.h - checks schedules against dependences -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_LEGALITY_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_LEGALITY_H

#include "isl/isl-noexceptions.h"

namespace polly {
class Dependences;
}

namespace specrt {

/// Returns all pairs of iterations whose order \p D fixes.
isl::union_map allOrders(const polly::Dependences &D);

/// Returns whether every pair of \p Validity goes forward in time; false if isl gives up. (Polly's
/// own check ends the process in this case.)
bool respects(const isl::schedule &Schedule, const isl::union_map &Validity);

/// Returns whether two iterations of a loop may form a pair of \p Conflicts, for fixed iterations
/// of the loops around it. The iterations are the last dimension of \p Schedule, { Stmt[x] -> [t] }
/// of all statements in the loop. True also if isl cannot tell within some operations.
bool mayConflict(const isl::union_map &Schedule, const isl::union_map &Conflicts);

} // namespace specrt

#endif
