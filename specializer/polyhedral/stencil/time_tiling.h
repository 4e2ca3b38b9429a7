//===- specializer/polyhedral/stencil/time_tiling.h - tiles stencils over several time steps -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stencil that does not fit the cache reads every point from memory once per step. Here the grid
// is cut into tiles that span several steps, so that a point stays in the cache for all of them:
//
//   for t/Tt, phi_i/Ti, phi_j/Tj     tiles; phi: coordinates that no dependence decreases
//     for t                          the nest as it was written, restricted to the tile
//       for i, for j: S
//       for i, for j: R
//
// Inside of a tile nothing is reordered or skewed: the innermost loop stays the one along
// consecutive addresses, and each statement keeps its own loops, which LLVM vectorises.
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
  isl::schedule Schedule; ///< null: none pays, or isl gave up
  bool IsStencil = false; ///< the Scop is a stencil nest, whether or not tiling pays
  std::optional<TimeTiles> Tiles;
  std::string Note; ///< describes the tiles, or says why there are none
};

/// Returns tiles of \p S, which must be a stencil nest, that span several steps and respect the
/// dependences \p D: \p Given, or those with the least estimated time if it is null. With
/// Target.Threads > 1 the tiles of a wave form a parallel loop. isl gives up after \p
/// MaxOperations.
TimeTiling tileTime(polly::Scop &S, const polly::Dependences &D, const TilingTarget &Target,
                    const TimeTiles *Given, unsigned long MaxOperations);

/// Checks loops and statements, and the dependences \p D unless null, before the costly phases:
/// returns false, with the reason in \p Why, if \p S cannot be a stencil nest.
bool mayBeStencil(polly::Scop &S, const polly::Dependences *D, unsigned long MaxOperations,
                  std::string &Why);

} // namespace specrt

#endif
