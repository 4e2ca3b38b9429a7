//===- runtime/call/locked_region.h - how the worker takes a region's lock ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_CALL_LOCKED_REGION_H
#define SPECRT_RUNTIME_CALL_LOCKED_REGION_H

#include "runtime/base/brief_lock.h"
#include "runtime/base/clock.h"
#include "runtime/call/region_state.h"
#include <sched.h>
#include <unistd.h>
#include <utility>

namespace specrt {

/// Holds a region's Lock, on the worker. Program threads only try it, and hold it for well under a
/// microsecond, so the wait is short. A thread that has held it for LostLockNs has left its call by
/// longjmp or was cancelled, and will never unlock it: the lock is taken over. It guards counters
/// in fixed places only, so a thread that was merely stopped for so long does no harm.
class LockedRegion {
public:
  explicit LockedRegion(RegionState &S) : State(S) {
    const uint64_t Begin = monotonicNs();
    while (!State.tryLock() && monotonicNs() - Begin < LostLockNs)
      sched_yield();
  }
  ~LockedRegion() { State.unlock(); }
  LockedRegion(const LockedRegion &) = delete;
  LockedRegion &operator=(const LockedRegion &) = delete;

private:
  RegionState &State;
};

/// Tries to take a region's Lock for a short while, at the end of the process and for reports: a
/// thread that left its call by longjmp out of a signal handler may hold it for ever.
class BrieflyLockedRegion {
public:
  explicit BrieflyLockedRegion(RegionState &S) : State(S) {
    for (int Try = 0; Try < 1000 && !Owned; ++Try) {
      if (Try > 0)
        usleep(10);
      Owned = State.tryLock();
    }
  }
  ~BrieflyLockedRegion() { unlock(); }
  BrieflyLockedRegion(const BrieflyLockedRegion &) = delete;
  BrieflyLockedRegion &operator=(const BrieflyLockedRegion &) = delete;
  explicit operator bool() const { return Owned; }
  void unlock() {
    if (std::exchange(Owned, false))
      State.unlock();
  }

private:
  RegionState &State;
  bool Owned = false;
};

} // namespace specrt

#endif
