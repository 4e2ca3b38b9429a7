//===- structure/summary/row_picture.h - what rows of a loop read, as a picture ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over rows does not say what its columns are. What inner loops read to decide where else
// they access is as good: in compressed rows these are columns. A picture has some rows only, so
// that it costs little to make.
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

/// Cells of a picture; each line stands for as many rows as any other, about.
struct RowCells {
  uint32_t Width = 0;
  std::vector<std::vector<uint32_t>> Lines; ///< where something is: ascending, each once
  std::vector<uint32_t> Classes;            ///< by line; RestClass: none
};

class RowPicture {
public:
  static constexpr uint32_t MaxCells = 200;

  /// \p Columns: values are below that, and the picture shows all of that width; 0: as wide as it
  /// needs to be.
  explicit RowPicture(uint64_t Rows, uint64_t Columns = 0);

  /// Rows come in ascending order, all of them.
  void row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries) {
    if (Row++ == NextShown)
      show(Kinds, Trace, Entries);
  }
  /// So many rows may come that are not shown.
  uint64_t untilShown() const { return NextShown - std::min(NextShown, Row); }
  /// So many have come.
  void skip(uint64_t Rows) { Row += Rows; }
  /// In place of row(), with Columns: what the next one of rowOf(0), rowOf(1) … has, ascending.
  void showRow(std::span<const uint32_t> Values);
  /// The number of row \p Line of those that are shown.
  uint64_t rowOf(uint32_t Line) const;
  uint32_t lines() const { return NumLines; }
  /// The class of each line's row.
  void setClasses(std::vector<uint32_t> OfLines) { Classes = std::move(OfLines); }

  RowCells cells() const;
  /// All that it is, for of().
  std::vector<int64_t> numbers() const;
  /// Null: no picture has such numbers.
  static std::shared_ptr<const RowPicture> of(std::span<const int64_t> Numbers);
  /// Memory that it takes, about.
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
