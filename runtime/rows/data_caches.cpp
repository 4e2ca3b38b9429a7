//===- runtime/rows/data_caches.cpp - the bytes of row data that caches keep ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/data_caches.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <string>
#include <unistd.h>

namespace specrt {
namespace {

/// The share of the last cache that may contain data of the previous call; other data use it, too.
constexpr double LastShare = 1.0 / 3;
/// The share of a processor's own cache that is for one step.
constexpr double StepShare = 1.0 / 3;
constexpr double UnknownStep = 1 << 18;

template <typename T> T inFile(const std::string &Name) {
  T Value{};
  std::ifstream(Name) >> Value;
  return Value;
}

/// Returns the bytes of the cache of this level that a processor can fill; 0 if the kernel does not
/// report them. For some processors, the C library's value is the sum of several such caches.
double cacheBytes(int Level) {
  const std::string Caches =
      "/sys/devices/system/cpu/cpu" + std::to_string(std::max(0, sched_getcpu())) + "/cache/index";
  for (int I = 0; I < 8; ++I) {
    const std::string Cache = Caches + std::to_string(I);
    if (inFile<int>(Cache + "/level") != Level ||
        inFile<std::string>(Cache + "/type") == "Instruction")
      continue;
    const std::string Size = inFile<std::string>(Cache + "/size"); // 32768K
    char *Unit = nullptr;
    const double Number = std::strtod(Size.c_str(), &Unit);
    if (*Unit == 'K' || *Unit == 'M')
      return Number * (*Unit == 'K' ? 1024 : 1024 * 1024);
  }
  const long Bytes = sysconf(Level == 3 ? _SC_LEVEL3_CACHE_SIZE : _SC_LEVEL2_CACHE_SIZE);
  return Bytes > 0 ? static_cast<double>(Bytes) : 0;
}

/// Returns the value of \p Find, computed once. There is no guard, which a forked child would
/// inherit: several threads may compute it.
template <typename Fn> std::atomic<double> &known(std::atomic<double> &Bytes, Fn Find) {
  if (Bytes.load(std::memory_order_relaxed) == 0) {
    double Unknown = 0;
    Bytes.compare_exchange_strong(Unknown, Find());
  }
  return Bytes;
}

} // namespace

std::atomic<double> &cachedBytes() {
  static constinit std::atomic<double> Bytes{0};
  return known(Bytes, [] {
    const double Last = std::max(cacheBytes(3), cacheBytes(2));
    return Last > 0 ? LastShare * Last : HUGE_VAL;
  });
}

std::atomic<double> &fusedStepBytes() {
  static constinit std::atomic<double> Bytes{0};
  return known(Bytes, [] {
    const double Own = cacheBytes(2);
    return Own > 0 ? StepShare * Own : UnknownStep;
  });
}

} // namespace specrt
