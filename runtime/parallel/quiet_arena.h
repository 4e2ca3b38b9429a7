//===- runtime/parallel/quiet_arena.h - TBB arenas whose threads handle no signals ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PARALLEL_QUIET_ARENA_H
#define SPECRT_RUNTIME_PARALLEL_QUIET_ARENA_H

#include "runtime/parallel/pieces.h"
#include "support/quiet_time.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#include <thread>

namespace specrt {

/// Blocks signals on threads of the arena: handlers of the program run on its own threads.
class WithoutSignals : public tbb::task_scheduler_observer {
public:
  explicit WithoutSignals(tbb::task_arena &Arena) : task_scheduler_observer(Arena) {
    observe(true);
  }
  ~WithoutSignals() override { observe(false); }
  WithoutSignals(const WithoutSignals &) = delete;
  WithoutSignals &operator=(const WithoutSignals &) = delete;

  void on_scheduler_entry(bool IsWorker) override {
    if (IsWorker)
      blockSignals();
  }
};

/// An arena with an observer. The arena is complete before the observer exists: an observer that is
/// destroyed because its arena could not be made would end the process.
struct QuietArena {
  explicit QuietArena(unsigned Threads)
      : Arena(static_cast<int>(Threads), 1), Observer(initialized(Arena)) {}

  tbb::task_arena Arena;
  WithoutSignals Observer;

private:
  static tbb::task_arena &initialized(tbb::task_arena &Arena) {
    Arena.initialize();
    return Arena;
  }
};

/// Returns the number of threads that TBB gives to a loop, at most Threads. TBB considers the
/// processors of the main thread, to which a launcher may have bound it meanwhile, and warns on
/// standard error if more are requested. The value is read once, when TBB starts, because it cannot
/// be read after TBB's destructors. The caller holds Busy.
inline unsigned givenByTbb(unsigned Threads) {
  static size_t Most = 0;
  if (Most == 0)
    Most = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return static_cast<unsigned>(std::min<size_t>(Threads, Most));
}

/// Waits until \p Threads threads, the caller included, have been in \p Arena at once, at most for
/// \p Most. The first loop makes its threads, and the kernel may start one of them on the processor
/// of the caller. While the caller computes, such a thread waits for the end of the caller's time
/// slice; while the caller sleeps here, it runs.
inline void awaitThreads(tbb::task_arena &Arena, unsigned Threads, std::chrono::nanoseconds Most) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds Pause(50);
  const Clock::time_point Until = Clock::now() + Most;
  std::atomic<unsigned> Missing{Threads};
  Arena.execute([&] {
    tbb::parallel_for(
        0U, Threads,
        [&](unsigned) SPECRT_HANDED_OVER_BY_TBB {
          Missing.fetch_sub(1, std::memory_order_relaxed);
          while (Missing.load(std::memory_order_relaxed) > 0 && Clock::now() < Until)
            std::this_thread::sleep_for(Pause);
        },
        tbb::simple_partitioner());
  });
}

} // namespace specrt

#endif
