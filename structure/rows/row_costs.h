//===- structure/rows/row_costs.h - cost model of row classes -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model in processor cycles, rough on purpose: it only avoids compiling classes that cannot win;
// trials decide about the rest. Each value of a trace stands for one operation. The original adds
// up a row sequentially. A class executes its rows in vectors, and pays for the switch to its loop.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_ROWS_ROW_COSTS_H
#define SPECRT_STRUCTURE_ROWS_ROW_COSTS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace specrt {

struct RowCosts {
  double ChainCycles = 4;       ///< original, per value: latency of an addition
  double CarriedCycles = 0;     ///< original, per row, if the next row waits for it
  double MispredictCycles = 15; ///< original, if the number of entries changes
  double AffineCycles = 1.5;    ///< class, per value and row: two loads, multiply, add in vectors
  double StridedCycles = 0.3;   ///< additional, if rows of a segment are not neighbours
  double LoadedCycles = 2.5;    ///< class with loaded values: gathers, or several rows at a time
  double SegmentCycles = 60; ///< per segment: setup of its loop, one or two mispredicted branches
  double OriginCycles = 2;   ///< per segment and entry: load of an origin, address computation
  unsigned Lanes = 4;        ///< rows in a vector; the remainder of a segment costs a whole one

  /// Required ratio of a class's cost to the original's: 0.9 demands 10 % less.
  double Worth = 0.9;
  /// Minimal share of the whole loop's time that each selected class must save.
  double LeastShare = 0.005;
  /// A larger step must save this many times as much as a smaller one.
  double LargerStep = 1.25;

  double original(size_t Values) const {
    return ChainCycles * static_cast<double>(Values) + CarriedCycles;
  }
  double perRow(size_t Values, uint32_t Step, bool HasLoaded) const {
    return (HasLoaded ? LoadedCycles : AffineCycles + (Step > 1 ? StridedCycles : 0)) *
           static_cast<double>(Values);
  }
  /// Returns the cycles of a segment of \p Count rows.
  double segment(size_t Values, uint32_t Step, bool HasLoaded, int64_t Count) const {
    const auto Vectors = (static_cast<uint64_t>(Count) + Lanes - 1) / Lanes;
    return SegmentCycles + OriginCycles * static_cast<double>(Values) +
           static_cast<double>(Vectors * Lanes) * perRow(Values, Step, HasLoaded);
  }
  /// Returns the smallest number of rows for which a segment pays.
  uint32_t minRows(size_t Values, uint32_t Step, bool HasLoaded) const {
    for (uint32_t Count = 2; Count < MostMinRows; ++Count)
      if (segment(Values, Step, HasLoaded, Count) <= Worth * Count * original(Values))
        return HasLoaded && Count < LoadedMinRows ? LoadedMinRows : Count;
    return MostMinRows;
  }

  static constexpr uint32_t MostMinRows = 64;
  /// Lower limit for classes with loaded values, as rows of equal length are common by chance.
  static constexpr uint32_t LoadedMinRows = 16;
};

/// Table of RowCosts::minRows for classes without loaded values.
class MinRowsTable {
public:
  MinRowsTable(const RowCosts &Costs, size_t MaxValues) {
    for (size_t Values = 0; Values <= MaxValues; ++Values) {
      Dense.push_back(Costs.minRows(Values, 1, false));
      Strided.push_back(Costs.minRows(Values, 2, false));
    }
  }
  uint32_t operator()(size_t Values, uint32_t Step) const {
    return Step > 1 ? Strided[Values] : Dense[Values];
  }

private:
  std::vector<uint32_t> Dense, Strided;
};

} // namespace specrt

#endif
