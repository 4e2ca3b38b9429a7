//===- bench/sparse/sparse.h - matrices, clock and outcome of the sparse programs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang compiles these functions for both builds of a program, so that compilers under comparison
// see only the program's own loops.
#ifndef SPECRT_BENCH_SPARSE_SPARSE_H
#define SPECRT_BENCH_SPARSE_SPARSE_H

#include "outcome.h"
#include <chrono>

namespace bench {

/// Row I holds the entries RowStart[I] .. RowStart[I + 1] - 1, by ascending column.
struct Matrix {
  long Rows = 0;
  std::vector<int> RowStart, Column;
  std::vector<double> Value;
  double entries() const { return static_cast<double>(Column.size()); }
};

/// Returns the matrix of argument \p Index, a file or a generator (examples/sparse_matrices.h).
Matrix matrixArgument(int Argc, char **Argv, int Index);

/// The lower triangle, whose rows end with their diagonal, and the upper one, which begin with it.
Matrix lowerTriangle(const Matrix &A);
Matrix upperTriangle(const Matrix &A);
Matrix transposed(const Matrix &A);
/// The pattern of A * B, with zeros as values.
Matrix productPattern(const Matrix &A, const Matrix &B);
/// The pattern of L + L' of the Cholesky factor L in this order of unknowns; holds A's values.
Matrix withFill(const Matrix &A);
/// Returns the position of the diagonal of each row.
std::vector<int> diagonals(const Matrix &A);
/// A matrix whose rows have memory of their own, allocated one after the other.
struct PointerRows {
  std::vector<std::vector<int>> Columns;
  std::vector<std::vector<double>> Values;
  std::vector<int> Length;
  std::vector<const int *> Column; ///< to each row's first
  std::vector<const double *> Value;
};
PointerRows pointerRows(const Matrix &A);
/// Entries of the factor's pattern \p F beside those of \p A, which it contains: A's values there,
/// zeros elsewhere.
std::vector<double> scatteredInto(const Matrix &F, const Matrix &A);

/// The theoretical cost of a call: the least traffic, each array once, and operations.
struct Work {
  double Bytes, Operations;
};

/// The times of the calls of a kernel.
class Calls {
public:
  void begin() { Begin = Clock::now(); }
  void end() { Seconds.push_back(std::chrono::duration<double>(Clock::now() - Begin).count()); }
  /// Prints one JSON object: the sum of the times as "seconds", the median of the later half as
  /// "steady", "calls", "bytes" and "operations" of one call, "checksum" over all bits of \p Result
  /// and "norm", which other orders of operations reach as well.
  void print(const std::vector<double> &Result, Work OfOne) const;

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point Begin;
  std::vector<double> Seconds;
};

} // namespace bench

#endif
