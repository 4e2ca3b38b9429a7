//===- bench/feedback/pathfinder.cpp - the cheapest way down a grid ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/feedback/kernel.h"

__attribute__((noinline)) void paths(long NumRows, long NumColumns, int **Wall, int *Costs) {
  for (long T = 0; T < NumRows - 1; ++T)
    for (long N = 0; N < NumColumns; ++N) {
      const int *From = Costs + (T % 2) * NumColumns;
      int Least = From[N];
      if (N > 0 && From[N - 1] < Least)
        Least = From[N - 1];
      if (N < NumColumns - 1 && From[N + 1] < Least)
        Least = From[N + 1];
      Costs[((T + 1) % 2) * NumColumns + N] = Wall[T + 1][N] + Least;
    }
}

int main() {
  constexpr long NumRows = 50, NumColumns = 100;
  Rows<int> Wall(NumRows, NumColumns);
  std::vector<int> Costs(2 * NumColumns);
  return repeat(
      [&] {
        std::fill(Costs.begin(), Costs.end(), 0);
        paths(NumRows, NumColumns, Wall.data(), Costs.data());
      },
      Costs);
}
