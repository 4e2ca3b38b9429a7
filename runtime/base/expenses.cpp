//===- runtime/base/expenses.cpp - bounds what optimisation costs a program ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/expenses.h"
#include "runtime/base/clock.h"

#include <algorithm>
#include <limits>

namespace specrt {

void Expenses::expect(double RunNs) {
  const auto New = static_cast<int64_t>(RunNs);
  int64_t Known = ExpectedNs.load(std::memory_order_relaxed);
  while (Known < New && !ExpectedNs.compare_exchange_weak(Known, New, std::memory_order_relaxed)) {
  }
}

double Expenses::leftNs(uint64_t NowNs, double Share) const {
  if (!areBounded())
    return std::numeric_limits<double>::infinity();
  const uint64_t Start = StartNs.load(std::memory_order_relaxed);
  const double Run = std::max(static_cast<double>(NowNs - std::min(NowNs, Start)),
                              static_cast<double>(ExpectedNs.load(std::memory_order_relaxed)));
  return std::max(SmallLossNs, Share * Run) -
         static_cast<double>(SpentNs.load(std::memory_order_relaxed));
}

double Expenses::leftNs() const { return leftNs(monotonicNs()); }

} // namespace specrt
