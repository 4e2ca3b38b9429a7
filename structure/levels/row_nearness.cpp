//===- structure/levels/row_nearness.cpp - distances between rows and the rows they wait for -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/levels/row_nearness.h"

#include <algorithm>
#include <array>

namespace specrt {
namespace {

/// Returns the length of the longest dependence chain in the window that begins with row \p First.
uint32_t levelsFrom(const RowDependences &Rows, uint32_t First) {
  std::array<uint32_t, RowNearness::Window> Level{};
  for (uint32_t I = 0; I < Level.size(); ++I) {
    Level[I] = 1;
    for (const uint32_t Other : Rows.before(First + I))
      if (Other >= First)
        Level[I] = std::max(Level[I], Level[Other - First] + 1);
  }
  return *std::max_element(Level.begin(), Level.end());
}

/// Returns whether \p Other is near to \p Row or to a row that the row before \p Row waits for.
bool followsRowBefore(const RowDependences &Rows, uint32_t Row, uint32_t Other) {
  constexpr uint32_t Near = 64;
  const auto IsNear = [&](uint32_t A) { return std::max(A, Other) - std::min(A, Other) <= Near; };
  const auto Before = Rows.before(Row - 1); // Row waits for another, so it is not row 0
  return IsNear(Row) || std::any_of(Before.begin(), Before.end(), IsNear);
}

} // namespace

RowNearness nearnessOf(const RowDependences &Rows) {
  const uint32_t Windows = Rows.rows() / RowNearness::Window;
  uint64_t Levels = 0, Scattered = 0;
  for (uint32_t I = 0; I < Windows; ++I)
    Levels += levelsFrom(Rows, I * RowNearness::Window);
  for (uint32_t Row = 0; Row < Rows.rows(); ++Row)
    for (const uint32_t Other : Rows.before(Row))
      Scattered += !followsRowBefore(Rows, Row, Other);
  return {.Levels = Windows ? static_cast<double>(Levels) / Windows : 0,
          .ScatteredShare = static_cast<double>(Scattered) /
                            static_cast<double>(std::max<size_t>(Rows.dependences(), 1))};
}

} // namespace specrt
