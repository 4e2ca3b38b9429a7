//===- examples/rows.cpp - a product of matrices that are double ** ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each row is allocated separately and accessed through a pointer, as in many textbooks. A compiler
// cannot know that rows do not overlap, nor that row K + 1 begins where row K ends.
//
// The lesson: rows that one loop allocates mostly have the same distance. With a guard that
// compares all row pointers they can be treated as one array, which can be tiled and vectorised
// like any other.
#include "support.h"

using namespace example;

namespace {

double **makeMatrix(long Rows, long Columns, Random *Numbers) {
  double **Matrix = new double *[Rows];
  for (long I = 0; I < Rows; ++I) {
    Matrix[I] = new double[Columns]();
    for (long J = 0; J < Columns && Numbers; ++J)
      Matrix[I][J] = Numbers->next();
  }
  return Matrix;
}

void freeMatrix(double **Matrix, long Rows) {
  for (long I = 0; I < Rows; ++I)
    delete[] Matrix[I];
  delete[] Matrix;
}

EXAMPLE_KERNEL void multiply(double **C, double **A, double **B, long N) {
  for (long I = 0; I < N; ++I)
    for (long J = 0; J < N; ++J) {
      C[I][J] = 0.0;
      for (long K = 0; K < N; ++K)
        C[I][J] += A[I][K] * B[K][J];
    }
}

} // namespace

int main(int Argc, char **Argv) {
  long N = 500, Repeat = 20;
  std::string Output;
  CommandLine Line("rows", "a product of matrices whose rows are allocated one by one");
  Line.positional("n", "rows and columns", N, 1, 20000);
  Line.option("repeat", "products", Repeat, 1, 100000);
  Line.option("output", "file for the result as raw doubles", Output);
  Line.parse(Argc, Argv);

  Random Numbers(5);
  double **A = makeMatrix(N, N, &Numbers), **B = makeMatrix(N, N, &Numbers);
  double **C = makeMatrix(N, N, nullptr);
  Stopwatch Watch;
  Watch.start();
  for (long I = 0; I < Repeat; ++I)
    multiply(C, A, B, N);
  Watch.stop();

  Checksum Sum;
  std::vector<double> All;
  for (long I = 0; I < N; ++I)
    All.insert(All.end(), C[I], C[I] + N);
  Sum.add(All);
  writeFile(Output, "", All.data(), All.size() * sizeof(double));
  std::printf("corner=%.17g\n", All.back());
  report(Sum, Watch);
  for (double **Matrix : {A, B, C})
    freeMatrix(Matrix, N);
}
