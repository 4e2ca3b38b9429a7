//===- runtime/base/brief_lock.h - locks that are held for a few instructions ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_BASE_BRIEF_LOCK_H
#define SPECRT_RUNTIME_BASE_BRIEF_LOCK_H

#include "runtime/base/clock.h"
#include <atomic>
#include <sched.h>

namespace specrt {

/// A thread that holds such a lock for longer has left its call with it, by siglongjmp or
/// cancellation.
constexpr uint64_t LostLockNs = 1'000'000'000;
/// The limit of a wait for the lock of data that can be computed again, or left out of a report.
constexpr uint64_t SpareDataNs = 1'000'000;

/// Tries to take a lock for a short time. A signal handler whose own thread holds the lock
/// continues without it.
class BriefLock {
public:
  explicit BriefLock(std::atomic_flag &Flag) : Flag(Flag) {
    constexpr int Spins = 200; // some microseconds, as long as these locks are held at most
    for (int I = 0; I < Spins && !IsHeld; ++I)
      IsHeld = !Flag.test_and_set(std::memory_order_acquire);
  }
  /// Waits for other threads, at most the given time.
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

/// A brief lock that may be lost: a thread may leave with it by siglongjmp. The guarded data are
/// then abandoned as a whole, and other threads begin with new ones. A thread that holds a lost
/// lock and continues works on data that no other thread uses any more.
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

  /// Called by a thread that did not get the lock. Returns whether the same owner has held it for
  /// LostLockNs since the first such call.
  bool isLost() {
    const uint64_t Turn = Turns.load(std::memory_order_relaxed), Now = monotonicNs();
    if (MissedTurn.load(std::memory_order_acquire) == Turn)
      return Now > MissedSince.load(std::memory_order_relaxed) + LostLockNs;
    MissedSince.store(Now, std::memory_order_relaxed);
    MissedTurn.store(Turn, std::memory_order_release);
    return false;
  }

private:
  std::atomic_flag Flag;
  std::atomic<uint64_t> Turns{0}; ///< number of times the lock was taken
  std::atomic<uint64_t> MissedTurn{UINT64_MAX}, MissedSince{0};
};

} // namespace specrt

#endif
