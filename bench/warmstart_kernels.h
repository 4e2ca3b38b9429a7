//===- bench/warmstart_kernels.h - a hundred different regions -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_BENCH_WARMSTART_KERNELS_H
#define SPECRT_BENCH_WARMSTART_KERNELS_H

#include <array>

namespace specrt::bench {

/// C += factor * A * B for N x N matrices.
using Kernel = void(long N, const double *A, const double *B, double *C);

constexpr int NumKernels = 100;
extern const std::array<Kernel *, NumKernels> Kernels;

} // namespace specrt::bench

#endif
