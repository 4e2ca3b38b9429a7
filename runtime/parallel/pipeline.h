//===- runtime/parallel/pipeline.h - orders threads that execute a loop in steps ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PARALLEL_PIPELINE_H
#define SPECRT_RUNTIME_PARALLEL_PIPELINE_H

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>

namespace specrt {

/// The progress of threads that each execute all steps of a loop on one range of other iterations.
/// In each step a range follows the range before it. All functions are thread-safe, and none
/// allocates.
class Pipeline {
  struct alignas(64) Counter {
    std::atomic<uint32_t> Value{0};
  };

public:
  /// Returns the bytes of memory for this many ranges.
  static constexpr uint64_t bytes(unsigned Ranges) { return Ranges * sizeof(Counter); }

  /// \p Memory is aligned to a cache line and outlives the pipeline.
  Pipeline(void *Memory, unsigned Ranges) : NumDone(static_cast<Counter *>(Memory)) {
    std::uninitialized_value_construct_n(NumDone, Ranges);
  }

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
  void publish(unsigned Range, uint32_t Steps) {
    NumDone[Range].Value.store(Steps, std::memory_order_release);
    NumDone[Range].Value.notify_one();
  }

  Counter *NumDone; ///< [range] steps that are complete
};

} // namespace specrt

#endif
