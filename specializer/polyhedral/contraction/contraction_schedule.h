//===- specializer/polyhedral/contraction/contraction_schedule.h - made of blocks -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds contractions in a Scop and schedules them so that as much as possible of each becomes
// blocks for the kernel (contraction_kernel.h). If iterations depend on each other only along k and
// the range of k is constant, one block contains everything. Otherwise one dimension is cut into
// tiles (contraction_cut.h).
//
// The finished schedule is checked against the dependences.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_SCHEDULE_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_SCHEDULE_H

#include "specializer/polyhedral/contraction/contraction_blocks.h"
#include "specializer/polyhedral/schedule/tiling_target.h"
#include "isl/isl-noexceptions.h"

namespace polly {
class Scop;
}

namespace specrt {

struct ContractionSchedule {
  isl::schedule Schedule; ///< null: no contraction, or isl gave up
  /// The objects that the marks in Schedule point to.
  ContractionMarks Marks;
};

/// Returns a schedule of \p S that respects the order of all pairs of \p Validity. With
/// Target.Threads > 1 blocks are cut for that many workers by a loop that Polly finds parallel.
/// With \p HasFreeUpdates, first tries contractions of their own results (contraction_grid.h). isl
/// may use \p MaxOperations.
ContractionSchedule scheduleContractions(polly::Scop &S, const isl::union_map &Validity,
                                         bool HasFreeUpdates, const TilingTarget &Target,
                                         unsigned long MaxOperations);

} // namespace specrt

#endif
