//===- runtime/base/policy/ledger.h - bounds what optimisation costs a program ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimisation invests the program's time: in candidates that are slower than the original, in
// inspections of rows, in instrumented calls, in waits. A ledger adds up what was invested and what
// was gained, in nanoseconds. The process has one, and each region has one below it, whose
// investments count for both. One rule permits an investment. In a run of length T, a ledger that
// owes O, the sum invested minus the sum gained, may invest C if
//
//     O + C <= max(share * T, SmallLossNs)
//
// holds for it and for the ledger above it. So a ledger never owes more than the right side, plus
// the excess of one investment over its expected cost.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_BASE_POLICY_LEDGER_H
#define SPECRT_RUNTIME_BASE_POLICY_LEDGER_H

#include "runtime/base/clock.h"

#include <atomic>
#include <cstdint>

namespace specrt {

/// The share of a run's time, or of the time gained in it, that optimisation may cost.
constexpr double LossShare = 0.1;
/// The share if observations promise a gain.
constexpr double PromisingShare = 0.25;
/// The share of all time that a ledger which owes too much is credited with. Machines and programs
/// change, so nothing is given up for ever; a program that never gains may lose this share in the
/// long run.
constexpr double RecoveryShare = 0.02;
/// A loss below this many nanoseconds is not noticeable, however short the run.
constexpr double SmallLossNs = 10e6;

/// Returns the most that may be owed in a run of \p RunNs, or after gains of \p RunNs.
constexpr double mayOweNs(double RunNs, double Share = LossShare) {
  const double Part = Share * RunNs;
  return Part > SmallLossNs ? Part : SmallLossNs;
}

/// The investments and gains of a process or a region. Any thread; async-signal-safe.
class Ledger {
public:
  /// Makes the ledger of a process, which has no bound until the run begins.
  constexpr Ledger() = default;
  /// Makes a ledger that shares the run of \p Above, which also pays for its investments.
  explicit Ledger(Ledger &Above) : Above(&Above) {}

  /// Begins the run of the topmost ledger at \p Ns of CLOCK_MONOTONIC.
  void begin(uint64_t Ns) { StartNs.store(Ns, std::memory_order_relaxed); }
  /// Sets the expected length of the run of the topmost ledger, that of an earlier one.
  void expect(double RunNs);
  /// Removes the bound, for example while a caller waits for the results.
  void lift() { begin(0); }
  bool isBounded() const { return top().StartNs.load(std::memory_order_relaxed) != 0; }

  /// Sets the debt from earlier runs, for which the ledger above has paid.
  void carryOver(double Ns) {
    EarlierNs.store(static_cast<int64_t>(Ns), std::memory_order_relaxed);
  }
  void invest(double Ns);
  /// Records that an investment saves \p Ns.
  void gain(double Ns) { invest(-Ns); }

  /// Returns the sum invested minus the sum gained in this run.
  double owedNs() const { return static_cast<double>(OwedNs.load(std::memory_order_relaxed)); }
  /// Returns how much more this ledger may owe at \p NowNs of CLOCK_MONOTONIC, whatever the one
  /// above it says: negative if it owes too much, infinity without a bound.
  double leftNs(double Share = LossShare, uint64_t NowNs = monotonicNs()) const;
  /// Returns the largest investment that the rule permits; negative if it permits none.
  double mostNs(double Share = LossShare, uint64_t NowNs = monotonicNs()) const;
  /// Returns whether the rule permits an investment that is expected to cost \p Ns.
  bool mayInvest(double Ns, double Share = LossShare, uint64_t NowNs = monotonicNs()) const {
    return mostNs(Share, NowNs) >= Ns;
  }

private:
  const Ledger &top() const { return Above ? Above->top() : *this; }

  Ledger *const Above = nullptr;
  std::atomic<uint64_t> StartNs{0};
  std::atomic<int64_t> OwedNs{0}, EarlierNs{0}, ExpectedNs{0};
};

/// Returns the ledger of the calling process.
inline Ledger &processLedger() {
  static constinit Ledger Instance;
  return Instance;
}

} // namespace specrt

#endif
