//===- runtime/decide/compare_in_place.cpp - compares versions with the original in place ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A version that won its trial by little is compared once per cache, see
// runtime/call/in_place_comparison.h. A version that slows the program down is retired; if a second
// run confirms it, for ever.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/clock.h"
#include "runtime/base/reasons.h"
#include "runtime/decide/optimizer.h"
#include "runtime/decide/verdict.h"

#include <algorithm>

namespace specrt {
namespace {

/// The number of runs that must find a version slower in place before it is not tried again. A
/// single machine may have been busy.
constexpr uint32_t EnoughSlowerRuns = 2;
/// The least time of a call that is known: 0 stands for an unknown one.
constexpr double LeastNs = 1e-3;

} // namespace

/// Starts a comparison of the region's next calls, if that is worth it: its slot then points to the
/// thunk.
void RegionOptimizer::compareInPlace(const RegistryLock &Guard, RegionDetail &D) {
  RegionState &S = *D.State;
  specrt_region *Live = S.Region.load(std::memory_order_acquire);
  if (!Live)
    return;
  if (!S.Compared.load(std::memory_order_relaxed)) {
    if (std::none_of(D.History.Versions.begin(), D.History.Versions.end(),
                     [](const auto &V) { return isInDoubt(*V); }))
      return;
    const Version *const First = S.Versions.load(std::memory_order_relaxed);
    const bool IsShort = First && First->BodyNs < ShortCallNs;
    if (IsShort && !Live->pass_by)
      return; // the thunk would dominate
    const auto Stride = IsShort ? static_cast<uint32_t>(First->State->sample_mask + 1) : 1;
    D.History.Comparisons.push_back(std::make_unique<InPlaceComparison>(nsPerTick(), Stride));
    S.Compared.store(D.History.Comparisons.back().get(), std::memory_order_release);
  }
  __atomic_store_n(Live->slot, Live->thunk, __ATOMIC_RELEASE);
}

/// Returns true when a version was retired.
bool RegionOptimizer::endComparison(const RegistryLock &Guard, RegionDetail &D) {
  RegionState &S = *D.State;
  const InPlaceComparison *P = S.Compared.load(std::memory_order_relaxed);
  if (!P || !P->isOver() || D.Work.OnTrial || D.Work.Instrumented)
    return false;
  S.Compared.store(nullptr, std::memory_order_release);
  const bool IsSlower = P->verdict() == InPlaceComparison::Verdict::Slower;
  bool Lost = false;
  for (const auto &V : D.History.Versions) {
    if (!isInDoubt(*V))
      continue;
    V->IsCompared = true;
    if (P->verdict() == InPlaceComparison::Verdict::Open)
      continue;
    V->GainInPlace = P->gain();
    if (V->isTooShortToTime())
      V->MeasuredBaselineNs.store(std::max(V->BodyNs + P->savedNs(), LeastNs),
                                  std::memory_order_relaxed);
    V->SlowerRuns = IsSlower ? V->SlowerRuns + 1 : 0;
    StoredDecision Decision = versionDecision(*V, "faster than the original");
    if (IsSlower) {
      Lost = true;
      D.Reason = words(Reason::SlowsProgram);
      retireVersion(Guard, D, *V, D.Reason);
      if (V->SlowerRuns >= EnoughSlowerRuns)
        Decision.Result = StoredDecision::Outcome::Retired;
      Decision.Reason = D.Reason;
    }
    addDecision(D, std::move(Decision));
  }
  resume(Guard, D);
  return Lost;
}

} // namespace specrt
