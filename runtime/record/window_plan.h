//===- runtime/record/window_plan.h - which iterations of a loop are recorded ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recording is several times slower than the loop. So it begins with as few iterations as tell what
// one costs. When all are affordable, all are recorded; otherwise at most a tenth: in the
// beginning, at three places between, and at the end, as far as it is known.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_RECORD_WINDOW_PLAN_H
#define SPECRT_RUNTIME_RECORD_WINDOW_PLAN_H

#include <cstdint>

namespace specrt {

/// What recording takes.
struct RecordingCost {
  uint64_t Words = 0, Ticks = 0;
};

/// Of one outermost loop. Async-signal-safe.
class WindowPlan {
public:
  struct Answer {
    uint64_t Until; ///< ask again before this iteration; UINT64_MAX: never
    bool Records;   ///< those before it are recorded
  };

  /// Before \p Iteration, in increasing order from 0. \p Trips is UINT64_MAX when it is not known.
  /// \p Spent is what this loop's windows took so far, \p Limit what all may take, \p FewTicks how
  /// long it is looked what an iteration costs.
  Answer next(uint64_t Iteration, uint64_t Trips, const RecordingCost &Spent,
              const RecordingCost &Limit, uint64_t FewTicks);

private:
  Answer settle(uint64_t Iteration, uint64_t Trips, const RecordingCost &Spent,
                const RecordingCost &Limit);
  uint64_t nextStart(uint64_t Iteration, uint64_t Trips) const;

  uint64_t Length = 0; ///< of a window; 0: the cost of an iteration is not known yet
};

} // namespace specrt

#endif
