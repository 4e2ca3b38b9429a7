//===- runtime/base/policy/backoff.h - spaces out attempts that keep failing ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An attempt that has failed may succeed later, because programs and data change. The time between
// attempts doubles with each failure in a row. So of N opportunities that all fail, at most
// log2(N) + N / 2^MostDoublings + 1 are attempted, and what becomes possible is noticed before as
// many opportunities have passed again, or 2^MostDoublings.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_BASE_POLICY_BACKOFF_H
#define SPECRT_RUNTIME_BASE_POLICY_BACKOFF_H

#include <cstdint>

namespace specrt {

/// The failures in a row of one kind of attempt. A value type.
class Backoff {
public:
  /// From then on failing attempts cost a thousandth of the opportunities.
  static constexpr uint32_t MostDoublings = 10;

  void fail() {
    Failures += Failures < MostDoublings;
    Left = factor();
  }
  void succeed() { *this = {}; }

  /// Counts an opportunity. Returns whether it must pass without an attempt.
  bool skips() {
    const bool Skips = Left > 0;
    Left -= Skips;
    return Skips;
  }
  /// Returns the number of units to wait after the last failure: 1, and twice as many after each
  /// failure. For attempts that are spaced out by other units than opportunities.
  uint32_t factor() const { return uint32_t{1} << Failures; }
  /// Returns the number of failures in a row, at most MostDoublings.
  uint32_t failures() const { return Failures; }

private:
  uint32_t Failures = 0;
  uint32_t Left = 0; ///< opportunities that must still pass
};

} // namespace specrt

#endif
