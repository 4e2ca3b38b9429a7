//===- bench/irregular/pair_forces.cpp - forces on both particles of a pair ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forces of a list of neighbours, each computed once (Newton's third law). The order of the
// sums depends on the list.
#include "outcome.h"

namespace {

/// Adds the forces of all pairs closer than the root of Cut; returns their energy.
BENCH_KERNEL double addForces(double *FX, double *FY, double *FZ, const double *X, const double *Y,
                              const double *Z, const int *Begin, const int *Neighbours, long Count,
                              double Cut) {
  double Energy = 0;
  for (long I = 0; I < Count; ++I) {
    double SumX = 0, SumY = 0, SumZ = 0;
    for (int K = Begin[I]; K < Begin[I + 1]; ++K) {
      const int J = Neighbours[K];
      const double DX = X[I] - X[J], DY = Y[I] - Y[J], DZ = Z[I] - Z[J];
      const double Square = DX * DX + DY * DY + DZ * DZ;
      if (Square >= Cut)
        continue;
      const double Inverse = 1 / Square, Sixth = Inverse * Inverse * Inverse;
      const double Force = 48 * Inverse * Sixth * (Sixth - 0.5);
      Energy += 4 * Sixth * (Sixth - 1);
      SumX += Force * DX;
      SumY += Force * DY;
      SumZ += Force * DZ;
      FX[J] -= Force * DX;
      FY[J] -= Force * DY;
      FZ[J] -= Force * DZ;
    }
    FX[I] += SumX;
    FY[I] += SumY;
    FZ[I] += SumZ;
  }
  return Energy;
}

} // namespace

int main(int Argc, char **Argv) {
  const long Edge = bench::argument(Argc, Argv, 1, 24);
  const long Calls = bench::argument(Argc, Argv, 2, 500);
  const long Count = Edge * Edge * Edge;
  const std::vector<double> Noise = bench::numbers(3 * Count, 1);
  std::vector<double> X(Count), Y(Count), Z(Count), FX(Count), FY(Count), FZ(Count);
  std::vector<int> Begin{0}, Neighbours;
  for (long I = 0; I < Count; ++I) {
    const long At[3] = {I % Edge, I / Edge % Edge, I / Edge / Edge};
    X[I] = 1.2 * static_cast<double>(At[0]) + 0.1 * Noise[3 * I];
    Y[I] = 1.2 * static_cast<double>(At[1]) + 0.1 * Noise[3 * I + 1];
    Z[I] = 1.2 * static_cast<double>(At[2]) + 0.1 * Noise[3 * I + 2];
    for (long J = I + 1; J < Count && J <= I + 2 * (Edge * Edge + Edge + 1); ++J) {
      const long DX = J % Edge - At[0], DY = J / Edge % Edge - At[1], DZ = J / Edge / Edge - At[2];
      if (DX * DX + DY * DY + DZ * DZ <= 8)
        Neighbours.push_back(static_cast<int>(J));
    }
    Begin.push_back(static_cast<int>(Neighbours.size()));
  }
  double Energy = 0;
  bench::Stopwatch Time;
  for (long Call = 0; Call < Calls; ++Call) {
    Energy += addForces(FX.data(), FY.data(), FZ.data(), X.data(), Y.data(), Z.data(), Begin.data(),
                        Neighbours.data(), Count, 6.25);
    X[Call % Count] += 1e-6 * FX[Call % Count];
  }
  Time.stop();
  FX.push_back(Energy);
  Time.print(bench::checksum(FX));
}
