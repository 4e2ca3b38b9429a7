//===- runtime/watch/patient_lock.h - a lock that may never be released ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_WATCH_PATIENT_LOCK_H
#define SPECRT_RUNTIME_WATCH_PATIENT_LOCK_H

#include "runtime/base/brief_lock.h"
#include "runtime/base/clock.h"
#include <atomic>
#include <sched.h>

namespace specrt {

/// Guards data that threads of the program hold for some microseconds. A thread may leave a call at
/// any instruction, by siglongjmp or by cancellation. So a thread that has waited for
/// LostLockNs marks the lock as stuck, for ever, and the guarded data are not used any more.
class PatientLock {
public:
  /// Owns the lock, unless it is stuck.
  class Guard {
  public:
    explicit Guard(PatientLock &L) : Lock(L), Owned(L.acquire()) {}
    ~Guard() {
      if (Owned)
        Lock.Held.store(false, std::memory_order_release);
    }
    Guard(const Guard &) = delete;
    Guard &operator=(const Guard &) = delete;
    explicit operator bool() const { return Owned; }

  private:
    PatientLock &Lock;
    const bool Owned;
  };

  bool isStuck() const { return Stuck.load(std::memory_order_acquire); }

private:
  bool tryAcquire() { return !Held.exchange(true, std::memory_order_acquire); }
  bool acquire() {
    if (isStuck())
      return false;
    const uint64_t Begin = monotonicNs();
    while (!tryAcquire()) {
      if (isStuck() || monotonicNs() - Begin > LostLockNs) {
        Stuck.store(true, std::memory_order_release);
        return false;
      }
      sched_yield();
    }
    return true;
  }

  std::atomic<bool> Held{false}, Stuck{false};
};

} // namespace specrt

#endif
