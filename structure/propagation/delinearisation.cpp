//===- structure/propagation/delinearisation.cpp - linearised arrays as matrices ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/propagation/delinearisation.h"
#include "structure/propagation/iteration_boxes.h"

#include <functional>
#include <optional>
#include <set>

namespace specrt {
namespace {

using Visit = std::function<void(const DenseStatement &S, DenseAccess &Access)>;

void forEachAccess(DenseProgram &Program, unsigned Array, const Visit &Do) {
  for (DenseStatement &S : Program.Statements) {
    if (S.Write.Array == Array)
      Do(S, S.Write);
    for (DenseAccess &Read : S.Reads)
      if (Read.Array == Array)
        Do(S, Read);
  }
}

/// Returns the range of \p Of in all iterations of \p S; nothing if there are none, or too many
/// loops.
std::optional<std::pair<int64_t, int64_t>> rangeIn(const DenseStatement &S, const AffineValue &Of) {
  if (S.Depth > MaxDimensions)
    return std::nullopt;
  std::optional<std::pair<int64_t, int64_t>> All;
  for (const Conjunction &Where : S.Domain) {
    Box Counters;
    for (unsigned K = 0; K < S.Depth; ++K)
      Counters.Sides[K] = {-FarAway, FarAway};
    Counters = narrowed(Where, Counters);
    if (Counters.isEmpty())
      continue;
    for (unsigned K = 0; K < S.Depth; ++K)
      if (Counters.Sides[K].Low <= -FarAway || Counters.Sides[K].High >= FarAway)
        return std::nullopt;
    const auto [Low, High] = rangeOf(Of, Counters);
    All = All ? std::pair(std::min(All->first, Low), std::max(All->second, High))
              : std::pair(Low, High);
  }
  return All;
}

/// Splits \p Of into row and column for rows of length \p Pitch.
std::optional<std::vector<AffineValue>> splitBy(const DenseStatement &S, const AffineValue &Of,
                                                int64_t Pitch) {
  AffineValue Row, Column = Of;
  Row.Loops.resize(Of.Loops.size());
  for (size_t K = 0; K < Of.Loops.size(); ++K)
    if (Of.Loops[K] % Pitch == 0) {
      Row.Loops[K] = Of.Loops[K] / Pitch;
      Column.Loops[K] = 0;
    }
  const auto Range = rangeIn(S, Column);
  if (!Range)
    return std::nullopt;
  const int64_t Down = Range->first % Pitch < 0 ? 1 : 0;
  Row.Constant = Range->first / Pitch - Down;
  Column.Constant -= Row.Constant * Pitch;
  if (Range->second - Row.Constant * Pitch >= Pitch)
    return std::nullopt;
  return std::vector<AffineValue>{Row, Column};
}

bool tryDelinearise(DenseProgram &Program, unsigned Array, int64_t Pitch) {
  std::vector<std::vector<AffineValue>> New;
  bool IsGood = true;
  forEachAccess(Program, Array, [&](const DenseStatement &S, DenseAccess &Access) {
    auto Split = IsGood ? splitBy(S, Access.Subscripts[0], Pitch) : std::nullopt;
    IsGood = Split.has_value();
    if (Split)
      New.push_back(std::move(*Split));
  });
  if (!IsGood)
    return false;
  size_t Next = 0;
  forEachAccess(Program, Array, [&](const DenseStatement &, DenseAccess &Access) {
    Access.Subscripts = std::move(New[Next++]);
  });
  Program.Arrays[Array].Rank = 2;
  Program.Arrays[Array].Extents = {AffineValue{-1, {}, {}}, AffineValue{Pitch, {}, {}}};
  return true;
}

} // namespace

DenseProgram delinearise(DenseProgram Program) {
  for (unsigned A = 0; A < Program.Arrays.size(); ++A) {
    if (Program.Arrays[A].Rank != 1 || Program.Arrays[A].IsTemporary)
      continue;
    std::set<int64_t, std::greater<>> Pitches;
    forEachAccess(Program, A, [&](const DenseStatement &, DenseAccess &Access) {
      for (const int64_t Factor : Access.Subscripts[0].Loops)
        if (Factor > 1)
          Pitches.insert(Factor);
    });
    for (const int64_t Pitch : Pitches)
      if (tryDelinearise(Program, A, Pitch))
        break;
  }
  return Program;
}

} // namespace specrt
