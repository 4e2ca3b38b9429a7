//===- runtime/call/captured/captured_call.cpp - which calls are captured ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/captured/captured_call.h"
#include "runtime/base/clock.h"
#include "runtime/base/tuning.h"

namespace specrt {
namespace {

double nsOf(uint64_t Ticks) { return static_cast<double>(Ticks) * nsPerTick(); }

/// Returns what the region has taken when a call that takes \p CallNs is over.
double regionNs(const RegionState &S, double CallNs) {
  return S.SpentNs.load(std::memory_order_relaxed) +
         nsOf(__atomic_load_n(&S.TotalTicks, __ATOMIC_RELAXED)) + CallNs;
}

} // namespace

Capture *captureCall(const RegionState &S, const specrt_region &R, const uint64_t *Packed) {
  const double MaxNs = tuning().MaxCapturedNs.load(std::memory_order_relaxed);
  if (MaxNs == 0 || S.NoCapture.load(std::memory_order_relaxed))
    return nullptr;
  // The symbols of functions in other files are known when the worker has looked for them.
  const specrt_region &Of = S.guarded(R);
  if (&Of == &R && (R.flags & SPECRT_REGION_CALLS))
    return nullptr;
  double Ns = S.UsualNs.load(std::memory_order_relaxed);
  if (Ns == 0) {
    Ns = S.Calls.load(std::memory_order_relaxed) <= 1 ? predictedNs(Of, Packed) : recentNs(S);
    if (Ns < nsOf(tuning().HotTicks.load(std::memory_order_relaxed)))
      return nullptr;
  }
  return Ns <= MaxNs ? beginCapture(&S, Of, Packed, regionNs(S, Ns)) : nullptr;
}

void endCaptured(Capture &Of, bool IsInterrupted, uint64_t Ticks) {
  if (IsInterrupted)
    return abandonCapture(Of);
  endCapture(Of, static_cast<uint64_t>(nsOf(Ticks)));
}

} // namespace specrt
