//===- tests/e2e/programs/steps.cpp - a program that calls its kernel once ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: steps [STEPS]. A long call by the trip counts of its loops, with little memory. Prints a
// checksum of the bits that it computes.
//
//===----------------------------------------------------------------------===//
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int N = 4000;
double A[N], B[N];

} // namespace

extern "C" __attribute__((noinline)) void approach(int Steps) {
  for (int T = 0; T < Steps; T++)
    for (int I = 0; I < N; I++)
      A[I] = 0.5 * A[I] + B[I];
}

int main(int Argc, char **Argv) {
  for (int I = 0; I < N; I++)
    A[I] = B[I] = (I % 7) * 0.25 + 2;
  approach(Argc > 1 ? std::atoi(Argv[1]) : 10000);
  uint64_t Sum = 0, Bits = 0;
  for (const double &Value : A) {
    std::memcpy(&Bits, &Value, sizeof(Bits));
    Sum = Sum * 31 + Bits;
  }
  std::printf("%016" PRIx64 "\n", Sum);
  return 0;
}
