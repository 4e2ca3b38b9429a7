//===- structure/views/piece_pattern.h - patterns as affine pieces --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_VIEWS_PIECE_PATTERN_H
#define SPECRT_STRUCTURE_VIEWS_PIECE_PATTERN_H

#include "structure/rows/row_structure.h"
#include "structure/views/csr_pattern.h"

namespace specrt {

/// Rows by classes, in which columns grow by constant amounts from row to row. The trace of a row
/// is its number of columns, then the columns.
struct PiecePattern {
  int64_t Columns = 0;
  RowStructure Structure;
  /// The rows of segments of RestClass, one after the other.
  CsrPattern Rest;

  /// \p MinShare: minimal share of the rows for a class.
  explicit PiecePattern(const CsrPattern &Of, double MinShare = 0.005);
  CsrPattern toCsr() const;
  size_t bytes() const;
};

} // namespace specrt

#endif
