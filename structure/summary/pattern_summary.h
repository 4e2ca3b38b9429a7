//===- structure/summary/pattern_summary.h - describes a pattern in numbers and words -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_SUMMARY_PATTERN_SUMMARY_H
#define SPECRT_STRUCTURE_SUMMARY_PATTERN_SUMMARY_H

#include "structure/rows/row_structure.h"
#include "structure/views/csr_pattern.h"

#include <string>

namespace specrt {

struct RowLengths {
  size_t Shortest = 0, Longest = 0, Median = 0;
  double Mean = 0;
  size_t Empty = 0; ///< rows without entries
};

/// A diagonal with at least half of its places filled and at least a tenth of the matrix's length.
struct Diagonal {
  int64_t Offset = 0; ///< column minus row
  size_t Entries = 0;
  double Filled = 0; ///< share of its places that are filled
};

/// Square blocks whose first row and column are multiples of Edge.
struct DenseBlocks {
  size_t Edge = 0;  ///< 0: no blocks worth mentioning
  double Share = 0; ///< share of the entries that lie in full blocks
};

struct TriangleLevels {
  size_t Levels = 0, Widest = 0;
  size_t Merged = 0;   ///< levels after thin ones were merged
  size_t Parallel = 0; ///< merged levels that threads can share
};

struct PatternSummary {
  int64_t Rows = 0, Columns = 0;
  size_t Entries = 0;
  RowLengths Lengths;
  int64_t Below = 0, Above = 0;    ///< bandwidth below and above the diagonal
  std::vector<Diagonal> Diagonals; ///< sorted by offset
  DenseBlocks Blocks;
  RowStructure Structure; ///< rows as in PiecePattern
  TriangleLevels Lower;   ///< of a solve with the lower triangle
  size_t CsrBytes = 0, IntervalBytes = 0, BlockBytes = 0, PieceBytes = 0;
};

PatternSummary summarise(const CsrPattern &P);

/// Returns text such as "5 diagonals in 96 % of 90,000 rows, the rest gathered" for a structure
/// whose classes have no loaded values. \p FirstColumn: index of the first trace entry that is a
/// column.
std::string rowsText(const RowStructure &S, size_t FirstColumn);
/// Returns text such as "599 levels, 300 rows wide at most, merged to 24".
std::string levelsText(const TriangleLevels &L);

/// Returns the number with separators, such as "1,234,567".
std::string groupedNumber(uint64_t Number);

} // namespace specrt

#endif
