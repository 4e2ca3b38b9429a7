//===- runtime/rows/walk_budget.h - the budget of inspections -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ROWS_WALK_BUDGET_H
#define SPECRT_RUNTIME_ROWS_WALK_BUDGET_H

#include "runtime/base/clock.h"
#include "runtime/base/expenses.h"

#include <algorithm>
#include <atomic>

namespace specrt {

/// The budget of all candidates of a trial: the loss that their region, and the process, may have.
/// It grows while the run lasts. Any thread.
class WalkBudget {
public:
  /// Makes the region's share of a run that began at \p StartNs of CLOCK_MONOTONIC and is expected
  /// to last \p RunNs; it has lost \p LostNs already.
  WalkBudget(uint64_t StartNs, double RunNs, double LostNs, double Share = LossShare)
      : StartNs(StartNs), RunNs(RunNs), LostNs(LostNs), Share(Share) {}

  double leftNs() const {
    const uint64_t Now = monotonicNs();
    const double Elapsed = static_cast<double>(Now - std::min(Now, StartNs));
    const double Mine = std::max(SmallLossNs, Share * std::max(Elapsed, RunNs)) - LostNs -
                        static_cast<double>(SpentNs.load(std::memory_order_relaxed));
    return std::min(Mine, expenses().leftNs(Now, Share));
  }
  void spend(double Ns) {
    SpentNs.fetch_add(static_cast<int64_t>(Ns), std::memory_order_relaxed);
    expenses().add(Ns);
  }

private:
  const uint64_t StartNs;
  const double RunNs, LostNs, Share;
  std::atomic<int64_t> SpentNs{0};
};

} // namespace specrt

#endif
