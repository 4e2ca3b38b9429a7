//===- bench/programs/levels.cpp - multigrid: the same loops on grids of many sizes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// V-cycles for a Poisson equation on a square: each level has half the points per direction of the
// one above, and the same functions work on all of them.
#include "outcome.h"
#include <algorithm>

namespace {

struct Grid {
  explicit Grid(long N) : N(N), U(N * N), F(N * N), R(N * N) {}
  long N;
  std::vector<double> U, F, R;
};

void smooth(double *Next, const double *U, const double *F, long N) {
  for (long I = 1; I < N - 1; ++I)
    for (long J = 1; J < N - 1; ++J)
      Next[I * N + J] =
          0.2 * U[I * N + J] + 0.2 * (U[(I - 1) * N + J] + U[(I + 1) * N + J] + U[I * N + J - 1] +
                                      U[I * N + J + 1] + F[I * N + J]);
}

void residual(double *R, const double *U, const double *F, long N) {
  for (long I = 1; I < N - 1; ++I)
    for (long J = 1; J < N - 1; ++J)
      R[I * N + J] = F[I * N + J] - (4.0 * U[I * N + J] - U[(I - 1) * N + J] - U[(I + 1) * N + J] -
                                     U[I * N + J - 1] - U[I * N + J + 1]);
}

/// Restricts R to the level below, whose grid has M = (N + 1) / 2 points per direction.
void restrictTo(double *F, long M, const double *R, long N) {
  for (long I = 1; I < M - 1; ++I)
    for (long J = 1; J < M - 1; ++J)
      F[I * M + J] =
          R[2 * I * N + 2 * J] + 0.5 * (R[(2 * I - 1) * N + 2 * J] + R[(2 * I + 1) * N + 2 * J] +
                                        R[2 * I * N + 2 * J - 1] + R[2 * I * N + 2 * J + 1]);
}

void prolong(double *U, long N, const double *Coarse, long M) {
  for (long I = 0; I < M - 1; ++I)
    for (long J = 0; J < M - 1; ++J) {
      const double A = Coarse[I * M + J], B = Coarse[I * M + J + 1];
      const double C = Coarse[(I + 1) * M + J], D = Coarse[(I + 1) * M + J + 1];
      U[2 * I * N + 2 * J] += A;
      U[2 * I * N + 2 * J + 1] += 0.5 * (A + B);
      U[(2 * I + 1) * N + 2 * J] += 0.5 * (A + C);
      U[(2 * I + 1) * N + 2 * J + 1] += 0.25 * (A + B + C + D);
    }
}

void smoothTwice(Grid &G) {
  smooth(G.R.data(), G.U.data(), G.F.data(), G.N);
  smooth(G.U.data(), G.R.data(), G.F.data(), G.N);
}

void cycle(std::vector<Grid> &Levels, size_t Level) {
  Grid &G = Levels[Level];
  smoothTwice(G);
  if (Level + 1 < Levels.size()) {
    Grid &Below = Levels[Level + 1];
    std::fill(G.R.begin(), G.R.end(), 0.0);
    residual(G.R.data(), G.U.data(), G.F.data(), G.N);
    restrictTo(Below.F.data(), Below.N, G.R.data(), G.N);
    std::fill(Below.U.begin(), Below.U.end(), 0.0);
    cycle(Levels, Level + 1);
    prolong(G.U.data(), G.N, Below.U.data(), Below.N);
  }
  std::fill(G.R.begin(), G.R.end(), 0.0);
  smoothTwice(G);
}

} // namespace

int main(int Argc, char **Argv) {
  const long Exponent = bench::argument(Argc, Argv, 1, 9),
             Cycles = bench::argument(Argc, Argv, 2, 300);
  std::vector<Grid> Levels;
  for (long E = Exponent; E >= 2; --E)
    Levels.emplace_back((1L << E) + 1);
  bench::fill(Levels[0].F.data(), Levels[0].F.size(), 1);
  bench::Stopwatch Time;
  for (long C = 0; C < Cycles; ++C)
    cycle(Levels, 0);
  Time.stop();
  Time.print(bench::checksum(Levels[0].U));
}
