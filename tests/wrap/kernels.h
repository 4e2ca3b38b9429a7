//===- tests/wrap/kernels.h - functions of kernels.c ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_WRAP_KERNELS_H
#define SPECRT_TESTS_WRAP_KERNELS_H

#include <cstddef>
#include <vector>

using Gemm = void(long, long, long, double, double, double *, const double *, const double *);
constexpr const char *GemmSignature =
    "void gemm(i64 n, i64 m, i64 p, f64 alpha, f64 beta, ptr C, ptr A, ptr B)";
using Each = long(long, long, long (*)(long));

inline std::vector<double> numbers(size_t Count, double Start) {
  std::vector<double> Values(Count);
  for (size_t I = 0; I < Count; ++I)
    Values[I] = Start + static_cast<double>(I * 7919 % 1009) / 97;
  return Values;
}

#endif
