//===- specializer/polyhedral/schedule/extended_tree.h - statements at the end of loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_EXTENDED_TREE_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_EXTENDED_TREE_H

#include "isl/isl-noexceptions.h"

namespace specrt {

/// A statement that runs at the end of each iteration of a loop.
struct LoopEnd {
  /// Statements in the loop, all of which begin with the counters of the loops around it.
  isl::union_set Inside;
  /// Number of loops around the end of an iteration, at least 1. They are the first dimensions of
  /// New, and of the statements in Inside.
  unsigned Depth;
  isl::set New; ///< { New[x] }; further dimensions are loops of its own
};

/// Returns \p Schedule with the statement of \p End. Null if the statements in End.Inside do not
/// have the loops in common, if some loop does not count a dimension, or if isl gave up.
isl::schedule addAtLoopEnd(const isl::schedule &Schedule, const LoopEnd &End);

} // namespace specrt

#endif
