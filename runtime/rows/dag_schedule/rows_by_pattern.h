//===- runtime/rows/dag_schedule/rows_by_pattern.h - stores rows by patterns ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that grow with the row's number in one class of a loop also do so in other rows with the
// same control: the columns of a grid's rows, also at its sides. After subtracting the row's
// number, rows of a few kinds have the same values, their *pattern*; the other values are stored
// per row.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_DAG_SCHEDULE_ROWS_BY_PATTERN_H
#define SPECRT_RUNTIME_ROWS_DAG_SCHEDULE_ROWS_BY_PATTERN_H

#include "runtime/rows/row_table.h"
#include "structure/levels/row_groups.h"

#include <array>
#include <unordered_map>

namespace specrt {

static_assert(RowGroups::Rows == SPECRT_ROWS_LANES);

class RowsByPattern {
public:
  /// The row has no pattern.
  static constexpr uint16_t None = RowGroups::None;

  /// \p Rows is the expected number of rows.
  RowsByPattern(const specrt_sparse_loop &Loop, uint64_t Rows);

  /// Adds the next row, which has the control of class \p Like, or of none
  /// (specrt_sparse_loop::num_classes or more).
  void row(uint32_t Like, const int64_t *Trace);
  /// Returns the pattern of each row.
  std::span<const uint16_t> patterns() const { return PatternOf; }
  /// Returns the number of rows with a pattern.
  uint64_t numWithPattern() const { return NumWithPattern; }
  size_t bytes() const {
    return PatternOf.capacity() * sizeof(uint16_t) + Given.capacity() * sizeof(int64_t);
  }

  /// Reserves memory in \p T for at most \p Rows rows, so that it does not move any more.
  void begin(RowTable &T, size_t Rows) const;
  /// Adds row \p Row to segment number \p First or a later one.
  void add(RowTable &T, uint32_t Row, size_t First) const {
    addRows(T, {&Row, 1}, SPECRT_SEGMENT_PATTERN_ROWS, First);
  }
  /// Adds SPECRT_ROWS_LANES rows with the same pattern, which begin at \p Rows.
  void addGroup(RowTable &T, const uint32_t *Rows, size_t First) const {
    addRows(T, {Rows, SPECRT_ROWS_LANES}, SPECRT_SEGMENT_PATTERN_GROUPS, First);
  }

private:
  /// The entries of a class by their storage.
  struct Parts {
    struct Follower {
      uint32_t Entry;
      uint64_t Times; ///< factor of the row's number
    };
    std::vector<Follower> Following;
    std::vector<uint32_t> Given;
  };
  struct Pattern {
    uint32_t Class;
    size_t At; ///< index in Numbers
  };

  static constexpr uint32_t NoClass = UINT32_MAX;

  bool fits(const Pattern &P, const Parts &Mine, const int64_t *Trace, uint64_t Row) const;
  uint16_t find(uint32_t Class, const int64_t *Trace, uint64_t Row);
  void addRows(RowTable &T, std::span<const uint32_t> Rows, specrt_segment_kind Kind,
               size_t First) const;

  const specrt_sparse_loop &Loop;
  std::vector<Parts> PartsOf; ///< by class
  /// by class: the class with its control that has code, or NoClass
  std::vector<uint32_t> WhoseCode;
  size_t MostGiven = 0;
  std::vector<Pattern> Patterns;
  std::vector<int64_t> Numbers;                    ///< in the format of RowTable::Patterns
  std::unordered_multimap<size_t, uint16_t> Known; ///< by hash
  std::array<uint16_t, 4> Recent{None, None, None, None};
  size_t NextRecent = 0;           ///< index in Recent
  LargeVector<uint16_t> PatternOf; ///< by row
  LargeVector<int64_t> Given;      ///< MostGiven numbers for each row
  uint64_t NumWithPattern = 0;
};

} // namespace specrt

#endif
