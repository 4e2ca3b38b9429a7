//===- examples/package/main.cpp - a program built against an installed libspecrt ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a value of the result, which is the same with and without specrt. Only the build refers to
// libspecrt.
#include "smooth.h"
#include <cstdio>
#include <utility>
#include <vector>

int main() {
  const long Rows = 300, Columns = 400;
  std::vector<double> Now(Rows * Columns, 0.0);
  for (long I = 0; I < Rows; ++I)
    Now[I * Columns] = 100.0;
  std::vector<double> Next = Now;
  for (int Step = 0; Step < 2000; ++Step) {
    smooth(Next.data(), Now.data(), Rows, Columns);
    std::swap(Now, Next);
  }
  std::printf("%.17g\n", Now[Rows / 2 * Columns + 10]);
}
