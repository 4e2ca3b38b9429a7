//===- runtime/call/callers.h - do several threads call a region at once? -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_CALL_CALLERS_H
#define SPECRT_RUNTIME_CALL_CALLERS_H

#include <atomic>
#include <cstdint>
#include <pthread.h>

namespace specrt {

/// A program whose threads meet in a region has shared its work out already: threads of ours would
/// only take processors from its own. Told of calls that are timed, which long ones are. All-zero
/// bytes are a valid start; async-signal-safe.
class Callers {
public:
  /// Another thread's call has begun and not ended. A call that was left by longjmp never ends;
  /// that counts when threads take turns later, and costs parallel versions at worst.
  void begin() {
    auto Thread = static_cast<uintptr_t>(pthread_self());
    uintptr_t Before = Last.exchange(Thread, std::memory_order_relaxed);
    if (Running.fetch_add(1, std::memory_order_relaxed) > 0 && Before != Thread)
      SeenAtOnce.store(true, std::memory_order_relaxed);
  }
  void end() { Running.fetch_sub(1, std::memory_order_relaxed); }

  /// In this run, or in an earlier one that recall() tells of.
  bool areManyAtOnce() const { return SeenAtOnce.load(std::memory_order_relaxed); }
  void recall() { SeenAtOnce.store(true, std::memory_order_relaxed); }

private:
  std::atomic<uintptr_t> Last; ///< whose call began last
  std::atomic<uint32_t> Running;
  std::atomic<bool> SeenAtOnce;
};

} // namespace specrt

#endif
