//===- bench/feedback/lud.cpp - triangular factors, in place -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/feedback/kernel.h"

__attribute__((noinline)) void factors(long Size, float *A) {
  for (long I = 0; I < Size; ++I) {
    for (long J = I; J < Size; ++J) {
      float Sum = A[I * Size + J];
      for (long K = 0; K < I; ++K)
        Sum -= A[I * Size + K] * A[K * Size + J];
      A[I * Size + J] = Sum;
    }
    for (long J = I + 1; J < Size; ++J) {
      float Sum = A[J * Size + I];
      for (long K = 0; K < I; ++K)
        Sum -= A[J * Size + K] * A[K * Size + I];
      A[J * Size + I] = Sum / A[I * Size + I];
    }
  }
}

int main() {
  constexpr long Size = 36;
  std::vector<float> Given(Size * Size), A;
  fill(Given);
  for (long I = 0; I < Size; ++I)
    Given[I * Size + I] += 1000;
  A = Given;
  return repeat(
      [&] {
        std::copy(Given.begin(), Given.end(), A.begin());
        factors(Size, A.data());
      },
      A);
}
