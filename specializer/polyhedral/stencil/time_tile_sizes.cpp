//===- specializer/polyhedral/stencil/time_tile_sizes.cpp - chooses sizes of time tiles -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "specializer/polyhedral/stencil/time_tile_sizes.h"
#include "specializer/polyhedral/schedule/tile_sizes.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace specrt {
namespace {

// Measured on a machine of 2024 (jacobi-2d, heat-3d and fdtd-2d on Zen 5). Only their ratios
// matter.
constexpr double SecondsPerAccess = 35e-12; ///< of a vectorised loop in the second cache
constexpr double FirstCacheGain = 0.7;      ///< when a tile fits the first one
constexpr double SecondsPerL3Byte = 30e-12;
constexpr double SecondsPerMemoryByte = 100e-12;
constexpr double SecondsPerRow = 10e-9; ///< entering a vectorised loop and its remainder
constexpr double SecondsPerBarrier = 5e-6;

constexpr long MaxHeight = 256;

/// Limit on modelled tiles along one axis; further tiles repeat these.
constexpr long MaxTilesModelled = 4096;

constexpr double Never = std::numeric_limits<double>::infinity();

double real(long Value) { return static_cast<double>(Value); }

/// Returns the time per byte for data of \p Bytes that do not fit the second cache.
double secondsPerByteOf(double Bytes, const TilingTarget &M) {
  return Bytes > real(static_cast<long>(M.L3Bytes)) ? SecondsPerMemoryByte : SecondsPerL3Byte;
}

/// The cost of one choice of tiles.
class Estimate {
public:
  Estimate(const StencilShape &S, const TilingTarget &M, const TimeTiles &Tiles)
      : S(S), M(M), Tiles(Tiles), Diamond(Tiles.Shape == TileShape::Diamond) {
    Skew = *S.Axes[0].Skew;
    if (Diamond)
      Skew = std::max({Skew, *S.Axes[0].MirroredSkew, 1L});
    // A diamond's average height is half of the height between its tips.
    Height = Diamond ? std::max(1.0, real(Tiles.Widths[0]) / real(2 * Skew)) : real(Tiles.Height);
    Height = std::min(Height, real(S.Steps));
  }

  double seconds() const {
    double Footprint = 1, Columns = 1, Points = Height;
    for (size_t A = 0; A < S.Axes.size(); ++A) {
      Footprint *= footprint(A);
      Points *= width(A);
      if (A > 0 && Tiles.Widths[A] > 0)
        Columns *= std::ceil((real(S.Axes[A].Points) + skewOf(A) * Height) / width(A));
    }
    if (Footprint * bytesPerPoint() > CacheShare * M.L2Bytes)
      return Never;
    double Access = secondsPerAccess();
    if (Footprint * bytesPerPoint() <= M.L1Bytes)
      Access *= FirstCacheGain;
    double Tile = Points * S.Accesses * Access + newBytes(Footprint) * secondsPerByte() +
                  rows() * SecondsPerRow;
    // Very many tiles are modelled by fewer ones with more repetitions.
    WaveProblem Problem{std::min(S.Axes[0].Points, MaxTilesModelled * Tiles.Widths[0]),
                        std::min(S.Steps, std::lround(real(MaxTilesModelled) * Height)), Skew};
    WaveProfile Profile =
        WaveProfile::of(Tiles.Shape, Problem, Tiles.Widths[0], std::lround(Height));
    double Visits = real(Problem.Points) * real(Problem.Steps);
    double Scale = real(S.Axes[0].Points) * real(S.Steps) / Visits;
    for (size_t A = 1; A < S.Axes.size(); ++A)
      Visits *= real(S.Axes[A].Points);
    // Tiles at the edges of space and time are partial, and a diamond higher than all steps has
    // fewer points than counted above: the scale makes all tiles together visit every point once.
    double Partial = Visits / (Points * Columns * Profile.wholeTiles());
    double Barrier = M.Threads > 1 ? SecondsPerBarrier : 0;
    return Scale * Profile.seconds(M.Threads, Partial * Columns * Tile, Barrier);
  }

private:
  double skewOf(size_t A) const {
    return Tiles.Widths[A] > 0 ? real(A == 0 ? Skew : *S.Axes[A].Skew) : 0;
  }
  double width(size_t A) const {
    long Points = S.Axes[A].Points;
    return real(Tiles.Widths[A] > 0 ? std::min(Tiles.Widths[A], Points) : Points);
  }
  /// Returns the points along an axis that a tile accesses in all its steps.
  double footprint(size_t A) const {
    if (A == 0 && Diamond)
      return width(A);
    return std::min(width(A) + skewOf(A) * Height, real(S.Axes[A].Points));
  }
  double bytesPerPoint() const { return real(S.BytesPerPoint); }
  double secondsPerAccess() const { return SecondsPerAccess * S.ElementBytes / 8; }

  /// Returns the bytes that a tile brings into the cache. A pipelined tile finds what it shares
  /// with its predecessor along the last cut axis, also in parallel, as a worker mostly gets the
  /// successors of its own tiles. A diamond continues two tiles of the last wave, and finds
  /// nothing.
  double newBytes(double Footprint) const {
    size_t Last = S.Axes.size();
    while (Tiles.Widths[Last - 1] == 0)
      --Last;
    double Fresh = Footprint;
    if (Last > 1 || !Diamond)
      Fresh *= width(Last - 1) / footprint(Last - 1);
    // Both ends of a row are in lines that neighbours use, too.
    double Rows = Fresh / footprint(S.Axes.size() - 1);
    return Fresh * bytesPerPoint() + Rows * M.LineBytes;
  }

  double rows() const {
    double Rows = Height * S.Statements;
    for (size_t A = 0; A + 1 < S.Axes.size(); ++A)
      Rows *= width(A);
    return Rows;
  }

  double secondsPerByte() const {
    double Grid = bytesPerPoint();
    for (const StencilShape::Axis &Axis : S.Axes)
      Grid *= real(Axis.Points);
    return secondsPerByteOf(Grid, M);
  }

  const StencilShape &S;
  const TilingTarget &M;
  const TimeTiles &Tiles;
  bool Diamond;
  long Skew = 0;
  double Height = 1;
};

/// Returns the widths to try along an axis: 0 for the whole axis, and sizes at a constant ratio.
std::vector<long> widthsOf(const StencilShape &S, const TilingTarget &M, size_t A) {
  const StencilShape::Axis &Axis = S.Axes[A];
  std::vector<long> Widths;
  if (A > 0)
    Widths.push_back(0);
  if (!Axis.Skew)
    return Widths;
  bool Innermost = A + 1 == S.Axes.size();
  if (Innermost) {
    // Strips that fit the first cache, and fractions and multiples of them.
    unsigned References = std::max(1U, S.Accesses / std::max(1U, S.Statements));
    long Strip = vectorTile({References, S.ElementBytes}, M.L1Bytes, M.VectorBytes);
    for (long Width : {Strip / 8, Strip / 4, Strip / 2, Strip, 2 * Strip, 4 * Strip})
      if (Width > 0 && Width < Axis.Points)
        Widths.push_back(Width);
  } else {
    bool AcrossRows = A + 2 == S.Axes.size();
    long Least = std::max(4L, AcrossRows ? S.RowsAtOnce : 1);
    for (long Width = Least; Width <= 256 && Width < Axis.Points; Width *= 2)
      Widths.push_back(Width);
  }
  // The number of these tiles is that of workers, or a multiple.
  if (A == 0 && M.Threads > 1)
    for (long PerWorker : {1, 2, 4})
      if (long Width = Axis.Points / (PerWorker * long(M.Threads)); Width >= 8)
        Widths.push_back(Width);
  return Widths;
}

/// Calls \p Try with every combination of widths from axis \p A on.
template <typename F>
void forEachWidth(const StencilShape &S, const TilingTarget &M, TimeTiles &T, size_t A, F Try) {
  if (A == S.Axes.size())
    return Try(T);
  for (long Width : widthsOf(S, M, A)) {
    T.Widths[A] = Width;
    forEachWidth(S, M, T, A + 1, Try);
  }
}

/// Returns the time of a serial run of the original nest.
double secondsUntiled(const StencilShape &S, const TilingTarget &M) {
  double Rows = real(S.Steps), Bytes = real(S.BytesPerPoint);
  for (size_t A = 0; A < S.Axes.size(); ++A) {
    Bytes *= real(S.Axes[A].Points);
    if (A + 1 < S.Axes.size())
      Rows *= real(S.Axes[A].Points);
  }
  double Points = Rows * real(S.Axes.back().Points);
  double Access = SecondsPerAccess * S.ElementBytes / 8;
  double Seconds = Rows * S.Statements * SecondsPerRow;
  if (Bytes <= M.L1Bytes)
    return Seconds + Points * S.Accesses * Access * FirstCacheGain;
  Seconds += Points * S.Accesses * Access;
  if (Bytes > CacheShare * M.L2Bytes)
    Seconds += real(S.Steps) * Bytes * secondsPerByteOf(Bytes, M);
  return Seconds;
}

} // namespace

double estimateSeconds(const StencilShape &S, const TilingTarget &M, const TimeTiles &Tiles) {
  return Estimate(S, M, Tiles).seconds();
}

std::optional<TimeTiles> chooseTimeTiles(const StencilShape &S, const TilingTarget &M) {
  if (S.Axes.empty() || !S.Axes[0].Skew)
    return std::nullopt;
  std::optional<TimeTiles> Best;
  auto Try = [&](TimeTiles &T) {
    T.Seconds = estimateSeconds(S, M, T);
    if (T.Seconds < (Best ? Best->Seconds : Never))
      Best = T;
  };
  TimeTiles T;
  T.Widths.resize(S.Axes.size());
  for (long Height = 2; Height <= std::min(S.Steps, MaxHeight); Height *= 2) {
    T.Height = Height;
    forEachWidth(S, M, T, 0, Try);
  }
  if (M.Threads > 1 && S.Axes[0].MirroredSkew) {
    T.Shape = TileShape::Diamond;
    forEachWidth(S, M, T, 0, [&](TimeTiles &D) {
      long Skew = std::max({*S.Axes[0].Skew, *S.Axes[0].MirroredSkew, 1L});
      // The model of diamonds requires that one step does not cross them.
      if (D.Widths[0] >= 2 * Skew && 2 * D.Widths[0] <= S.Axes[0].Points)
        Try(D);
    });
  }
  // Rows side by side pay without tiles.
  if (Best && M.Threads == 1 && S.RowsAtOnce == 1 && Best->Seconds >= secondsUntiled(S, M))
    return std::nullopt;
  return Best;
}

} // namespace specrt
