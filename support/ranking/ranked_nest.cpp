//===- support/ranking/ranked_nest.cpp - numbers the iterations of a nest in their order ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/ranking/ranked_nest.h"

#include <algorithm>
#include <cmath>

namespace specrt {
namespace {

/// Limits of what a nest may consist of. The product of the number of rows and two extents is below
/// 2^112 then, and the sizes of three rows behind the corners are below 2^125, so nothing overflows
/// 128 bits.
constexpr int64_t MaxRows = int64_t{1} << 32;
constexpr int64_t MaxExtent = int64_t{1} << 40;
constexpr int64_t MaxTotal = int64_t{1} << 62;

constexpr bool isBelow(int64_t Value, int64_t Limit) { return Value > -Limit && Value < Limit; }

/// Returns x (x-1) (x-2) / 6 modulo 2^64, given \p Pairs = x (x-1) / 2. The product is a multiple
/// of 3, so the multiplication by the inverse of 3 modulo 2^64 divides it exactly.
constexpr uint64_t triples(uint64_t X, uint64_t Pairs) {
  constexpr uint64_t Third = 0xaaaaaaaaaaaaaaab;
  return Pairs * (X - 2) * Third;
}

} // namespace

uint64_t RankedNest::Ranking::before(uint64_t X) const {
  const uint64_t Pairs = X % 2 == 0 ? X / 2 * (X - 1) : X * (X / 2);
  uint64_t Sum = Coefficients[0] * X + Coefficients[1] * Pairs;
  if (Coefficients[2] != 0)
    Sum += Coefficients[2] * triples(X, Pairs);
  return Sum;
}

/// Returns about where the polynomial has the value \p Rank. It is increasing in [0, \p Count].
double RankedNest::Ranking::root(uint64_t Rank, uint64_t Count) const {
  const auto Q1 = double(int64_t(Coefficients[0])), Q2 = double(int64_t(Coefficients[1]));
  const auto K = double(Rank);
  if (Coefficients[2] == 0) {
    // q2/2 x^2 + (q1 - q2/2) x = K. The search corrects what cancels if B is negative.
    const double B = Q1 - Q2 / 2, Square = B * B + 2 * Q2 * K;
    const double Below = B + std::sqrt(std::max(Square, 0.0));
    return Below > 0 ? 2 * K / Below : 0;
  }
  const auto Q3 = double(int64_t(Coefficients[2]));
  const double A = Q3 / 6, B = (Q2 - Q3) / 2, C = Q1 - Q2 / 2 + Q3 / 3;
  const auto Last = double(Count);
  // Rows grow or shrink about like a square.
  const double Share = K / (((A * Last + B) * Last + C) * Last);
  const double First = C, Second = (3 * A * Last + 2 * B) * Last + C;
  double X = First < Second ? Last * double(std::cbrt(float(Share)))
                            : Last * (1 - double(std::cbrt(float(1 - Share))));
  for (int Step = 0; Step < 2; ++Step) {
    const double Slope = (3 * A * X + 2 * B) * X + C;
    if (!(Slope > 0))
      break;
    X -= (((A * X + B) * X + C) * X - K) / Slope;
  }
  return X;
}

/// Returns the largest x below \p Count with before(x) <= \p Rank. before(\p Count) is larger.
uint64_t RankedNest::Ranking::invert(uint64_t Rank, uint64_t Count) const {
  if (Coefficients[1] == 0 && Coefficients[2] == 0)
    return Rank / Coefficients[0];
  const double Root = root(Rank, Count);
  const uint64_t Guess = Root >= 1 ? uint64_t(std::min(Root, double(Count - 1))) : 0; // also if NaN
  uint64_t Low = 0, High = Count; // before(Low) <= Rank < before(High)
  if (before(Guess) <= Rank) {
    Low = Guess;
    for (uint64_t Step = 1; Step < High - Low; Step *= 2) {
      if (before(Low + Step) > Rank) {
        High = Low + Step;
        break;
      }
      Low += Step;
    }
  } else {
    High = Guess;
    for (uint64_t Step = 1; Step < High; Step *= 2) {
      if (before(High - Step) <= Rank) {
        Low = High - Step;
        break;
      }
      High -= Step;
    }
  }
  while (High - Low > 1) {
    const uint64_t Middle = Low + (High - Low) / 2;
    (before(Middle) <= Rank ? Low : High) = Middle;
  }
  return Low;
}

RankedNest::Wide RankedNest::pointsOf(Wide Row, Wide Column) const {
  return Wide(Loops[2].Constant) + Wide(Loops[2].Factors[0]) * Row +
         Wide(Loops[2].Factors[1]) * Column;
}

/// Returns the number of innermost iterations of \p Row. Rows beyond the nest have the value of the
/// same polynomial.
RankedNest::Wide RankedNest::sizeOfRow(Wide Row) const {
  if (Depth == 1)
    return 1;
  const Wide Columns = columnsOf(Row);
  if (Depth == 2)
    return Columns;
  return Columns * pointsOf(Row, 0) + Wide(Loops[2].Factors[1]) * (Columns * (Columns - 1) / 2);
}

/// Finds the rows in which the second loop has an iteration. Returns false if there is none.
bool RankedNest::skipEmptyRows() {
  const LoopExtent &Columns = Loops[1];
  const Wide Factor = Columns.Factors[0], Needed = Wide(1) - Columns.Constant;
  Wide First = 0, End = Wide(AllRows);
  if (Depth > 1) {
    if (Factor > 0 && Needed > 0)
      First = (Needed + Factor - 1) / Factor;
    else if (Factor < 0)
      End = Needed > 0 ? 0 : std::min(End, Needed / Factor + 1);
    else if (Factor == 0 && Needed > 0)
      End = 0;
  }
  if (First >= End)
    return false;
  FirstRow = uint64_t(First);
  NumRows = uint64_t(End - First);
  for (LoopExtent &Inner : std::span(Loops).subspan(1))
    Inner.Constant += Inner.Factors[0] * int64_t(First);
  return true;
}

/// Computes the numbers of iterations. Returns false if there are too many, none, or fewer than
/// none somewhere. Affine functions have their extremes in the corners.
bool RankedNest::measure() {
  const Wide Ends[] = {0, Wide(NumRows) - 1};
  Wide MostColumns = 1, MostPoints = 1, MostInRow = 1;
  for (const Wide Row : Ends) {
    if (Depth > 1)
      MostColumns = std::max(MostColumns, columnsOf(Row));
    if (Depth < 3)
      continue;
    for (const Wide Column : {Wide(0), columnsOf(Row) - 1}) {
      const Wide Points = pointsOf(Row, Column);
      if (Points < 0)
        return false;
      MostPoints = std::max(MostPoints, Points);
    }
  }
  if (MostColumns > MaxExtent || MostPoints > MaxExtent ||
      Wide(NumRows) * MostColumns * MostPoints > MaxTotal)
    return false;
  std::array<Wide, MaxRankedLoops> Sizes = {};
  for (unsigned Row = 0; Row < Sizes.size(); ++Row)
    Sizes[Row] = sizeOfRow(Row);
  Rows.Coefficients = {uint64_t(Sizes[0]), uint64_t(Sizes[1] - Sizes[0]),
                       uint64_t(Sizes[2] - 2 * Sizes[1] + Sizes[0])};
  Total = Rows.before(NumRows);
  // The size of a row is a square polynomial at most, whose extreme may be between the ends.
  for (const Wide Row : Ends)
    MostInRow = std::max(MostInRow, sizeOfRow(Row));
  const Wide Bend = Sizes[2] - 2 * Sizes[1] + Sizes[0];
  if (Bend < 0) {
    const Wide Top = (Sizes[1] - Sizes[0] - Bend / 2) / -Bend;
    for (const Wide Row : {Top - 1, Top, Top + 1})
      if (Row >= 0 && Row < Wide(NumRows))
        MostInRow = std::max(MostInRow, sizeOfRow(Row));
  }
  Largest = {uint64_t(MostInRow), uint64_t(MostPoints), 1};
  return Total > 0;
}

std::optional<RankedNest> RankedNest::of(std::span<const LoopExtent> Extents) {
  if (Extents.empty() || Extents.size() > MaxRankedLoops)
    return std::nullopt;
  RankedNest New;
  New.Depth = unsigned(Extents.size());
  std::copy(Extents.begin(), Extents.end(), New.Loops.begin());
  const int64_t NumRows = Extents.front().Constant;
  if (NumRows <= 0 || NumRows > MaxRows)
    return std::nullopt;
  New.AllRows = uint64_t(NumRows);
  // A factor times the number of a row is below 2^62 then, and a constant stays below 2^63.
  for (const LoopExtent &Each : Extents.subspan(1))
    if (!isBelow(Each.Constant, MaxTotal) || !isBelow(Each.Factors[0], MaxTotal / NumRows) ||
        !isBelow(Each.Factors[0], MaxExtent) || !isBelow(Each.Factors[1], MaxExtent))
      return std::nullopt;
  return New.skipEmptyRows() && New.measure() ? std::optional(New) : std::nullopt;
}

/// Returns the polynomial of the second of three loops, in a row counted from FirstRow.
RankedNest::Ranking RankedNest::rankingOfRow(uint64_t Row) const {
  Ranking Of;
  Of.Coefficients = {uint64_t(Loops[2].Constant) + uint64_t(Loops[2].Factors[0]) * Row,
                     uint64_t(Loops[2].Factors[1]), 0};
  return Of;
}

NestPoint RankedNest::at(uint64_t Rank) const {
  NestPoint Point = {};
  const uint64_t Row = Rows.invert(Rank, NumRows);
  Point[0] = FirstRow + Row;
  if (Depth == 1)
    return Point;
  const uint64_t Rest = Rank - Rows.before(Row);
  if (Depth == 2) {
    Point[1] = Rest;
    return Point;
  }
  const Ranking Columns = rankingOfRow(Row);
  Point[1] = Columns.invert(Rest, uint64_t(columnsOf(Wide(Row))));
  Point[2] = Rest - Columns.before(Point[1]);
  return Point;
}

uint64_t RankedNest::rankOfRow(uint64_t Row) const {
  return Row <= FirstRow ? 0 : Rows.before(std::min(Row - FirstRow, NumRows));
}

} // namespace specrt
