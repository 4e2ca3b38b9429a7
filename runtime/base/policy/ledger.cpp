//===- runtime/base/policy/ledger.cpp - bounds what optimisation costs a program ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/policy/ledger.h"

#include <algorithm>
#include <limits>

namespace specrt {

void Ledger::expect(double RunNs) {
  const auto New = static_cast<int64_t>(RunNs);
  int64_t Known = ExpectedNs.load(std::memory_order_relaxed);
  while (Known < New && !ExpectedNs.compare_exchange_weak(Known, New, std::memory_order_relaxed)) {
  }
}

void Ledger::invest(double Ns) {
  OwedNs.fetch_add(static_cast<int64_t>(Ns), std::memory_order_relaxed);
  if (Above)
    Above->invest(Ns);
}

double Ledger::leftNs(double Share, uint64_t NowNs) const {
  if (!isBounded())
    return std::numeric_limits<double>::infinity();
  const Ledger &Run = top();
  const uint64_t Start = Run.StartNs.load(std::memory_order_relaxed);
  const double RunNs =
      std::max(static_cast<double>(NowNs - std::min(NowNs, Start)),
               static_cast<double>(Run.ExpectedNs.load(std::memory_order_relaxed)));
  return mayOweNs(RunNs, Share) - owedNs() -
         static_cast<double>(EarlierNs.load(std::memory_order_relaxed));
}

double Ledger::mostNs(double Share, uint64_t NowNs) const {
  const double Left = leftNs(Share, NowNs);
  return Above ? std::min(Left, Above->mostNs(Share, NowNs)) : Left;
}

} // namespace specrt
