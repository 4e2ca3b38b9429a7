//===- specializer/polyhedral/stencil/time_tile_sizes.h - chooses sizes of time tiles -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tall tiles read less from outside of the second cache, but are skewed more and so need more of
// it; wide tiles leave fewer for the workers; short rows pay for their ends. These costs are added
// up for every shape and size of a grid of candidates, with the actual numbers of steps, points and
// workers, and the least sum wins.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_STENCIL_TIME_TILE_SIZES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_STENCIL_TIME_TILE_SIZES_H

#include "specializer/polyhedral/schedule/tiling_target.h"
#include "specializer/polyhedral/stencil/wave_model.h"
#include <optional>
#include <vector>

namespace specrt {

/// A stencil nest as numbers.
struct StencilShape {
  struct Axis {
    long Points = 1;
    /// Skew of tiles per step; nothing: the axis cannot be cut.
    std::optional<long> Skew;
    /// Skew along the opposite diagonal.
    std::optional<long> MirroredSkew;
  };
  long Steps = 1;
  std::vector<Axis> Axes;  ///< outermost first; the last one is consecutive in memory
  long BytesPerPoint = 8;  ///< of all arrays
  unsigned Statements = 1; ///< visits of a point per step
  unsigned Accesses = 2;   ///< loads and stores per point and step, of all statements
  unsigned ElementBytes = 8;
  /// Number of rows of the last axis that advance side by side because the loop along it is not
  /// parallel; 1 if it is. Tiles hold whole groups of them.
  long RowsAtOnce = 1;
};

struct TimeTiles {
  TileShape Shape = TileShape::Pipelined; ///< along the first axis; the other axes are pipelined in
                                          ///< it
  long Height = 1;                        ///< steps; a diamond's follows from its width
  std::vector<long> Widths;               ///< points along each axis; 0: not cut
  double Seconds = 0;                     ///< the estimate of the whole nest
};

/// Returns the tiles that take the least time on \p Target. Nothing if the nest cannot be cut along
/// its first axis, or if a serial run is expected to gain nothing.
std::optional<TimeTiles> chooseTimeTiles(const StencilShape &Stencil, const TilingTarget &Target);

/// Returns the estimate for one choice; infinite if a tile does not fit the second cache.
double estimateSeconds(const StencilShape &Stencil, const TilingTarget &Target,
                       const TimeTiles &Tiles);

} // namespace specrt

#endif
