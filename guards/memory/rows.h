//===- guards/memory/rows.h - rows behind row pointers do not overlap ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of a `double **` or of a vector of vectors lie wherever they were allocated. Written
// rows must be disjoint from everything else that is accessed: from other rows of the same table,
// rows of other tables, arrays, and the row pointers themselves. One pass over the pointers
// recognises rows that lie in the order of their pointers, and tables that do not interleave. Other
// rows are sorted in static memory of rows.cpp, which suffices for two calls at a time.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_GUARDS_MEMORY_ROWS_H
#define SPECRT_GUARDS_MEMORY_ROWS_H

#include "guards/address.h"
#include "guards/guard_list.h"
#include "guards/kind.h"
#include <algorithm>
#include <span>
#include <vector>

namespace specrt {

/// Count pointers, the first of them Begin bytes behind an address, the others Stride bytes apart.
struct PointerLevel {
  int64_t Begin, Count, Stride;
};

/// A range as a caller states it: the bytes [Row + Begin, Row + End) of each row. The pointers of
/// the first level lie behind the base, those of each further level behind each pointer of the
/// level before, and the pointers of the last level are the rows. Without levels the base is the
/// only row.
struct RowRanges {
  specrt_base Base{};
  bool IsWritten = false;
  std::vector<PointerLevel> Levels{};
  PolynomialView Begin{}, End{};
};

/// No written byte of one row is a byte of another one.
struct RowsGuard : GuardRecord {
  static constexpr GuardKindId Kind = GuardKindId::Rows;
  static constexpr uint32_t MaxRanges = 16, MaxLevels = 3;
  /// The largest number of rows that are sorted. With more rows, the guard does not hold.
  static constexpr uint32_t MaxSorted = 1 << 15;
  /// The largest number of words behind the record. A record with more of them has a problem.
  static constexpr uint32_t MaxWords =
      MaxRanges * (2 + MaxLevels * sizeof(PointerLevel) / sizeof(uint64_t) +
                   2 * SPECRT_MAX_TERMS * sizeof(specrt_term) / sizeof(uint64_t));

  uint32_t NumRanges;
  uint32_t NumWords; ///< number of 64-bit words behind the record

  RowsGuard(uint32_t NumRanges, uint32_t NumWords) : NumRanges(NumRanges), NumWords(NumWords) {}

  const char *problem(const specrt_region &Region) const;
  bool holds(const specrt_region &Region, const uint64_t *Packed) const;
  std::string describe(const specrt_region &Region) const;
  double costNs() const;
  bool isCalled() const { return true; }
  Presumes presumes() const { return Presumes::MemoryContent; }
  uint32_t words() const { return std::min(NumWords, MaxWords + 1); }
  uint32_t trailingBytes() const { return words() * static_cast<uint32_t>(sizeof(uint64_t)); }
};

/// Adds a guard for \p Ranges, at most MaxRanges, with at most MaxLevels levels each.
void appendRows(GuardList &Guards, std::span<const RowRanges> Ranges);

} // namespace specrt

#endif
