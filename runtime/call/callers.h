//===- runtime/call/callers.h - detects calls from several threads --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_CALL_CALLERS_H
#define SPECRT_RUNTIME_CALL_CALLERS_H

#include <atomic>
#include <cstdint>
#include <pthread.h>

namespace specrt {

/// Records whether several threads call a region at the same time. Such a program has distributed
/// its work already, and threads of ours would only take processors from its own. Only timed calls
/// are recorded, which long ones are. All-zero bytes are a valid initial state; async-signal-safe.
class Callers {
public:
  /// Records the begin of a call. A call that longjmp leaves never ends: if another thread calls
  /// later, both seem to be simultaneous, which at worst prevents parallel versions.
  void begin() {
    auto Thread = static_cast<uintptr_t>(pthread_self());
    uintptr_t Before = Last.exchange(Thread, std::memory_order_relaxed);
    if (Running.fetch_add(1, std::memory_order_relaxed) > 0 && Before != Thread)
      SeenAtOnce.store(true, std::memory_order_relaxed);
  }
  void end() { Running.fetch_sub(1, std::memory_order_relaxed); }

  /// Returns whether simultaneous calls were seen in this run, or, after recall(), in an earlier
  /// one.
  bool areManyAtOnce() const { return SeenAtOnce.load(std::memory_order_relaxed); }
  void recall() { SeenAtOnce.store(true, std::memory_order_relaxed); }

private:
  std::atomic<uintptr_t> Last; ///< the thread whose call began last
  std::atomic<uint32_t> Running;
  std::atomic<bool> SeenAtOnce;
};

} // namespace specrt

#endif
