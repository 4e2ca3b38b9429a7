//===- specializer/polyhedral/interleaving/block_sizes.h - how much nests do in turn ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_INTERLEAVING_BLOCK_SIZES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_INTERLEAVING_BLOCK_SIZES_H

#include "specializer/polyhedral/interleaving/nest_positions.h"
#include "specializer/polyhedral/schedule/tiling_target.h"
#include <string>

namespace specrt {

/// Positions of a block along the outermost loop, and along the second one where that is cut.
struct TurnBlocks {
  llvm::SmallVector<int64_t, 2> Sizes;
};

/// Returns the blocks for which a cache of \p Target holds what \p Nests, which are placed, access
/// in one of them: the largest of its first two caches that does not hold all that they access in
/// one iteration of the loops \p Outer around them, where the caches of all threads count together.
/// Nothing, with the reason in \p Why, if the nests access nothing in common, if the first cache
/// holds everything, if the last nest begins when the first is half done, or if no block is small
/// enough.
std::optional<TurnBlocks> chooseBlocks(llvm::ArrayRef<PlacedNest> Nests,
                                       const isl::multi_union_pw_aff &Outer,
                                       const TilingTarget &Target, std::string &Why);

} // namespace specrt

#endif
