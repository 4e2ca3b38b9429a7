//===- bench/feedback/kernel.h - common functions of the table's kernels --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each program runs one kernel in the manner of a well-known benchmark. The kernel is small enough
// for recording every access of a call, and runs often enough for a call to be chosen for that.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_BENCH_FEEDBACK_KERNEL_H
#define SPECRT_BENCH_FEEDBACK_KERNEL_H

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

/// Returns a random number, the same sequence on each machine.
inline uint32_t dice(uint32_t Sides) {
  static std::minstd_rand Random(7);
  return Random() % Sides;
}

template <typename T> void fill(std::vector<T> &Values) {
  for (T &Value : Values)
    Value = T(dice(100)) / T(7);
}

/// A matrix of rows that are allocated one by one and may differ in size.
template <typename T> class Rows {
public:
  Rows(long NumRows, long NumColumns) {
    for (long I = 0; I < NumRows; ++I) {
      Memory.emplace_back(NumColumns + dice(9));
      fill(Memory.back());
      Pointers.push_back(Memory.back().data());
    }
  }
  T **data() { return Pointers.data(); }

private:
  std::vector<std::vector<T>> Memory;
  std::vector<T *> Pointers;
};

/// Calls \p Kernel for three seconds, and prints a value of \p Result.
template <typename F, typename T> int repeat(F Kernel, const std::vector<T> &Result) {
  const auto End = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  while (std::chrono::steady_clock::now() < End)
    Kernel();
  std::printf("%g\n", double(Result[Result.size() / 2]));
  return 0;
}

#endif
