//===- runtime/base/policy/evidence.h - whether one code is faster than another ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of the same code scatter, and a preempted call can take any time. So samples are described
// by their median and their quartiles, which ignore single disturbances, and one code counts as
// surely faster than another only if these intervals do not overlap. Where the state of the machine
// drifts, times are measured in turn, and the same statistic describes the ratios of neighbours.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_BASE_POLICY_EVIDENCE_H
#define SPECRT_RUNTIME_BASE_POLICY_EVIDENCE_H

#include <array>
#include <cstdint>
#include <span>

namespace specrt {

/// The ratio of times that a win requires: times of the same code vary by less than 3 %.
constexpr double WinningRatio = 0.97;
/// With so many measurements, a single disturbed one does not determine the median.
constexpr uint32_t EnoughTimes = 3;

/// Returns whether code that takes \p Ns gains over code that takes \p OtherNs.
constexpr bool gains(double Ns, double OtherNs) { return Ns <= WinningRatio * OtherNs; }

/// The median of some samples, and their scatter.
struct Spread {
  double Low = 0, Median = 0, High = 0; ///< all 0 without samples

  Spread &operator+=(const Spread &Other);
  friend Spread operator*(double Factor, const Spread &Of) {
    return {Factor * Of.Low, Factor * Of.Median, Factor * Of.High};
  }
};

/// Returns the median and the quartiles of \p Samples, which it sorts. Fewer than four samples have
/// their extremes instead of quartiles, and a single one the error that a long call may have.
Spread spreadOf(std::span<double> Samples);
/// Returns the spread of a single sample.
Spread spreadOf(double Sample);

/// Times of a new code and of an old one, with what follows from them.
struct Evidence {
  Spread New, Old;

  bool isKnown() const { return New.Median > 0 && Old.Median > 0; }
  /// Returns the time of the new code as a share of the old one's.
  double ratio() const { return New.Median / Old.Median; }
  /// Return whether one is faster by more than the samples scatter.
  bool isSurelyFaster() const { return New.High < Old.Low; }
  bool isSurelySlower() const { return Old.High < New.Low; }
  bool isWin() const { return gains(New.Median, Old.Median) && isSurelyFaster(); }
  bool isLoss() const { return gains(Old.Median, New.Median) && isSurelySlower(); }
};

/// The latest times of a new and an old code that were measured in turn.
class PairedTimes {
public:
  /// One of so many pairs is outside of the quartiles on either side.
  static constexpr uint32_t MaxPairs = 6;

  void add(double NewNs, double OldNs) {
    Ratios[Total % MaxPairs] = NewNs / OldNs;
    Olds[Total++ % MaxPairs] = OldNs;
  }
  uint32_t count() const { return Total < MaxPairs ? Total : MaxPairs; }
  bool areEnough() const { return Total >= EnoughTimes; }
  bool areAll() const { return Total >= MaxPairs; }
  /// Returns the ratios of the new code's times to the old one's, as times of the new code. Fewer
  /// pairs than MaxPairs must agree, because one of them may decide then.
  Evidence evidence() const;
  /// Returns the median of the old code's times; 0 without pairs.
  double oldNs() const;

private:
  std::array<double, MaxPairs> Ratios{}, Olds{};
  uint32_t Total = 0;
};

} // namespace specrt

#endif
