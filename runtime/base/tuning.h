//===- runtime/base/tuning.h - settings in the form that calls can read ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_BASE_TUNING_H
#define SPECRT_RUNTIME_BASE_TUNING_H

#include "runtime/base/config.h"

#include <atomic>
#include <cstdint>

namespace specrt {

/// The few settings and states that specrt_enter and specrt_leave need, readable without a lock.
/// Written by the registry when the configuration is applied, by the fork handler, and by who
/// compiles.
struct Tuning {
  std::atomic<uint64_t> HotTicks{~uint64_t{0}};
  std::atomic<bool> CompileEnabled{false};
  std::atomic<bool> MayStartWorker{false}; ///< there is something for a worker to do or to keep
  std::atomic<uint32_t> SyncWaitUs{0};     ///< 0: never wait for the compiler
  std::atomic<bool> AnyRegionRan{false};
  std::atomic<bool> IsCompiling{false};   ///< a compile takes a core now
  std::atomic<bool> HasProcessors{false}; ///< there is another one for it
  /// A compile would, but gets none. Nobody should wait for it.
  std::atomic<bool> CompileStarves{false};
  std::atomic<WatchMode> Watching{WatchMode::Pages};
  /// The longest call that can be replayed in the time after the run, in nanoseconds. 0 if nothing
  /// can be replayed.
  std::atomic<double> MaxCapturedNs{0};
  std::atomic<uint32_t> TrialRuns{0};     ///< calls of trials that were begun
  std::atomic<uint32_t> WorkerAwaited{0}; ///< threads that wait until it has nothing to do
};

inline Tuning &tuning() {
  static constinit Tuning Instance;
  return Instance;
}

} // namespace specrt

#endif
