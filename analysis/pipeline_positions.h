//===- analysis/pipeline_positions.h - where a program places nests that take turns ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// specrt/pipeline.hpp lets a program say where the loops of its nests lie on their common
// referential domain. The plugin puts that into an attribute of the region's function, from which
// the specializer reads it.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_PIPELINE_POSITIONS_H
#define SPECRT_ANALYSIS_PIPELINE_POSITIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <optional>

namespace llvm {
class Function;
}

namespace specrt {

/// Where a loop lies, as far as the program says it.
struct GivenPosition {
  std::optional<int64_t> Offset, Grain;
};
/// Of the outermost loop of a nest and the one inside.
using GivenPositions = std::array<GivenPosition, 2>;

/// The positions from the arguments of the annotation of specrt/pipeline.hpp: outer offsets of all
/// nests, then inner offsets, outer grains, inner grains. Empty if these are not as many.
llvm::SmallVector<GivenPositions> positionsFrom(llvm::ArrayRef<int64_t> Arguments);

/// Notes at \p F that its loops are nests with these positions.
void placePipeline(llvm::Function &F, llvm::ArrayRef<GivenPositions> Nests);

/// Returns what placePipeline() has noted; empty without such a note.
llvm::SmallVector<GivenPositions> placesOfPipeline(const llvm::Function &F);

} // namespace specrt

#endif
