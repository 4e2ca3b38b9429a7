//===- structure/views/piece_pattern.h - a matrix by affine pieces ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_VIEWS_PIECE_PATTERN_H
#define SPECRT_STRUCTURE_VIEWS_PIECE_PATTERN_H

#include "structure/rows/row_structure.h"
#include "structure/views/csr_pattern.h"

namespace specrt {

/// Rows by classes, in which columns grow from row to row; the trace of a row is its number of
/// columns, then these.
struct PiecePattern {
  int64_t Columns = 0;
  RowStructure Structure;
  /// The rows of segments of RestClass, one after the other.
  CsrPattern Rest;

  /// \p MinShare: a class must have that share of the rows.
  explicit PiecePattern(const CsrPattern &Of, double MinShare = 0.005);
  CsrPattern toCsr() const;
  size_t bytes() const;
};

} // namespace specrt

#endif
