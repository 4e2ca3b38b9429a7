//===- structure/levels/skewed_wavefronts.cpp - runs of rows in vector lanes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/levels/skewed_wavefronts.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace specrt {
namespace {

constexpr uint32_t Lanes = SkewedWavefront::Lanes;
/// Wavefronts with fewer steps do not pay.
constexpr int64_t LeastSteps = 16;
/// A row executes so many steps after a row of another lane that it waits for: a value just stored
/// is not available for about the time of a division. Short runs would have no steps left.
constexpr int64_t StepsBehind = 2;
constexpr uint32_t ShortRun = 64;
/// Limit on rows between two runs.
constexpr uint32_t MostBetween = 64;

/// Tries to form a skewed wavefront of consecutive runs.
class WavefrontBuilder {
public:
  WavefrontBuilder(const RowDependences &Rows, std::span<const RowsOfRun, Lanes> Runs,
                   uint32_t First)
      : Rows(Rows), Runs(Runs), First(First), LaneOf(end() - First, None) {
    for (uint32_t Lane = 0; Lane < Lanes; ++Lane)
      std::fill_n(LaneOf.begin() + (Runs[Lane].First - First), Runs[Lane].Count, Lane);
  }

  /// \p Limit: the first row that must not belong to the wavefront.
  std::optional<SkewedWavefront> find(uint32_t FirstRun, uint32_t Limit);

private:
  enum class When : uint8_t { Before, InSteps, After };
  static constexpr uint8_t None = UINT8_MAX;

  uint32_t end() const { return Runs[Lanes - 1].First + Runs[Lanes - 1].Count; }
  int64_t steps();
  void delay(uint32_t Lane);
  /// Returns the step of \p Row in \p Lane, if the row is executed in one.
  int64_t stepOf(uint32_t Row, uint32_t Lane) const {
    return static_cast<int64_t>(Row) - Runs[Lane].First - Skip[Lane];
  }
  bool isBehind(uint32_t Row, uint8_t Lane, uint32_t Other) const;
  When whenFree(uint32_t Row) const;
  bool placeRows(int64_t Steps);

  const RowDependences &Rows;
  const std::span<const RowsOfRun, Lanes> Runs;
  const uint32_t First;
  std::vector<uint8_t> LaneOf; // from row First on
  std::vector<When> WhenOf;    // likewise
  std::array<int64_t, Lanes> Skip{};
};

/// Sets how many rows of \p Lane come before the first step, so that in each step the rows of
/// earlier lanes that it waits for are done.
void WavefrontBuilder::delay(uint32_t Lane) {
  if (Lane == 0)
    return;
  const int64_t Behind = Runs[Lane].Count < ShortRun ? 1 : StepsBehind;
  int64_t Most = Skip[Lane - 1];
  for (uint32_t Row = Runs[Lane].First, End = Row + Runs[Lane].Count; Row < End; ++Row)
    for (uint32_t Other : Rows.before(Row)) {
      const uint8_t Of = Other < First ? None : LaneOf[Other - First];
      if (Of != None && Of != Lane)
        Most = std::min(Most,
                        static_cast<int64_t>(Row) - Runs[Lane].First - stepOf(Other, Of) - Behind);
    }
  Skip[Lane] = Most;
}

int64_t WavefrontBuilder::steps() {
  for (uint32_t Lane = 0; Lane < Lanes; ++Lane) {
    delay(Lane);
    if (Skip[0] - Skip[Lane] > Runs[0].Count)
      return 0;
  }
  int64_t Steps = std::numeric_limits<int64_t>::max();
  for (uint32_t Lane = 0; Lane < Lanes; ++Lane)
    Steps = std::min(Steps, Runs[Lane].Count - (Skip[Lane] -= Skip[Lanes - 1]));
  return Steps;
}

/// Returns whether \p Row in \p Lane is executed in a later step than \p Other, which is in a lane.
bool WavefrontBuilder::isBehind(uint32_t Row, uint8_t Lane, uint32_t Other) const {
  const uint8_t Of = LaneOf[Other - First];
  return stepOf(Other, Of) < stepOf(Row, Lane);
}

/// Returns the earliest time for a row that is in no lane.
WavefrontBuilder::When WavefrontBuilder::whenFree(uint32_t Row) const {
  for (uint32_t Other : Rows.before(Row))
    if (Other >= First && WhenOf[Other - First] != When::Before)
      return When::After;
  return When::Before;
}

/// Assigns all rows; returns false if the resulting order would be illegal.
bool WavefrontBuilder::placeRows(int64_t Steps) {
  for (uint32_t Row = First; Row < end(); ++Row) {
    const uint8_t Lane = LaneOf[Row - First];
    if (Lane == None) {
      WhenOf.push_back(whenFree(Row));
      continue;
    }
    const int64_t Step = stepOf(Row, Lane);
    const When Mine = Step < 0 ? When::Before : Step < Steps ? When::InSteps : When::After;
    for (uint32_t Other : Rows.before(Row)) {
      if (Other < First)
        continue;
      const When Its = WhenOf[Other - First];
      if (Its > Mine || (Its == When::InSteps && Mine == Its && !isBehind(Row, Lane, Other)))
        return false;
    }
    WhenOf.push_back(Mine);
  }
  return true;
}

std::optional<SkewedWavefront> WavefrontBuilder::find(uint32_t FirstRun, uint32_t Limit) {
  const int64_t Steps = steps();
  if (Steps < LeastSteps || 2 * Lanes * Steps < end() - First || !placeRows(Steps))
    return std::nullopt;
  SkewedWavefront Found = {.First = First,
                           .End = end(),
                           .FirstRun = FirstRun,
                           .Steps = static_cast<uint32_t>(Steps),
                           .FirstOf = {},
                           .Before = {},
                           .After = {}};
  for (uint32_t Lane = 0; Lane < Lanes; ++Lane)
    Found.FirstOf[Lane] = Runs[Lane].First + static_cast<uint32_t>(Skip[Lane]);
  // Rows after the last line are added to the wavefront; otherwise the next wavefront would have to
  // wait for all of this one.
  while (Found.End < std::min(Limit, end() + MostBetween) && whenFree(Found.End) == When::After) {
    WhenOf.push_back(When::After);
    ++Found.End;
  }
  for (uint32_t Row = First; Row < Found.End; ++Row)
    if (WhenOf[Row - First] != When::InSteps)
      (WhenOf[Row - First] == When::Before ? Found.Before : Found.After).push_back(Row);
  return Found;
}

/// Returns whether the runs have the same class and ties and lie close together.
bool areAlike(std::span<const RowsOfRun, Lanes> Runs) {
  for (uint32_t Lane = 1; Lane < Lanes; ++Lane)
    if (Runs[Lane].Class != Runs[0].Class || Runs[Lane].Ties != Runs[0].Ties ||
        Runs[Lane].First - (Runs[Lane - 1].First + Runs[Lane - 1].Count) > MostBetween)
      return false;
  return true;
}

} // namespace

std::vector<SkewedWavefront> findSkewedWavefronts(const RowDependences &Rows,
                                                  std::span<const RowsOfRun> Runs) {
  std::vector<SkewedWavefront> Found;
  uint32_t Done = 0; // rows before this one are placed
  for (size_t I = 0; I + Lanes <= Runs.size();) {
    const auto Some = Runs.subspan(I).first<Lanes>();
    const uint32_t Between = Some[0].First - Done;
    std::optional<SkewedWavefront> Made;
    if (areAlike(Some)) {
      const uint32_t Limit = I + Lanes < Runs.size() ? Runs[I + Lanes].First : Rows.rows();
      Made = WavefrontBuilder(Rows, Some, Between <= MostBetween ? Done : Some[0].First)
                 .find(static_cast<uint32_t>(I), Limit);
    }
    if (!Made) {
      ++I;
      continue;
    }
    Done = Made->End;
    Found.push_back(std::move(*Made));
    I += Lanes;
  }
  return Found;
}

} // namespace specrt
