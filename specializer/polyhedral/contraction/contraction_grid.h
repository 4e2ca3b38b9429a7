//===- specializer/polyhedral/contraction/contraction_grid.h - of their own results -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In T[i,j] = max(T[i,j], T[i,k] + T[k,j]) for i < k < j (folding of RNA, chains of matrices,
// parsing) the operands are results of the same contraction, to the left and below. No single
// dimension can be cut so that a block remains that depends on nothing of its tile; rows and
// columns together can:
//
//   for tiles of rows, for tiles of columns
//     all k between the two tiles                       a kernel
//     the other k, and all other statements, by rows:
//       for i, for k
//         what completes T[i,k]
//         for j: T[i,j] = max(T[i,j], T[i,k] + ...)     independent, neighbours in memory
//
// This moves updates of one element across each other, so it needs operations whose order is free
// (commuting_updates.h).
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_GRID_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_GRID_H

#include "specializer/polyhedral/contraction/contraction_blocks.h"
#include "specializer/polyhedral/schedule/tiling_target.h"

namespace specrt {

/// The schedule of \p S with two of its loops cut in this way, or null. The order of the pairs of
/// \p Validity remains to be checked. With Target.Threads > 1 tiles on a diagonal are one loop that
/// is parallel.
isl::schedule scheduleGrid(polly::Scop &S, const isl::union_map &Validity,
                           const TilingTarget &Target, ContractionMarks &Marks);

/// The order by rows without tiles, which needs no kernel: for nests that are too small for blocks.
/// It respects the order of all pairs of \p Validity. Null when there is none, or isl gave up after
/// \p MaxOperations.
isl::schedule scheduleRows(polly::Scop &S, const isl::union_map &Validity,
                           unsigned long MaxOperations);

} // namespace specrt

#endif
