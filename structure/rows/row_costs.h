//===- structure/rows/row_costs.h - when a class of rows is worth its code ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model in processor cycles, rough on purpose: it only has to keep classes from being compiled
// that cannot win; trials decide about the rest. Each value of a trace stands for one operation.
// The original adds up a row one operation after the other. A class has its rows in vectors, and
// pays for the change to its loop.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_ROWS_ROW_COSTS_H
#define SPECRT_STRUCTURE_ROWS_ROW_COSTS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace specrt {

struct RowCosts {
  double ChainCycles = 4;       ///< the original, per value: the latency of an addition
  double CarriedCycles = 0;     ///< the original, per row, if the next row waits for it
  double MispredictCycles = 15; ///< the original, where the number of entries changes
  double AffineCycles = 1.5;  ///< a class, per value and row: load, load, multiply, add in vectors
  double StridedCycles = 0.3; ///< more than that, where rows of a segment are not neighbours
  double LoadedCycles = 2.5;  ///< a class with loaded values: gathers, or several rows at a time
  double SegmentCycles = 60;  ///< per segment: what its loop needs, and a jump or two mispredicted
  double OriginCycles = 2;    ///< per segment and entry: an origin read, an address made of it
  unsigned Lanes = 4;         ///< rows in a vector; what is left of a segment costs a whole one

  /// What a class must be cheaper by than the original: 0.9 means 10 %.
  double Worth = 0.9;
  /// The share of the whole loop's time that a class must save to be one of few.
  double LeastShare = 0.005;
  /// A larger step between rows must save this many times as much as a smaller one.
  double LargerStep = 1.25;

  double original(size_t Values) const {
    return ChainCycles * static_cast<double>(Values) + CarriedCycles;
  }
  double perRow(size_t Values, uint32_t Step, bool HasLoaded) const {
    return (HasLoaded ? LoadedCycles : AffineCycles + (Step > 1 ? StridedCycles : 0)) *
           static_cast<double>(Values);
  }
  /// A segment of \p Count rows.
  double segment(size_t Values, uint32_t Step, bool HasLoaded, int64_t Count) const {
    const auto Vectors = (static_cast<uint64_t>(Count) + Lanes - 1) / Lanes;
    return SegmentCycles + OriginCycles * static_cast<double>(Values) +
           static_cast<double>(Vectors * Lanes) * perRow(Values, Step, HasLoaded);
  }
  /// The fewest rows for which a segment is worth it.
  uint32_t minRows(size_t Values, uint32_t Step, bool HasLoaded) const {
    for (uint32_t Count = 2; Count < MostMinRows; ++Count)
      if (segment(Values, Step, HasLoaded, Count) <= Worth * Count * original(Values))
        return HasLoaded && Count < LoadedMinRows ? LoadedMinRows : Count;
    return MostMinRows;
  }

  static constexpr uint32_t MostMinRows = 64;
  /// Rows of equal length are common by chance.
  static constexpr uint32_t LoadedMinRows = 16;
};

/// RowCosts::minRows of classes without loaded values, asked often.
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
