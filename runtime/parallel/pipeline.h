//===- runtime/parallel/pipeline.h - threads that follow each other -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PARALLEL_PIPELINE_H
#define SPECRT_RUNTIME_PARALLEL_PIPELINE_H

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>

namespace specrt {

/// How far threads are that each execute all steps of a loop on one range of other iterations. In
/// each step a range follows the range before it. All functions are thread-safe, and none
/// allocates.
class Pipeline {
public:
  /// More threads take no part.
  static constexpr unsigned MaxRanges = 64;

  /// Notes that the thread of \p Range has executed the steps below \p Step. Returns when \p Step
  /// is complete for the range before \p Range, whose thread must have begun.
  void begin(unsigned Range, uint32_t Step) {
    publish(Range, Step);
    if (Range == 0)
      return;
    const std::atomic<uint32_t> &Before = NumDone[Range - 1].Value;
    for (uint32_t Done = Before.load(std::memory_order_acquire); Done <= Step;
         Done = Before.load(std::memory_order_acquire))
      Before.wait(Done, std::memory_order_acquire);
  }

  /// Notes that the thread of \p Range has executed all steps.
  void end(unsigned Range) { publish(Range, std::numeric_limits<uint32_t>::max()); }

private:
  struct alignas(64) Counter {
    std::atomic<uint32_t> Value{0};
  };

  void publish(unsigned Range, uint32_t Steps) {
    NumDone[Range].Value.store(Steps, std::memory_order_release);
    NumDone[Range].Value.notify_one();
  }

  std::array<Counter, MaxRanges> NumDone; ///< [range] steps that are complete
};

} // namespace specrt

#endif
