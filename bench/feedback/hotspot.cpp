//===- bench/feedback/hotspot.cpp - heat in a chip, with borders by conditions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/feedback/kernel.h"

__attribute__((noinline)) void step(long Rows, long Columns, const float *Heat, const float *Power,
                                    float *Out) {
  for (long R = 0; R < Rows; ++R)
    for (long C = 0; C < Columns; ++C) {
      const float Here = Heat[R * Columns + C];
      const float Up = R > 0 ? Heat[(R - 1) * Columns + C] : Here;
      const float Down = R < Rows - 1 ? Heat[(R + 1) * Columns + C] : Here;
      const float Left = C > 0 ? Heat[R * Columns + C - 1] : Here;
      const float Right = C < Columns - 1 ? Heat[R * Columns + C + 1] : Here;
      Out[R * Columns + C] =
          Here + 0.1F * (Power[R * Columns + C] + Up + Down + Left + Right - 4 * Here);
    }
}

int main() {
  constexpr long Rows = 64, Columns = 80;
  std::vector<float> Heat(Rows * Columns), Power(Rows * Columns), Out(Rows * Columns);
  fill(Heat);
  fill(Power);
  return repeat([&] { step(Rows, Columns, Heat.data(), Power.data(), Out.data()); }, Out);
}
