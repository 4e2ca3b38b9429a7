//===- structure/summary/row_picture.h - pictures of what rows of a loop read -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over rows does not say which values are columns. Values that inner loops read to compute
// addresses serve instead: in compressed rows these are the columns. A picture samples rows, so
// that it is cheap to make.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_SUMMARY_ROW_PICTURE_H
#define SPECRT_STRUCTURE_SUMMARY_ROW_PICTURE_H

#include "structure/rows/row_structure.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace specrt {

/// Cells of a picture; each line stands for about the same number of rows.
struct RowCells {
  uint32_t Width = 0;
  std::vector<std::vector<uint32_t>> Lines; ///< nonempty cells: ascending, without duplicates
  std::vector<uint32_t> Classes;            ///< by line; RestClass: none
};

class RowPicture {
public:
  static constexpr uint32_t MaxCells = 200;

  /// \p Columns: upper bound of the values, and the width of the picture; 0: as wide as necessary.
  explicit RowPicture(uint64_t Rows, uint64_t Columns = 0);

  /// Adds the next row; rows come in ascending order.
  void row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries) {
    if (Row++ == NextShown)
      show(Kinds, Trace, Entries);
  }
  /// Returns how many rows may follow before one is shown.
  uint64_t untilShown() const { return NextShown - std::min(NextShown, Row); }
  /// Adds \p Rows rows that are not shown.
  void skip(uint64_t Rows) { Row += Rows; }
  /// Replaces row() if Columns is set: adds the next of rows rowOf(0), rowOf(1), ... with its
  /// ascending values.
  void showRow(std::span<const uint32_t> Values);
  /// Returns the row number that \p Line shows.
  uint64_t rowOf(uint32_t Line) const;
  uint32_t lines() const { return NumLines; }
  /// Sets the class of each line's row.
  void setClasses(std::vector<uint32_t> OfLines) { Classes = std::move(OfLines); }

  RowCells cells() const;
  /// Returns the serialised picture, for of().
  std::vector<int64_t> numbers() const;
  /// Restores a picture from numbers(); null if \p Numbers are invalid.
  static std::shared_ptr<const RowPicture> of(std::span<const int64_t> Numbers);
  /// Returns the approximate memory in bytes.
  size_t bytes() const;

private:
  void show(const EntryKind *Kinds, const int64_t *Trace, size_t Entries);

  uint64_t Rows, Columns;
  uint32_t NumLines;
  uint64_t Row = 0, NextShown = 0;
  std::vector<std::vector<int64_t>> Shown; ///< by line
  std::vector<uint32_t> Classes;
};

} // namespace specrt

#endif
