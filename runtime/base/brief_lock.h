//===- runtime/base/brief_lock.h - a lock that is held for some instructions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_BASE_BRIEF_LOCK_H
#define SPECRT_RUNTIME_BASE_BRIEF_LOCK_H

#include "runtime/base/clock.h"
#include <atomic>
#include <sched.h>

namespace specrt {

/// A signal handler that finds it held by its own thread goes on without. Who has not given it back
/// after a second was left by siglongjmp.
class BriefLock {
public:
  explicit BriefLock(std::atomic_flag &Flag) : Flag(Flag) {
    constexpr int Spins = 200;
    for (int I = 0; I < Spins && !IsHeld; ++I)
      IsHeld = !Flag.test_and_set(std::memory_order_acquire);
  }
  /// Waits for others, but not for ever.
  BriefLock(std::atomic_flag &Flag, uint64_t Nanoseconds) : BriefLock(Flag) {
    for (const uint64_t Begin = monotonicNs(); !IsHeld && monotonicNs() - Begin < Nanoseconds;) {
      sched_yield();
      IsHeld = !Flag.test_and_set(std::memory_order_acquire);
    }
  }
  ~BriefLock() {
    if (IsHeld)
      Flag.clear(std::memory_order_release);
  }
  BriefLock(const BriefLock &) = delete;
  BriefLock &operator=(const BriefLock &) = delete;
  explicit operator bool() const { return IsHeld; }

private:
  std::atomic_flag &Flag;
  bool IsHeld = false;
};

} // namespace specrt

#endif
