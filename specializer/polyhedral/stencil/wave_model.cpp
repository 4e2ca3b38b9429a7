//===- specializer/polyhedral/stencil/wave_model.cpp - models tiles that run in waves -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "specializer/polyhedral/stencil/wave_model.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace specrt {
namespace {

long floorDiv(long A, long B) { return A >= 0 ? A / B : -((-A + B - 1) / B); }
long ceilDiv(long A, long B) { return -floorDiv(-A, B); }

/// Row k of tiles covers steps k h .. k h + h - 1; its tile in column J is in wave k + J.
std::vector<long> pipelinedWidths(const WaveProblem &P, long Width, long Height) {
  long Rows = ceilDiv(P.Steps, Height);
  std::vector<long> Change;
  for (long Row = 0; Row < Rows; ++Row) {
    long LastStep = std::min((Row + 1) * Height, P.Steps) - 1;
    long First = Row + floorDiv(P.Skew * Row * Height, Width);
    long Last = Row + floorDiv(P.Skew * LastStep + P.Points - 1, Width);
    if (Change.size() < static_cast<size_t>(Last) + 2)
      Change.resize(static_cast<size_t>(Last) + 2);
    ++Change[static_cast<size_t>(First)];
    --Change[static_cast<size_t>(Last) + 1];
  }
  Change.pop_back();
  std::partial_sum(Change.begin(), Change.end(), Change.begin());
  return Change;
}

/// The diamonds a w <= v + x < a w + w, b w <= v - x < b w + w with v = skew t.
struct DiamondTiles {
  const WaveProblem &P;
  long Width;

  /// Returns whether the tile \p A of wave \p Wave contains any point. Three intervals for x
  /// intersect if each two of them do, which bounds v.
  bool holdsPoints(long Wave, long A) const {
    long B = Wave - A, LastPoint = P.Points - 1;
    long Low = std::max({0L, ceilDiv(Wave * Width, 2), B * Width, A * Width - LastPoint});
    long High = std::min({P.Skew * (P.Steps - 1), floorDiv((Wave + 2) * Width - 2, 2),
                          (A + 1) * Width - 1, LastPoint + (B + 1) * Width - 1});
    return Low <= High && floorDiv(High, P.Skew) >= ceilDiv(Low, P.Skew);
  }

  /// Returns the first and the last tile of a wave; none if the last comes before the first.
  std::pair<long, long> range(long Wave) const {
    long Low = floorDiv(std::max(0L, Wave * Width / 2), Width) - 1;
    long High = floorDiv((Wave + 2) * Width / 2 + P.Points, Width) + 1;
    while (Low <= High && !holdsPoints(Wave, Low))
      ++Low;
    while (High >= Low && !holdsPoints(Wave, High))
      --High;
    return {Low, High};
  }

  /// Returns the fraction of the tile \p A that lies in space.
  double partInSpace(long Wave, long A) const {
    // x = (v + x) / 2 - (v - x) / 2
    double Left = static_cast<double>(2 * A - Wave - 1) / 2, W = static_cast<double>(Width);
    return below(static_cast<double>(P.Points) / W - Left) - below(-Left);
  }
  /// Returns the fraction of the tiles of a wave between the first step and the last.
  double partInTime(long Wave) const {
    double Begin = static_cast<double>(Wave) / 2, W = static_cast<double>(Width);
    return below(static_cast<double>(P.Skew * P.Steps) / W - Begin) - below(-Begin);
  }

private:
  /// Returns the fraction of a diamond below a horizontal line at a height between 0 and 1.
  static double below(double Height) {
    Height = std::clamp(Height, 0.0, 1.0);
    return Height < 0.5 ? 2 * Height * Height : 1 - 2 * (1 - Height) * (1 - Height);
  }
};

} // namespace

WaveProfile WaveProfile::of(TileShape Shape, const WaveProblem &P, long Width, long Height) {
  WaveProfile Profile;
  switch (Shape) {
  case TileShape::Pipelined:
    Profile.Widths = pipelinedWidths(P, Width, Height);
    break;
  case TileShape::Diamond: {
    DiamondTiles Tiles{P, Width};
    // At t = 0 only the points 0, w, ... are in wave 0, all others are in wave -1.
    for (long Wave = -1, Last = floorDiv(2 * P.Skew * (P.Steps - 1), Width); Wave <= Last; ++Wave)
      if (auto [Low, High] = Tiles.range(Wave); Low <= High) {
        Profile.Widths.push_back(High - Low + 1);
        Profile.Cuts.push_back(
            {Tiles.partInSpace(Wave, Low), Tiles.partInSpace(Wave, High), Tiles.partInTime(Wave)});
      }
    break;
  }
  }
  return Profile;
}

long WaveProfile::tiles() const { return std::accumulate(Widths.begin(), Widths.end(), 0L); }

long WaveProfile::largest() const {
  return Widths.empty() ? 0 : *std::max_element(Widths.begin(), Widths.end());
}

double WaveProfile::fullShare(long Workers) const {
  long Full = 0;
  for (long Width : Widths)
    if (Width >= Workers)
      Full += Width;
  return static_cast<double>(Full) / static_cast<double>(std::max(1L, tiles()));
}

double WaveProfile::Cut::wholeTiles(long Tiles) const {
  return Tiles == 1 ? All * First : All * (First + static_cast<double>(Tiles - 2) + Last);
}

/// The first tile occupies one worker for a shorter time than the next ones occupy the others, and
/// the last one goes to the first free worker after all whole ones.
double WaveProfile::Cut::rounds(long Tiles, long Workers) const {
  if (Tiles <= 1 || Workers == 1)
    return wholeTiles(Tiles);
  long Full = (Tiles - 2) / Workers, Left = (Tiles - 2) % Workers;
  auto Before = static_cast<double>(Full);
  double Whole = Left > 0 ? Before + 1 : Before;
  double LastBegins = Left < Workers - 1 ? Before : First + Before;
  return All * std::max({Whole, First + Before, LastBegins + Last});
}

double WaveProfile::wholeTiles() const {
  double Sum = 0;
  for (size_t Wave = 0; Wave < Widths.size(); ++Wave)
    Sum += cut(Wave).wholeTiles(Widths[Wave]);
  return Sum;
}

double WaveProfile::seconds(long Workers, double TileSeconds, double BarrierSeconds) const {
  double Rounds = 0;
  for (size_t Wave = 0; Wave < Widths.size(); ++Wave)
    Rounds += cut(Wave).rounds(Widths[Wave], Workers);
  return Rounds * TileSeconds + static_cast<double>(waves()) * BarrierSeconds;
}

} // namespace specrt
