//===- examples/matrix_market.h - a sparse matrix from a Matrix Market file ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_EXAMPLES_MATRIX_MARKET_H
#define SPECRT_EXAMPLES_MATRIX_MARKET_H

#include "../structure/matrix_market.h"
#include "support.h"

namespace example {

/// Row I holds the entries RowStart[I] .. RowStart[I + 1] - 1, by ascending column.
struct CsrMatrix {
  long Rows = 0, Columns = 0;
  std::vector<int> RowStart, Column;
  std::vector<double> Value;
};

/// Reads real, integer and pattern entries into compressed rows.
class MatrixMarketReader {
public:
  explicit MatrixMarketReader(std::string Path) : Path(std::move(Path)) {}

  /// Returns the matrix. Ends the program with a message if the file is missing or malformed.
  CsrMatrix read() const {
    try {
      return compress(specrt::readMatrixMarket(Path, /*NeedsValues=*/true));
    } catch (const specrt::MatrixMarketError &Error) {
      fail(Error.what());
    }
  }

private:
  static CsrMatrix compress(specrt::MatrixMarketFile File) {
    using Entry = specrt::MatrixMarketEntry;
    std::sort(File.Entries.begin(), File.Entries.end(), [](const Entry &A, const Entry &B) {
      return A.Row != B.Row ? A.Row < B.Row : A.Column < B.Column;
    });
    CsrMatrix Matrix;
    Matrix.Rows = File.Rows;
    Matrix.Columns = File.Columns;
    Matrix.RowStart.assign(File.Rows + 1, 0);
    for (const Entry &E : File.Entries) {
      ++Matrix.RowStart[E.Row + 1];
      Matrix.Column.push_back(static_cast<int>(E.Column));
      Matrix.Value.push_back(E.Value);
    }
    for (long I = 0; I < File.Rows; ++I)
      Matrix.RowStart[I + 1] += Matrix.RowStart[I];
    return Matrix;
  }

  std::string Path;
};

} // namespace example

#endif
