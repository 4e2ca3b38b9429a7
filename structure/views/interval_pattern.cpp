//===- structure/views/interval_pattern.cpp - patterns as intervals of columns -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/views/interval_pattern.h"

#include <algorithm>

namespace specrt {

IntervalPattern::IntervalPattern(const CsrPattern &Of) : Columns(Of.Columns) {
  for (int64_t Row = 0; Row < Of.rows(); ++Row) {
    for (uint32_t Column : Of.row(Row))
      if (Intervals.size() > Start.back() && Intervals.back().End == Column)
        ++Intervals.back().End;
      else
        Intervals.push_back({Column, Column + 1});
    Start.push_back(Intervals.size());
  }
}

CsrPattern IntervalPattern::toCsr() const {
  CsrPattern Result;
  Result.Columns = Columns;
  for (size_t Row = 0; Row + 1 < Start.size(); ++Row) {
    for (size_t I = Start[Row]; I < Start[Row + 1]; ++I)
      for (uint32_t Column = Intervals[I].Begin; Column < Intervals[I].End; ++Column)
        Result.Column.push_back(Column);
    Result.endRow();
  }
  return Result;
}

bool IntervalPattern::contains(int64_t Row, uint32_t Column) const {
  const auto At = static_cast<size_t>(Row);
  const auto Begin = Intervals.begin() + static_cast<std::ptrdiff_t>(Start[At]);
  const auto End = Intervals.begin() + static_cast<std::ptrdiff_t>(Start[At + 1]);
  const auto Behind = std::upper_bound(Begin, End, Column,
                                       [](uint32_t C, const Interval &I) { return C < I.Begin; });
  return Behind != Begin && Column < std::prev(Behind)->End;
}

size_t IntervalPattern::bytes() const {
  return Start.size() * sizeof(Start[0]) + Intervals.size() * sizeof(Interval);
}

} // namespace specrt
