//===- runtime/base/expenses.h - what looking for versions costs a program ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each region bounds what it loses to trials and walks, over all runs (runtime/decide/losses.h). A
// program with many regions would lose the sum. So all of them together may spend a share of the
// time that the run has lasted so far: who wants more than is left does it later.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_BASE_EXPENSES_H
#define SPECRT_RUNTIME_BASE_EXPENSES_H

#include <atomic>
#include <cstdint>

namespace specrt {

/// What optimizing may cost: of what is there to lose, a run's time or what was gained in it ...
constexpr double LossShare = 0.1;
/// ... where what was seen promises a gain ...
constexpr double PromisingShare = 0.25;
/// ... and less than this is not felt, however short the run.
constexpr double SmallLossNs = 10e6;

/// Of this process. Async-signal-safe.
class Expenses {
public:
  /// The program begins at \p Ns of CLOCK_MONOTONIC. Nothing is bounded before that.
  void begin(uint64_t Ns) { StartNs.store(Ns, std::memory_order_relaxed); }
  /// An earlier run lasted so long, and this one is expected to.
  void expect(double RunNs);
  /// Nothing is bounded: somebody waits for what is found.
  void lift() { begin(0); }
  bool areBounded() const { return StartNs.load(std::memory_order_relaxed) != 0; }

  void add(double Ns) { SpentNs.fetch_add(static_cast<int64_t>(Ns), std::memory_order_relaxed); }
  /// What may be spent at \p NowNs of CLOCK_MONOTONIC; negative: too much was. \p Share: of the
  /// run, for what promises much.
  double leftNs(uint64_t NowNs, double Share = LossShare) const;
  double leftNs() const;

private:
  std::atomic<uint64_t> StartNs{0};
  std::atomic<int64_t> SpentNs{0}, ExpectedNs{0};
};

/// Of the calling process.
inline Expenses &expenses() {
  static constinit Expenses Instance;
  return Instance;
}

} // namespace specrt

#endif
