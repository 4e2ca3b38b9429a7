//===- bench/feedback/nw.cpp - the alignment of two sequences ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/feedback/kernel.h"

__attribute__((noinline)) void align(long Size, const int *Reference, int *Score, int Penalty) {
  for (long I = 1; I < Size; ++I)
    for (long J = 1; J < Size; ++J) {
      const int Both = Score[(I - 1) * Size + J - 1] + Reference[I * Size + J];
      const int Left = Score[I * Size + J - 1] - Penalty, Up = Score[(I - 1) * Size + J] - Penalty;
      const int More = Left > Up ? Left : Up;
      Score[I * Size + J] = Both > More ? Both : More;
    }
}

int main() {
  constexpr long Size = 80;
  std::vector<int> Reference(Size * Size), Score(Size * Size);
  fill(Reference);
  return repeat([&] { align(Size, Reference.data(), Score.data(), 10); }, Score);
}
