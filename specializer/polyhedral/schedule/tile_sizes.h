//===- specializer/polyhedral/schedule/tile_sizes.h - tile sizes for caches -===//
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

/// Returns the iterations of the vectorised loop per tile, a multiple of the vector length and at
/// least that, if \p Share of \p CacheBytes is available and registers have \p VectorBytes.
long vectorTile(const VectorLoop &Loop, unsigned long CacheBytes, unsigned VectorBytes,
                double Share = 1);

/// Returns the iterations of the outermost loop per tile: the ratio of the second cache to the
/// first, at least 1.
long outerTile(unsigned long FirstCacheBytes, unsigned long SecondCacheBytes);

} // namespace specrt

#endif
