//===- specializer/polyhedral/contraction/regular_part.h - parts that suit kernels -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_REGULAR_PART_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_REGULAR_PART_H

#include "specializer/polyhedral/contraction/contraction.h"

namespace specrt {

// Lifted sets have the form { [t..., y] }: the first dimensions are the tile of an iteration of a
// contraction, the others its coordinates.

/// Returns the volume of the box around \p Lifted in the middle tile.
int64_t volume(const isl::set &Lifted, unsigned NumTiles);

/// Returns the part of \p Lifted whose k lie where no iteration of \p Unwanted in the same tile has
/// its own: a range of k, cut by one plane for each piece of \p Unwanted. Null if there are no such
/// planes or isl gave up.
isl::set reducedPartWithout(const Contraction &C, const isl::set &Lifted, const isl::set &Unwanted,
                            unsigned NumTiles);

/// Returns the part of \p Lifted in which all results of a tile have the same k, as one convex set.
/// Returns null if there is none or isl gave up.
isl::set regularPart(const Contraction &C, const isl::set &Lifted, unsigned NumTiles);

} // namespace specrt

#endif
