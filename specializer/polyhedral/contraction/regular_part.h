//===- specializer/polyhedral/contraction/regular_part.h - what makes kernels -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_REGULAR_PART_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_REGULAR_PART_H

#include "specializer/polyhedral/contraction/contraction.h"

namespace specrt {

// Lifted sets, { [t..., y] }: the first dimensions say in which tile an iteration of a contraction
// is, the others are its coordinates.

/// Size of the box around the part of \p Lifted in the tile in the middle.
int64_t volume(const isl::set &Lifted, unsigned NumTiles);

/// The part of \p Lifted whose k lie where no iteration of \p Unwanted in the same tile has its
/// own: a range of k, cut by one plane for each piece of \p Unwanted. Null when there are no such
/// planes or isl gave up.
isl::set reducedPartWithout(const Contraction &C, const isl::set &Lifted, const isl::set &Unwanted,
                            unsigned NumTiles);

/// The part of \p Lifted where all results of a tile have the same k, as one convex set. Null when
/// there is none or isl gave up.
isl::set regularPart(const Contraction &C, const isl::set &Lifted, unsigned NumTiles);

} // namespace specrt

#endif
