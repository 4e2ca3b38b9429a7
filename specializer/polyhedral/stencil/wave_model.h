//===- specializer/polyhedral/stencil/wave_model.h - how well tiles run in waves -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that span several time steps depend on each other; those that do not form a wave. A shape
// decides how many waves there are and how many tiles each has:
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
  long Skew = 1; ///< points by which a side moves per step; for diamonds on either side
};

/// The tiles of a shape, wave by wave.
class WaveProfile {
public:
  /// Tiles \p Width points wide and \p Height steps high; a diamond's height follows from its
  /// width. All numbers are positive.
  static WaveProfile of(TileShape Shape, const WaveProblem &Problem, long Width, long Height);

  long waves() const { return static_cast<long>(Widths.size()); }
  long tiles() const;
  /// Tiles of the widest wave.
  long largest() const;
  /// Tiles of one wave.
  long width(long Wave) const { return Widths[static_cast<size_t>(Wave)]; }
  /// Which part of the tiles belongs to waves of at least \p Workers tiles.
  double fullShare(long Workers) const;
  /// The points of all tiles, in those of a whole tile: diamonds at the edges of space and time are
  /// cut, pipelined tiles count as whole.
  double wholeTiles() const;
  /// Time of all waves: each runs its tiles, one after another whoever is free, on \p Workers
  /// workers, all of which then meet. A whole tile takes \p TileSeconds.
  double seconds(long Workers, double TileSeconds, double BarrierSeconds) const;

private:
  /// Which parts of its tiles a wave of diamonds holds.
  struct Cut {
    double First = 1, Last = 1; ///< at the edges of space; of the only tile both
    double All = 1;             ///< at the edges of time, of every tile
    double wholeTiles(long Tiles) const;
    double rounds(long Tiles, long Workers) const;
  };
  Cut cut(size_t Wave) const { return Cuts.empty() ? Cut() : Cuts[Wave]; }

  std::vector<long> Widths;
  std::vector<Cut> Cuts; ///< none: nothing is cut
};

} // namespace specrt

#endif
