//===- specializer/polyhedral/schedule/tile_sizes.cpp - tile sizes for caches -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "specializer/polyhedral/schedule/tile_sizes.h"
#include <algorithm>

namespace specrt {

long vectorTile(const VectorLoop &Loop, unsigned long CacheBytes, unsigned VectorBytes,
                double Share) {
  double PerVector = static_cast<double>(VectorBytes) * std::max(1U, Loop.References);
  long Vectors = static_cast<long>(Share * static_cast<double>(CacheBytes) / PerVector);
  long Lanes = std::max(1U, VectorBytes / std::max(1U, Loop.ElementBytes));
  return std::max(1L, Vectors) * Lanes;
}

long outerTile(unsigned long FirstCacheBytes, unsigned long SecondCacheBytes) {
  return static_cast<long>(std::max(1UL, SecondCacheBytes / std::max(1UL, FirstCacheBytes)));
}

} // namespace specrt
