//===- specializer/polyhedral/stencil/time_tile_sizes.h - how large tiles should be -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tall tiles read less from outside the second cache, but are skewed more and so need more of it;
// wide ones leave fewer for the workers; short rows pay for their ends. The costs of these are
// added up for every shape and size from a grid of candidates, with the actual numbers of steps,
// points and workers, and the least sum wins.
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
    /// By how much tiles are skewed per step; nothing: the axis cannot be cut.
    std::optional<long> Skew;
    /// The same for the opposite diagonal.
    std::optional<long> MirroredSkew;
  };
  long Steps = 1;
  std::vector<Axis> Axes;  ///< outermost first; the last one is consecutive in memory
  long BytesPerPoint = 8;  ///< of all arrays
  unsigned Statements = 1; ///< visits of a point per step
  unsigned Accesses = 2;   ///< loads and stores per point and step, of all statements
  unsigned ElementBytes = 8;
  /// Rows of the last axis that advance side by side because the loop along it is not parallel; 1:
  /// it is. Tiles hold whole groups of them.
  long RowsAtOnce = 1;
};

struct TimeTiles {
  TileShape Shape = TileShape::Pipelined; ///< along the first axis; others are pipelined in it
  long Height = 1;                        ///< steps; a diamond's follows from its width
  std::vector<long> Widths;               ///< points along each axis; 0: not cut
  double Seconds = 0;                     ///< the estimate of the whole nest
};

/// The tiles that take least time on \p Target. Nothing when the nest cannot be cut along its first
/// axis or when a serial run is expected to gain nothing.
std::optional<TimeTiles> chooseTimeTiles(const StencilShape &Stencil, const TilingTarget &Target);

/// The estimate for one choice; infinite when a tile does not fit the second cache.
double estimateSeconds(const StencilShape &Stencil, const TilingTarget &Target,
                       const TimeTiles &Tiles);

} // namespace specrt

#endif
