//===- structure/summary/pattern_summary.h - what a pattern is like, in numbers and words ---===//
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

/// A diagonal of which at least half is there, and which is at least a tenth as long as the matrix.
struct Diagonal {
  int64_t Offset = 0; ///< column less row
  size_t Entries = 0;
  double Filled = 0; ///< the share of its places
};

/// Square blocks whose first row and column are multiples of Edge.
struct DenseBlocks {
  size_t Edge = 0;  ///< 0: none are worth a word
  double Share = 0; ///< of the entries, in blocks without a hole
};

struct TriangleLevels {
  size_t Levels = 0, Widest = 0;
  size_t Merged = 0;   ///< levels after thin ones became one
  size_t Parallel = 0; ///< of these, such as threads can share
};

struct PatternSummary {
  int64_t Rows = 0, Columns = 0;
  size_t Entries = 0;
  RowLengths Lengths;
  int64_t Below = 0, Above = 0;    ///< the bandwidth on both sides of the diagonal
  std::vector<Diagonal> Diagonals; ///< by offset
  DenseBlocks Blocks;
  RowStructure Structure; ///< of rows as in PiecePattern
  TriangleLevels Lower;   ///< of a solve with what is left of the diagonal
  size_t CsrBytes = 0, IntervalBytes = 0, BlockBytes = 0, PieceBytes = 0;
};

PatternSummary summarise(const CsrPattern &P);

/// "5 diagonals in 96 % of 90,000 rows, the rest gathered", for a structure whose classes have
/// no loaded values. \p FirstColumn: the entry of a trace from which on values are columns.
std::string rowsText(const RowStructure &S, size_t FirstColumn);
/// "599 levels, 300 rows wide at most, merged to 24"
std::string levelsText(const TriangleLevels &L);

/// "1,234,567"
std::string groupedNumber(uint64_t Number);

} // namespace specrt

#endif
