//===- specializer/polyhedral/interleaving/nest_grains.h - chooses the grains of nests -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_INTERLEAVING_NEST_GRAINS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_INTERLEAVING_NEST_GRAINS_H

#include "specializer/polyhedral/interleaving/nest_positions.h"

namespace specrt {

/// Chooses the grains of the loops at \p Depth such that the nests advance through an array that
/// they have in common at the same speed: if one fills two rows per iteration and the next one
/// reads one, the first has grain 2. Grains that are not constants of 31 bits stay 1.
void chooseGrains(llvm::MutableArrayRef<PlacedNest> Nests, unsigned Depth);

} // namespace specrt

#endif
