//===- runtime/parallel/left_errno.h - the errno that a parallel loop leaves ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PARALLEL_LEFT_ERRNO_H
#define SPECRT_RUNTIME_PARALLEL_LEFT_ERRNO_H

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>

namespace specrt {

/// The value that the last chunk in the order of the iterations which has set errno has left there.
/// A chunk executes its iterations in their order, so this is what a serial loop would leave.
/// Thread-safe.
class LeftErrno {
public:
  /// Takes the errno of this thread, which is 0 afterwards, as that of the chunk that began with
  /// iteration \p First.
  void take(uint64_t First) {
    if (errno == 0)
      return;
    constexpr uint64_t MostIterations = (uint64_t{1} << (64 - ErrnoBits)) - 2;
    const uint64_t New =
        (std::min(First, MostIterations) + 1) << ErrnoBits | static_cast<uint64_t>(errno);
    uint64_t Known = Latest.load(std::memory_order_relaxed);
    while (Known < New && !Latest.compare_exchange_weak(Known, New, std::memory_order_relaxed)) {
    }
    errno = 0;
  }

  /// Returns the value; 0 if no chunk has set errno.
  int value() const {
    constexpr uint64_t Mask = (uint64_t{1} << ErrnoBits) - 1;
    return static_cast<int>(Latest.load(std::memory_order_relaxed) & Mask);
  }

private:
  static constexpr unsigned ErrnoBits = 12; ///< Linux has no larger numbers than 4095
  std::atomic<uint64_t> Latest{0};
};

} // namespace specrt

#endif
