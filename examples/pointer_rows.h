//===- examples/pointer_rows.h - sparse matrices as arrays of pointers to rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each row has its own memory for its columns and for its values, as in programs that insert and
// remove rows.
#ifndef SPECRT_EXAMPLES_POINTER_ROWS_H
#define SPECRT_EXAMPLES_POINTER_ROWS_H

#include "matrix_market.h"
#include <algorithm>
#include <memory>

namespace example {

struct PointerRows {
  long Rows = 0;
  std::vector<int> Length; // entries of each row
  std::vector<std::unique_ptr<int[]>> Columns;
  std::vector<std::unique_ptr<double[]>> Values;
  std::vector<int *> Column; // the first column of each row
  std::vector<double *> Value;

  explicit PointerRows(const CsrMatrix &A) : Rows(A.Rows) {
    for (long i = 0; i < Rows; ++i) {
      const int First = A.RowStart[i], Count = A.RowStart[i + 1] - First;
      Length.push_back(Count);
      Columns.push_back(std::make_unique<int[]>(Count));
      Values.push_back(std::make_unique<double[]>(Count));
      Column.push_back(Columns.back().get());
      Value.push_back(Values.back().get());
      std::copy_n(A.Column.begin() + First, Count, Column.back());
      std::copy_n(A.Value.begin() + First, Count, Value.back());
    }
  }
};

constexpr char RowsHelp[] = "compressed, or pointers to rows";

/// Returns whether the option --rows asks for pointers to rows.
inline bool arePointers(const std::string &Rows) {
  if (Rows != "compressed" && Rows != "pointers")
    fail("rows must be compressed or pointers, not '" + Rows + "'");
  return Rows == "pointers";
}

} // namespace example

#endif
