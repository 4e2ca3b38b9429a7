//===- tests/structure/patterns.h - matrices of all kinds, and the traces of their rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_STRUCTURE_PATTERNS_H
#define SPECRT_TESTS_STRUCTURE_PATTERNS_H

#include "structure/rows/row_structure.h"

#include <random>
#include <string>

namespace specrt_test {

/// Compressed rows; columns of a row in any order, repeated or not.
struct Pattern {
  std::string Name;
  int64_t Columns = 0;
  std::vector<int64_t> Start = {0}, Column;

  int64_t rows() const { return static_cast<int64_t>(Start.size()) - 1; }
  void add(int64_t ColumnOfRow) { Column.push_back(ColumnOfRow); }
  void endRow() { Start.push_back(static_cast<int64_t>(Column.size())); }
};

/// Finite differences on a grid of X x Y (x Z) points: neighbours along the axes.
Pattern grid(int64_t X, int64_t Y, int64_t Z = 1);
/// Nodes of an X x Y grid, each with its eight neighbours, and B unknowns per node.
Pattern elements(int64_t X, int64_t Y, int64_t B);
/// Nodes with random neighbours, and B unknowns per node.
Pattern randomBlocks(std::mt19937 &Random, int64_t Nodes, int64_t B);
Pattern band(int64_t Rows, int64_t Below, int64_t Above);
Pattern arrow(int64_t Rows);
/// Each row as long as Length() says, with random columns by ascending order.
Pattern randomRows(std::mt19937 &Random, int64_t Rows, int64_t MaxLength);
Pattern powerLaw(std::mt19937 &Random, int64_t Rows);
Pattern permuted(std::mt19937 &Random, const Pattern &Of);
/// With empty rows, one dense row, columns twice, or columns in any order.
Pattern spoiled(std::mt19937 &Random, const Pattern &Of);
/// Columns before the diagonal only.
Pattern lower(const Pattern &Of);
/// Any of these, of at most about MaxRows rows.
Pattern anyPattern(std::mt19937 &Random, int64_t MaxRows);

struct Trace {
  std::vector<specrt::EntryKind> Kinds;
  std::vector<int64_t> Entries;

  bool operator==(const Trace &) const = default;
};

/// What y = A x reads and decides: start, end, trip count, columns.
Trace productTrace(const Pattern &Of, int64_t Row);
/// What a loop decides that does something else on the diagonal: a branch behind each column.
Trace branchingTrace(const Pattern &Of, int64_t Row);

} // namespace specrt_test

#endif
