//===- runtime/locked_region.h - the worker's side of a region's lock -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_LOCKED_REGION_H
#define SPECRT_RUNTIME_LOCKED_REGION_H

#include "runtime/region_state.h"
#include <sched.h>

namespace specrt {

/// Holds a region's Lock. Not for program threads, which only try: they hold it for well under a
/// microsecond, so waiting for them is short.
class LockedRegion {
public:
  explicit LockedRegion(RegionState &S) : State(S) {
    while (!State.tryLock())
      sched_yield();
  }
  ~LockedRegion() { State.unlock(); }
  LockedRegion(const LockedRegion &) = delete;
  LockedRegion &operator=(const LockedRegion &) = delete;

private:
  RegionState &State;
};

} // namespace specrt

#endif
