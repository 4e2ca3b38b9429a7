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

/// The position of a loop, as far as the program gives it.
struct GivenPosition {
  std::optional<int64_t> Offset, Grain;
};
/// The positions of the outermost loop of a nest and of the loop inside.
using GivenPositions = std::array<GivenPosition, 2>;

/// Returns whether \p Nest has an offset or a grain from the program.
bool isAnyGiven(const GivenPositions &Nest);

/// Returns the positions of nests from the arguments of the annotation of specrt/pipeline.hpp:
/// outer offsets of all nests, then inner offsets, outer grains, inner grains. Returns nothing if
/// these are not equally many.
llvm::SmallVector<GivenPositions> positionsFrom(llvm::ArrayRef<int64_t> Arguments);

/// Adds an attribute to \p F which says that its loops are nests with these positions.
void placePipeline(llvm::Function &F, llvm::ArrayRef<GivenPositions> Nests);

/// Returns the positions that placePipeline() has added; nothing without such an attribute.
llvm::SmallVector<GivenPositions> placesOfPipeline(const llvm::Function &F);

} // namespace specrt

#endif
