//===- runtime/base/tuning.h - settings that calls can read without a lock ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_BASE_TUNING_H
#define SPECRT_RUNTIME_BASE_TUNING_H

#include "runtime/base/config.h"

#include <atomic>
#include <cstdint>

namespace specrt {

/// The few settings and states that specrt_enter and specrt_leave need, readable without a lock.
/// They are written by the registry when the configuration is applied, by the fork handler, and by
/// threads that compile.
struct Tuning {
  std::atomic<uint64_t> HotTicks{~uint64_t{0}};
  std::atomic<bool> CompileEnabled{false};
  std::atomic<bool> MayStartWorker{false}; ///< a worker has work, or data to keep
  std::atomic<uint32_t> SyncWaitUs{0};     ///< 0: never wait for the compiler
  std::atomic<bool> AnyRegionRan{false};
  std::atomic<bool> IsCompiling{false};   ///< a compile uses a core now
  std::atomic<bool> HasProcessors{false}; ///< there is another core for it
  /// A compile is runnable but gets no processor. No call should wait for it.
  std::atomic<bool> CompileStarves{false};
  std::atomic<WatchMode> Watching{WatchMode::Pages};
  /// The longest call that can be replayed in the time after the run, in nanoseconds. 0 if nothing
  /// can be replayed.
  std::atomic<double> MaxCapturedNs{0};
  std::atomic<uint32_t> TrialRuns{0};     ///< number of trial calls that have begun
  std::atomic<uint32_t> WorkerAwaited{0}; ///< threads that wait until the worker is idle
};

inline Tuning &tuning() {
  static constinit Tuning Instance;
  return Instance;
}

} // namespace specrt

#endif
