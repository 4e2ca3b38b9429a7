//===- specializer/polyhedral/stencil/time_tiling.h - tiles that span several time steps -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stencil that does not fit the cache reads every point from memory once per step. Here the grid
// is cut into tiles that span several steps, so that a point stays in the cache for as many:
//
//   for t/Tt, phi_i/Ti, phi_j/Tj     tiles; phi: coordinates that no dependence decreases
//     for t                          the nest as it was written, restricted to the tile
//       for i, for j: S
//       for i, for j: R
//
// Inside a tile nothing is reordered or skewed: the innermost loop stays the one along consecutive
// addresses, and each statement keeps loops of its own that LLVM vectorises.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_STENCIL_TIME_TILING_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_STENCIL_TIME_TILING_H

#include "specializer/polyhedral/schedule/tiling_target.h"
#include "specializer/polyhedral/stencil/time_tile_sizes.h"
#include "isl/isl-noexceptions.h"
#include <string>

namespace polly {
class Dependences;
class Scop;
} // namespace polly

namespace specrt {

struct TimeTiling {
  isl::schedule Schedule; ///< null: there is none that pays, or isl gave up
  bool IsStencil = false; ///< the Scop is a stencil nest, whether or not tiling pays
  std::optional<TimeTiles> Tiles;
  std::string Note; ///< describes the tiles, or says why there are none
};

/// Tiles of \p S, a stencil nest as a whole, that span several steps and respect the dependences
/// \p D: \p Given, or those that should take least time when it is null. With Target.Threads > 1
/// the tiles of a wave are a parallel loop. isl gives up after \p MaxOperations.
TimeTiling tileTime(polly::Scop &S, const polly::Dependences &D, const TilingTarget &Target,
                    const TimeTiles *Given, unsigned long MaxOperations);

/// A quick look at loops and statements, and at the dependences \p D where they are known (may be
/// null), before the costly phases: false, with the reason in \p Why, when \p S cannot be a stencil
/// nest.
bool mayBeStencil(polly::Scop &S, const polly::Dependences *D, unsigned long MaxOperations,
                  std::string &Why);

} // namespace specrt

#endif
