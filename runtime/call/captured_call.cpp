//===- runtime/call/captured_call.cpp - selects the calls that are captured ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/captured_call.h"
#include "runtime/base/clock.h"
#include "runtime/base/tuning.h"

namespace specrt {
namespace {

constexpr auto Relaxed = std::memory_order_relaxed;

double nsOf(uint64_t Ticks) { return static_cast<double>(Ticks) * nsPerTick(); }

/// Returns the time that the region will have taken after a call that takes \p CallNs.
double regionNs(const RegionState &S, double CallNs) {
  return S.Captures.SpentNs.load(Relaxed) + nsOf(__atomic_load_n(&S.TotalTicks, __ATOMIC_RELAXED)) +
         CallNs;
}

} // namespace

Capture *captureCall(RegionState &S, const specrt_region &R, const uint64_t *Packed) {
  const double MaxNs = tuning().MaxCapturedNs.load(Relaxed);
  if (MaxNs == 0 || S.Captures.AreOver.load(Relaxed))
    return nullptr;
  // Bodies refer to symbols of functions in other files, whose addresses the worker determines
  // later.
  const specrt_region &Of = S.guarded(R);
  if (&Of == &R && (R.flags & SPECRT_REGION_CALLS))
    return nullptr;
  double Ns = S.Captures.UsualNs.load(Relaxed);
  if (Ns == 0) {
    Ns = S.Calls.load(Relaxed) <= 1 ? predictedNs(Of, Packed) : recentNs(S);
    if (Ns < nsOf(tuning().HotTicks.load(Relaxed)))
      return nullptr;
  }
  if (Ns > MaxNs)
    return nullptr;
  CaptureRefusal Why = CaptureRefusal::None;
  Capture *const Begun = beginCapture(&S, Of, Packed, regionNs(S, Ns), Why);
  S.Captures.Refusal.store(Why, Relaxed);
  return Begun;
}

void endCaptured(RegionState &S, Capture &Of, bool IsInterrupted, uint64_t Ticks) {
  if (IsInterrupted)
    abandonCapture(Of);
  else if (!endCapture(Of, static_cast<uint64_t>(nsOf(Ticks))))
    S.Captures.Refusal.store(CaptureRefusal::Unavailable, Relaxed);
}

} // namespace specrt
