//===- runtime/base/brief_lock.h - a lock that is held for some instructions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_BASE_BRIEF_LOCK_H
#define SPECRT_RUNTIME_BASE_BRIEF_LOCK_H

#include "runtime/base/clock.h"
#include <atomic>
#include <sched.h>

namespace specrt {

/// A signal handler that finds it held by its own thread goes on without.
class BriefLock {
public:
  explicit BriefLock(std::atomic_flag &Flag) : Flag(Flag) {
    constexpr int Spins = 200;
    for (int I = 0; I < Spins && !IsHeld; ++I)
      IsHeld = !Flag.test_and_set(std::memory_order_acquire);
  }
  /// Waits for others, but not for ever.
  BriefLock(std::atomic_flag &Flag, uint64_t Nanoseconds) : BriefLock(Flag) {
    if (IsHeld || Nanoseconds == 0)
      return;
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

/// Such a lock, which may be lost: a thread may leave with it by siglongjmp. Then what it guards is
/// given up as a whole, and others begin anew. Who has it all the same and goes on does so with
/// what nobody else uses any more.
class LosableLock {
public:
  class Guard {
  public:
    explicit Guard(LosableLock &L, uint64_t Nanoseconds = 0) : Held(L.Flag, Nanoseconds) {
      if (Held)
        L.Turns.fetch_add(1, std::memory_order_relaxed);
    }
    explicit operator bool() const { return static_cast<bool>(Held); }

  private:
    const BriefLock Held;
  };

  /// Asked by who could not have it: has somebody had it for a second since one asked first?
  bool isLost() {
    constexpr uint64_t LostNs = 1'000'000'000;
    const uint64_t Turn = Turns.load(std::memory_order_relaxed), Now = monotonicNs();
    if (MissedTurn.load(std::memory_order_acquire) == Turn)
      return Now > MissedSince.load(std::memory_order_relaxed) + LostNs;
    MissedSince.store(Now, std::memory_order_relaxed);
    MissedTurn.store(Turn, std::memory_order_release);
    return false;
  }

private:
  std::atomic_flag Flag;
  std::atomic<uint64_t> Turns{0}; ///< how often somebody had it
  std::atomic<uint64_t> MissedTurn{UINT64_MAX}, MissedSince{0};
};

} // namespace specrt

#endif
