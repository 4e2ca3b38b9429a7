//===- runtime/record/window_plan.h - selects the recorded iterations of a loop ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recording is several times slower than the loop. So it begins with just enough iterations to
// measure the cost of one. If all are affordable, all are recorded; otherwise at most a tenth: at
// the beginning, at three places between, and at the end, as far as it is known.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_RECORD_WINDOW_PLAN_H
#define SPECRT_RUNTIME_RECORD_WINDOW_PLAN_H

#include <cstdint>

namespace specrt {

/// The cost of recording.
struct RecordingCost {
  uint64_t Words = 0, Ticks = 0;
};

/// The plan of one outermost loop. Async-signal-safe.
class WindowPlan {
public:
  struct Answer {
    uint64_t Until; ///< next must be called again before this iteration; UINT64_MAX: never
    bool Records;   ///< the iterations before Until are recorded
  };

  /// Must be called before \p Iteration, in increasing order from 0. \p Trips is UINT64_MAX if it
  /// is unknown. \p Spent is the cost of this loop's windows so far, \p Limit that of all windows,
  /// and \p FewTicks the time in which the cost of an iteration is measured.
  Answer next(uint64_t Iteration, uint64_t Trips, const RecordingCost &Spent,
              const RecordingCost &Limit, uint64_t FewTicks);

private:
  Answer settle(uint64_t Iteration, uint64_t Trips, const RecordingCost &Spent,
                const RecordingCost &Limit);
  uint64_t nextStart(uint64_t Iteration, uint64_t Trips) const;

  uint64_t Length = 0; ///< length of a window; 0: the cost of an iteration is not known yet
};

} // namespace specrt

#endif
