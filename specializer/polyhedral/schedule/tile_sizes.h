//===- specializer/polyhedral/schedule/tile_sizes.h - how many points fit a cache -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "SIMD- and cache-specific tile sizes" (IMPACT 2013): the vectorised loop is cut so that the
// vectors of all references that move with it fit the first cache, the outermost loop by the ratio
// of the second cache to the first; loops between them are not cut.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_TILE_SIZES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_TILE_SIZES_H

namespace specrt {

struct VectorLoop {
  unsigned References = 1;   ///< distinct addresses that move with the loop; 0 counts as 1
  unsigned ElementBytes = 8; ///< of the widest element
};

/// Iterations of the vectorised loop per tile, a multiple of the vector length and at least that,
/// when \p Share of \p CacheBytes is for it and registers are \p VectorBytes wide.
long vectorTile(const VectorLoop &Loop, unsigned long CacheBytes, unsigned VectorBytes,
                double Share = 1);

/// Iterations of the outermost loop per tile: how many first caches the second one holds, at
/// least 1.
long outerTile(unsigned long FirstCacheBytes, unsigned long SecondCacheBytes);

} // namespace specrt

#endif
