//===- bench/warmstart_kernels.cpp - a hundred different regions -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels are small products whose size is known at run time only. Code for the actual size
// wins clearly, so each region has a version to start with. The factor makes their code different.
//
//===----------------------------------------------------------------------===//
#include "bench/warmstart_kernels.h"

#include <utility>

namespace specrt::bench {
namespace {

template <int Number>
__attribute__((noinline)) void product(long N, const double *A, const double *B, double *C) {
  for (long I = 0; I < N; ++I)
    for (long J = 0; J < N; ++J) {
      double Sum = C[I * N + J];
      for (long K = 0; K < N; ++K)
        Sum += (Number + 2) * A[I * N + K] * B[K * N + J];
      C[I * N + J] = Sum;
    }
}

template <int... Numbers>
constexpr std::array<Kernel *, sizeof...(Numbers)>
all(std::integer_sequence<int, Numbers...>) noexcept {
  return {product<Numbers>...};
}

} // namespace

constinit const std::array<Kernel *, NumKernels> Kernels =
    all(std::make_integer_sequence<int, NumKernels>());

} // namespace specrt::bench
