//===- tests/jit/numbers.h - numbers for kernels, and their bits ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_JIT_NUMBERS_H
#define SPECRT_TESTS_JIT_NUMBERS_H

#include <cstring>
#include <random>
#include <vector>

template <typename T> std::vector<T> noise(size_t Size, unsigned Seed) {
  std::mt19937 Engine(Seed);
  std::uniform_real_distribution<double> Values(0.1, 3.0);
  std::vector<T> Result(Size);
  for (T &V : Result)
    V = T(Values(Engine));
  return Result;
}

template <typename T> bool sameBits(const std::vector<T> &A, const std::vector<T> &B) {
  return A.size() == B.size() && std::memcmp(A.data(), B.data(), A.size() * sizeof(T)) == 0;
}

#endif
