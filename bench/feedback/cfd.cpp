//===- bench/feedback/cfd.cpp - flow between cells of a free mesh --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/feedback/kernel.h"

__attribute__((noinline)) void fluxes(long NumCells, const int *Neighbours, const float *Normals,
                                      const float *Density, const float *Momentum, float *Flux) {
  for (long I = 0; I < NumCells; ++I) {
    float Sum = 0;
    for (long N = 0; N < 4; ++N) {
      const int Other = Neighbours[I * 4 + N];
      if (Other >= 0)
        Sum += Normals[I * 4 + N] * (Momentum[Other] / Density[Other] - Momentum[I] / Density[I]);
    }
    Flux[I] += Sum;
  }
}

int main() {
  constexpr long NumCells = 1500;
  std::vector<int> Neighbours(4 * NumCells);
  std::vector<float> Normals(4 * NumCells), Density(NumCells), Momentum(NumCells), Flux(NumCells);
  for (int &Other : Neighbours)
    Other = int(dice(NumCells + 100)) - 100;
  fill(Normals);
  fill(Momentum);
  for (float &Value : Density)
    Value = 1 + float(dice(10));
  return repeat(
      [&] {
        fluxes(NumCells, Neighbours.data(), Normals.data(), Density.data(), Momentum.data(),
               Flux.data());
      },
      Flux);
}
