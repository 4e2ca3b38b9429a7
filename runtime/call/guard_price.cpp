//===- runtime/call/guard_price.cpp - the time of a body's guards ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/guard_price.h"
#include "guards/guards.h"

namespace specrt {
namespace {

/// The time of an entry without guards.
constexpr double EntryNs = 1;

/// The time to evaluate guards as data that are in the first cache: two clocks, each record, and a
/// multiple of the time of the guard's machine code, if it has any. The constants are about twice
/// what was measured (34 ns for the five guards of a product, which take 1.5 ns as code), because
/// processors differ.
constexpr double ClocksNs = 12, RecordNs = 8, Factor = 12;

} // namespace

GuardPrice::GuardPrice(GuardView Guards, double NsPerTick) {
  if (NsPerTick <= 0)
    return;
  const double GuardsNs = costNs(Guards);
  double AsDataNs = 0;
  for (const specrt_guard &Guard : Guards)
    AsDataNs += costNs(GuardView(Guard)) * (isCalled(Guard) ? 1 : Factor);
  Published = static_cast<uint64_t>((EntryNs + GuardsNs) / NsPerTick);
  Interpreted = static_cast<uint64_t>(
      (ClocksNs + RecordNs * static_cast<double>(Guards.size()) + AsDataNs) / NsPerTick);
}

} // namespace specrt
