//===- bench/irregular/indirect_reads.cpp - rows that read elements from lists ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplies a sparse matrix, whose entries have no order, by a vector. Rows are independent for
// all contents of the lists.
#include "outcome.h"

namespace {

BENCH_KERNEL void multiply(double *To, const double *Values, const int *Columns, const int *Begin,
                           const double *From, long Rows) {
  for (long I = 0; I < Rows; ++I) {
    double Sum = 0.0;
    for (int K = Begin[I]; K < Begin[I + 1]; ++K)
      Sum += Values[K] * From[Columns[K]];
    To[I] = Sum;
  }
}

} // namespace

int main(int Argc, char **Argv) {
  const long Rows = bench::argument(Argc, Argv, 1, 30000);
  const long Calls = bench::argument(Argc, Argv, 2, 3000);
  const std::vector<double> Where = bench::numbers(32 * Rows, 1);
  std::vector<int> Begin{0}, Columns;
  for (long I = 0; I < Rows; ++I) {
    const long Length = 4 + static_cast<long>(12 * (1 + Where[I]));
    for (long K = 0; K < Length; ++K)
      Columns.push_back(static_cast<int>((1 + Where[32 * I + K]) / 2 * static_cast<double>(Rows)));
    Begin.push_back(static_cast<int>(Columns.size()));
  }
  const std::vector<double> Values = bench::numbers(Columns.size(), 2);
  std::vector<double> X = bench::numbers(Rows, 3), Y(Rows);
  bench::Stopwatch Time;
  for (long Call = 0; Call < Calls; ++Call) {
    multiply(Y.data(), Values.data(), Columns.data(), Begin.data(), X.data(), Rows);
    X[Call % Rows] = Y[Call % Rows];
  }
  Time.stop();
  Time.print(bench::checksum(Y));
}
