//===- specializer/polyhedral/interleaving/nest_grains.h - how fast nests advance ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_INTERLEAVING_NEST_GRAINS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_INTERLEAVING_NEST_GRAINS_H

#include "specializer/polyhedral/interleaving/nest_positions.h"

namespace specrt {

/// Chooses the grains of the loops at \p Depth such that the nests advance through an array that
/// they have in common at the same speed: where one fills two rows per iteration and the next
/// reads one, the first has grain 2. Grains stay 1 where that is not a constant of 31 bits.
void chooseGrains(llvm::MutableArrayRef<PlacedNest> Nests, unsigned Depth);

} // namespace specrt

#endif
