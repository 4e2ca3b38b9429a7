//===- bench/feedback/srad.cpp - an image, smoothed through arrays of indices ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/feedback/kernel.h"

__attribute__((noinline)) void diffuse(long Rows, long Columns, const float *Image, float *Out,
                                       const int *North, const int *South, const int *West,
                                       const int *East) {
  for (long I = 0; I < Rows; ++I)
    for (long J = 0; J < Columns; ++J) {
      const float Here = Image[I * Columns + J];
      const float Sum = Image[North[I] * Columns + J] + Image[South[I] * Columns + J] +
                        Image[I * Columns + West[J]] + Image[I * Columns + East[J]];
      Out[I * Columns + J] = Here + 0.05F * (Sum - 4 * Here);
    }
}

int main() {
  constexpr int Rows = 60, Columns = 64;
  std::vector<float> Image(Rows * Columns), Out(Rows * Columns);
  std::vector<int> North(Rows), South(Rows), West(Columns), East(Columns);
  fill(Image);
  for (int I = 0; I < Rows; ++I) {
    North[I] = I > 0 ? I - 1 : 0;
    South[I] = I < Rows - 1 ? I + 1 : I;
  }
  for (int J = 0; J < Columns; ++J) {
    West[J] = J > 0 ? J - 1 : 0;
    East[J] = J < Columns - 1 ? J + 1 : J;
  }
  return repeat(
      [&] {
        diffuse(Rows, Columns, Image.data(), Out.data(), North.data(), South.data(), West.data(),
                East.data());
      },
      Out);
}
