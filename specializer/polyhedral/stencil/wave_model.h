//===- specializer/polyhedral/stencil/wave_model.h - models tiles that run in waves -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time tiles depend on each other; independent ones form a wave. The shape determines the number of
// waves and their numbers of tiles:
//
//   pipelined    floor(t / h), floor((x + skew t) / w): always legal, waves start and end narrow
//   diamond      floor((skew t + x) / w), floor((skew t - x) / w): every wave has full width
//
// Where the sides skew as far as a tile is wide, the pipelined width is limited by N/(w + h) and by
// T/h: work must grow in both dimensions to keep more workers busy. ("Tilings that scale",
// IMPACT 2013, which this file follows with the actual numbers of steps, points and workers.)
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_STENCIL_WAVE_MODEL_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_STENCIL_WAVE_MODEL_H

#include <cstddef>
#include <vector>

namespace specrt {

enum class TileShape { Pipelined, Diamond };

/// One axis of space and time.
struct WaveProblem {
  long Points = 1; ///< along the axis
  long Steps = 1;
  long Skew = 1; ///< points by which a side moves per step; of diamonds, each side
};

/// The tiles of a shape, wave by wave.
class WaveProfile {
public:
  /// Returns the profile of tiles \p Width points wide and \p Height steps high; a diamond's height
  /// follows from its width. All numbers are positive.
  static WaveProfile of(TileShape Shape, const WaveProblem &Problem, long Width, long Height);

  long waves() const { return static_cast<long>(Widths.size()); }
  long tiles() const;
  /// Returns the number of tiles of the widest wave.
  long largest() const;
  /// Returns the number of tiles of one wave.
  long width(long Wave) const { return Widths[static_cast<size_t>(Wave)]; }
  /// Returns the share of the tiles in waves of at least \p Workers tiles.
  double fullShare(long Workers) const;
  /// Returns the points of all tiles, in units of a whole tile: diamonds at the edges of space and
  /// time are cut, pipelined tiles count as whole.
  double wholeTiles() const;
  /// Returns the time of all waves on \p Workers workers, with greedy scheduling of the tiles of a
  /// wave and a barrier after it. A whole tile takes \p TileSeconds.
  double seconds(long Workers, double TileSeconds, double BarrierSeconds) const;

private:
  /// The fractions of whole tiles in a wave of diamonds.
  struct Cut {
    double First = 1, Last = 1; ///< at the edges of space; a single tile has both
    double All = 1;             ///< at the edges of time, for every tile
    double wholeTiles(long Tiles) const;
    double rounds(long Tiles, long Workers) const;
  };
  Cut cut(size_t Wave) const { return Cuts.empty() ? Cut() : Cuts[Wave]; }

  std::vector<long> Widths;
  std::vector<Cut> Cuts; ///< empty: nothing is cut
};

} // namespace specrt

#endif
