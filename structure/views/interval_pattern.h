//===- structure/views/interval_pattern.h - patterns as intervals of columns -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_VIEWS_INTERVAL_PATTERN_H
#define SPECRT_STRUCTURE_VIEWS_INTERVAL_PATTERN_H

#include "structure/views/csr_pattern.h"

namespace specrt {

/// Intervals ascend within a row and do not touch.
struct IntervalPattern {
  struct Interval {
    uint32_t Begin, End; ///< columns Begin .. End - 1
    bool operator==(const Interval &) const = default;
  };

  int64_t Columns = 0;
  std::vector<uint64_t> Start = {0}; ///< per row, its begin in Intervals; then the end
  std::vector<Interval> Intervals;

  explicit IntervalPattern(const CsrPattern &Of);
  CsrPattern toCsr() const;
  int64_t rows() const { return static_cast<int64_t>(Start.size()) - 1; }
  bool contains(int64_t Row, uint32_t Column) const;
  size_t bytes() const;
  bool operator==(const IntervalPattern &) const = default;
};

} // namespace specrt

#endif
