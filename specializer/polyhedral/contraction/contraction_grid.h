//===- specializer/polyhedral/contraction/contraction_grid.h - grids of tiles of contractions -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In T[i,j] = max(T[i,j], T[i,k] + T[k,j]) for i < k < j (RNA folding, matrix chains, parsing) the
// operands are results of the same contraction, to the left and below. No cut along a single
// dimension leaves a block that is independent of its tile; cuts along rows and columns together
// do:
//
//   for tiles of rows, for tiles of columns
//     all k between the two tiles                       a kernel
//     the other k, and all other statements, by rows:
//       for i, for k
//         what completes T[i,k]
//         for j: T[i,j] = max(T[i,j], T[i,k] + ...)     independent, neighbours in memory
//
// This reorders updates of one element, so it requires operations that commute
// (commuting_updates.h).
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_GRID_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_GRID_H

#include "specializer/polyhedral/contraction/contraction_blocks.h"
#include "specializer/polyhedral/schedule/tiling_target.h"

namespace specrt {

/// Returns the schedule of \p S with two of its loops cut in this way, or null. The caller must
/// check the order of the pairs of \p Validity. With Target.Threads > 1 the tiles on a diagonal
/// form a parallel loop.
isl::schedule scheduleGrid(polly::Scop &S, const isl::union_map &Validity,
                           const TilingTarget &Target, ContractionMarks &Marks);

/// Returns the order by rows without tiles and kernels, for nests that are too small for blocks. It
/// respects the order of all pairs of \p Validity. Null if there is none, or isl gave up after \p
/// MaxOperations.
isl::schedule scheduleRows(polly::Scop &S, const isl::union_map &Validity,
                           unsigned long MaxOperations);

} // namespace specrt

#endif
