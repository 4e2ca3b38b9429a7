//===- tests/e2e/programs/three_sizes.cpp - 6000 calls of three sizes in turn ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: three-sizes. One thread, one hot region; prints a checksum.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <initializer_list>

extern "C" __attribute__((noinline)) void product(long n, double *C, const double *A,
                                                  const double *B) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      double Sum = 0;
      for (long k = 0; k < n; k++)
        Sum += A[i * n + k] * B[k * n + j];
      C[i * n + j] = Sum;
    }
}

int main() {
  static double A[72 * 72], B[72 * 72], C[72 * 72];
  for (int I = 0; I < 72 * 72; I++) {
    A[I] = I % 7;
    B[I] = I % 5;
  }
  double Sum = 0;
  for (int Round = 0; Round < 2000; Round++)
    for (long Size : {40, 56, 72}) {
      product(Size, C, A, B);
      Sum += C[7];
    }
  std::printf("%.17g\n", Sum);
}
