//===- bench/sparse/libraries/limits.cpp - measures the limits of the machine ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: limits BYTES    reads BYTES bytes repeatedly, and multiplies and adds in registers
#include "outcome.h"
#include <algorithm>
#include <chrono>
#include <cstdio>

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr int Lanes = 64;

BENCH_KERNEL double sum(const std::vector<double> &Data) {
  double Sums[Lanes] = {};
  for (size_t I = 0; I + Lanes <= Data.size(); I += Lanes)
    for (int L = 0; L < Lanes; ++L)
      Sums[L] += Data[I + L];
  return *std::max_element(Sums, Sums + Lanes);
}

/// Computes separate products and sums, as the programs do.
BENCH_KERNEL double multiplyAndAdd(long Times, double Factor, double Term) {
#pragma clang fp contract(off)
  double Values[Lanes] = {};
  for (long I = 0; I < Times; ++I)
    for (int L = 0; L < Lanes; ++L)
      Values[L] = Values[L] * Factor + Term;
  return *std::max_element(Values, Values + Lanes);
}

} // namespace

int main(int Argc, char **Argv) {
  const long Bytes = bench::argument(Argc, Argv, 1, 1 << 28);
  const std::vector<double> Data = bench::numbers(Bytes / 8, 1);
  double Read = 1e9, Check = sum(Data);
  for (double End = now() + 0.1; now() < End;) {
    const double Begin = now();
    const int Repeat = 1 + static_cast<int>((1 << 20) / Bytes);
    for (int R = 0; R < Repeat; ++R) {
      Check += sum(Data);
      asm volatile("" ::: "memory"); // the next sum is not known to be the same
    }
    Read = std::min(Read, (now() - Begin) / Repeat);
  }
  const long Times = 1 << 20;
  double Compute = 1e9;
  for (int R = 0; R < 10; ++R) {
    const double Begin = now();
    Check += multiplyAndAdd(Times, 0.999, 0.001 * R);
    Compute = std::min(Compute, now() - Begin);
  }
  std::printf("{\"gb_s\": %.3f, \"gf_s\": %.3f, \"check\": %g}\n",
              static_cast<double>(Bytes) / Read * 1e-9, 2.0 * Lanes * Times / Compute * 1e-9,
              Check);
}
