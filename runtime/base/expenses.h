//===- runtime/base/expenses.h - bounds what optimisation costs a program -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each region bounds its losses by trials and inspections over all runs (runtime/decide/losses.h).
// A program with many regions would lose the sum, so all regions together may spend only a share of
// the time that the run has lasted so far. A region that needs more than is left postpones the
// work.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_BASE_EXPENSES_H
#define SPECRT_RUNTIME_BASE_EXPENSES_H

#include <atomic>
#include <cstdint>

namespace specrt {

/// The share of a run's time, or of the time gained in it, that optimisation may cost.
constexpr double LossShare = 0.1;
/// The share if observations promise a gain.
constexpr double PromisingShare = 0.25;
/// A loss below this is not noticeable, however short the run.
constexpr double SmallLossNs = 10e6;

/// The expenses of a process. Async-signal-safe.
class Expenses {
public:
  /// Starts the accounting at \p Ns of CLOCK_MONOTONIC. Nothing is bounded before that.
  void begin(uint64_t Ns) { StartNs.store(Ns, std::memory_order_relaxed); }
  /// Sets the expected length of the run, that of an earlier one.
  void expect(double RunNs);
  /// Removes the bound, for example while a caller waits for the results.
  void lift() { begin(0); }
  bool areBounded() const { return StartNs.load(std::memory_order_relaxed) != 0; }

  void add(double Ns) { SpentNs.fetch_add(static_cast<int64_t>(Ns), std::memory_order_relaxed); }
  /// Returns the nanoseconds that may still be spent at \p NowNs of CLOCK_MONOTONIC; negative if
  /// the bound is exceeded. \p Share is the share of the run that may be spent.
  double leftNs(uint64_t NowNs, double Share = LossShare) const;
  double leftNs() const;

private:
  std::atomic<uint64_t> StartNs{0};
  std::atomic<int64_t> SpentNs{0}, ExpectedNs{0};
};

/// Returns the expenses of the calling process.
inline Expenses &expenses() {
  static constinit Expenses Instance;
  return Instance;
}

} // namespace specrt

#endif
