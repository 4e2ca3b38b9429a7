//===- bench/programs/phases.cpp - a filter that changes half way ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures are smoothed with a window of 3 x 3, later ones of another shape with one of 7 x 7, so
// that measurements of the first ones do not apply to the later ones.
#include "outcome.h"

namespace {

/// Out has the rows and columns of In that have a whole window.
void smooth(double *Out, const double *In, long Rows, long Columns, const double *Window,
            long Width) {
  for (long I = 0; I + Width <= Rows; ++I)
    for (long J = 0; J + Width <= Columns; ++J) {
      double Sum = 0.0;
      for (long A = 0; A < Width; ++A)
        for (long B = 0; B < Width; ++B)
          Sum += Window[A * Width + B] * In[(I + A) * Columns + J + B];
      Out[I * Columns + J] = Sum;
    }
}

} // namespace

int main(int Argc, char **Argv) {
  const long N = bench::argument(Argc, Argv, 1, 400), Calls = bench::argument(Argc, Argv, 2, 300);
  const std::vector<double> In = bench::numbers(2 * N * N, 1), Window = bench::numbers(49, 2);
  std::vector<double> Out(2 * N * N);
  bench::Stopwatch Time;
  uint64_t Seen = 0;
  for (long C = 0; C < 5 * Calls; ++C) {
    const bool Later = C >= 4 * Calls;
    smooth(Out.data(), In.data(), Later ? N / 2 : N, Later ? 2 * N : N, Window.data(),
           Later ? 7 : 3);
    Seen ^= bench::checksum(&Out[C], 1);
  }
  Time.stop();
  Time.print(Seen ^ bench::checksum(Out));
}
