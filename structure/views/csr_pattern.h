//===- structure/views/csr_pattern.h - patterns as compressed rows --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One of four views of the same set of pairs (row, column), which convert into each other through
// this one. Compressed rows suit general use (4 bytes per entry), intervals rows that are filled
// from a first to a last column (8 bytes per run), blocks set operations by whole words (16 bytes
// for up to 64 entries), pieces code generation (a word per row class entry, independent of the
// number of rows).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_VIEWS_CSR_PATTERN_H
#define SPECRT_STRUCTURE_VIEWS_CSR_PATTERN_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace specrt {

/// Columns, at most 2^32, ascend within a row without duplicates. The transpose gives compressed
/// columns.
struct CsrPattern {
  int64_t Columns = 0;
  std::vector<uint64_t> Start = {0}; ///< per row, its begin in Column; then the end
  std::vector<uint32_t> Column;

  int64_t rows() const { return static_cast<int64_t>(Start.size()) - 1; }
  size_t entries() const { return Column.size(); }
  std::span<const uint32_t> row(int64_t Row) const {
    const auto At = static_cast<size_t>(Row);
    return std::span(Column).subspan(Start[At], Start[At + 1] - Start[At]);
  }
  bool contains(int64_t Row, uint32_t ColumnOfRow) const;
  size_t bytes() const;
  void endRow() { Start.push_back(Column.size()); }
  bool operator==(const CsrPattern &) const = default;
};

/// Returns the pattern of a program's arrays: \p Starts has one element more than there are rows
/// and ascends from 0, \p ColumnsOfRows are in 0 .. Columns - 1, in any order and with duplicates
/// allowed.
CsrPattern sortedPattern(int64_t Columns, std::span<const int64_t> Starts,
                         std::span<const int64_t> ColumnsOfRows);

CsrPattern transposed(const CsrPattern &Of);

} // namespace specrt

#endif
