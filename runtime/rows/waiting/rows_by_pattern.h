//===- runtime/rows/waiting/rows_by_pattern.h - rows of which a pattern tells most -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What grows with the row's number in one class of a loop does so in other rows with the same
// control, wherever they are: the columns of a grid's rows, at its sides too. Less that, rows of a
// few kinds have the same values, their *pattern*; each is given the others.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_WAITING_ROWS_BY_PATTERN_H
#define SPECRT_RUNTIME_ROWS_WAITING_ROWS_BY_PATTERN_H

#include "runtime/rows/row_table.h"
#include "structure/levels/row_groups.h"

#include <array>
#include <unordered_map>

namespace specrt {

static_assert(RowGroups::Rows == SPECRT_ROWS_LANES);

class RowsByPattern {
public:
  /// No pattern tells of the row.
  static constexpr uint16_t None = RowGroups::None;

  /// So many rows are expected.
  RowsByPattern(const specrt_rows_site &Site, uint64_t Rows);

  /// The next row has the control of class \p Like, or of none (specrt_rows_site::num_classes or
  /// more).
  void row(uint32_t Like, const int64_t *Trace);
  /// By row, which pattern it has.
  std::span<const uint16_t> patterns() const { return PatternOf; }
  /// Of how many rows there is one.
  uint64_t told() const { return Told; }
  size_t bytes() const {
    return PatternOf.capacity() * sizeof(uint16_t) + Given.capacity() * sizeof(int64_t);
  }

  /// \p T gets what \p Rows rows need at most, and does not move it any more.
  void begin(RowTable &T, size_t Rows) const;
  /// Adds row \p Row to segment number \p First or one behind it.
  void add(RowTable &T, uint32_t Row, size_t First) const { addRows(T, {&Row, 1}, 6, First); }
  /// Likewise SPECRT_ROWS_LANES rows with the same pattern, which begin at \p Rows.
  void addGroup(RowTable &T, const uint32_t *Rows, size_t First) const {
    addRows(T, {Rows, SPECRT_ROWS_LANES}, 5, First);
  }

private:
  /// Entries of a class.
  struct Parts {
    struct Follower {
      uint32_t Entry;
      uint64_t Times; ///< the row's number
    };
    std::vector<Follower> Following;
    std::vector<uint32_t> Given;
  };
  struct Pattern {
    uint32_t Class;
    size_t At; ///< in Numbers
  };

  static constexpr uint32_t NoClass = UINT32_MAX;

  bool fits(const Pattern &P, const Parts &Mine, const int64_t *Trace, uint64_t Row) const;
  uint16_t find(uint32_t Class, const int64_t *Trace, uint64_t Row);
  void addRows(RowTable &T, std::span<const uint32_t> Rows, uint32_t Times, size_t First) const;

  const specrt_rows_site &Site;
  std::vector<Parts> PartsOf;      ///< by class
  std::vector<uint32_t> WhoseCode; ///< by class: that with its control which has code, or NoClass
  size_t MostGiven = 0;
  std::vector<Pattern> Patterns;
  std::vector<int64_t> Numbers;                    ///< as RowTable::Patterns has them
  std::unordered_multimap<size_t, uint16_t> Known; ///< by hash
  std::array<uint16_t, 4> Recent{None, None, None, None};
  size_t NextRecent = 0;           ///< in Recent
  LargeVector<uint16_t> PatternOf; ///< by row
  LargeVector<int64_t> Given;      ///< MostGiven for each row
  uint64_t Told = 0;
};

} // namespace specrt

#endif
