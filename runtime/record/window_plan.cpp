//===- runtime/record/window_plan.cpp - selects the recorded iterations of a loop ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/window_plan.h"

#include <algorithm>

namespace specrt {

/// A number of iterations that is not known.
static constexpr uint64_t Unknown = UINT64_MAX;

/// Returns the first window start that is not before this iteration.
uint64_t WindowPlan::nextStart(uint64_t Iteration, uint64_t Trips) const {
  if (Trips == Unknown) {
    uint64_t Start = Length;
    while (Start < Iteration && Start < Unknown / 2)
      Start *= 2;
    return Start;
  }
  const uint64_t Quarter = Trips / 4;
  for (uint64_t Start : {Quarter, 2 * Quarter, 3 * Quarter, Trips - std::min(Trips, Length)})
    if (Start >= Iteration)
      return Start;
  return Unknown;
}

/// Plans the windows when the cost of an iteration is known.
WindowPlan::Answer WindowPlan::settle(uint64_t Iteration, uint64_t Trips,
                                      const RecordingCost &Spent, const RecordingCost &Limit) {
  // The begin, three quarters and the end; together at most a tenth of the iterations.
  constexpr uint64_t Windows = 5, Share = 10;
  const uint64_t Ticks = Spent.Ticks / Iteration + 1, Words = Spent.Words / Iteration + 1;
  const uint64_t Affordable = std::min(Limit.Ticks / Ticks, Limit.Words / Words);
  if (Trips <= Affordable) {
    Length = Trips;
    return {Unknown, true};
  }
  Length = Iteration;
  if (Trips != Unknown)
    Length = std::min(Affordable / Windows, Trips / (Share * Windows));
  Length = std::max<uint64_t>(Length, 1);
  const uint64_t Start = nextStart(Iteration, Trips);
  return Start == Iteration ? Answer{Iteration + Length, true} : Answer{Start, false};
}

WindowPlan::Answer WindowPlan::next(uint64_t Iteration, uint64_t Trips, const RecordingCost &Spent,
                                    const RecordingCost &Limit, uint64_t FewTicks) {
  if (Iteration == 0)
    return {1, true};
  if (Length == 0) {
    constexpr uint64_t Few = 64; // a 64th of the room suffices to measure an iteration
    if (Spent.Ticks < FewTicks && Spent.Words < Limit.Words / Few)
      return {2 * Iteration, true};
    return settle(Iteration, Trips, Spent, Limit);
  }
  if (Spent.Ticks >= Limit.Ticks || Spent.Words >= Limit.Words)
    return {Unknown, false};
  const uint64_t Start = nextStart(Iteration, Trips);
  if (Start != Iteration)
    return {Start, false};
  return {Iteration + Length >= Trips ? Unknown : Iteration + Length, true};
}

} // namespace specrt
