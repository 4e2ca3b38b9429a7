//===- specializer/polyhedral/interleaving/block_sizes.h - blocks of interleaved nests ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_INTERLEAVING_BLOCK_SIZES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_INTERLEAVING_BLOCK_SIZES_H

#include "specializer/polyhedral/interleaving/nest_positions.h"
#include "specializer/polyhedral/schedule/tiling_target.h"
#include <string>

namespace specrt {

/// The positions of a block along the outermost loop, and along the second one if that is cut.
struct TurnBlocks {
  llvm::SmallVector<int64_t, 2> Sizes;
};

/// Returns blocks such that a cache of \p Target holds all data that \p Nests, which are placed,
/// access in a block. The cache is the larger of the first two that does not hold all data that
/// they access in one iteration of the loops \p Outer around them; the caches of all threads count
/// together. Returns nothing, with the reason in \p Why, if the nests access no common array, if
/// the first cache holds everything, if the last nest begins when the first one is half done, or if
/// no block is small enough.
std::optional<TurnBlocks> chooseBlocks(llvm::ArrayRef<PlacedNest> Nests,
                                       const isl::multi_union_pw_aff &Outer,
                                       const TilingTarget &Target, std::string &Why);

} // namespace specrt

#endif
