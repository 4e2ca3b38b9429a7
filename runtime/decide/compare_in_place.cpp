//===- runtime/decide/compare_in_place.cpp - versions that may cost others ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Once per version and cache, when its trial was won by little: see runtime/call/pace.h. A version
// with which the program gets on more slowly is taken out; when a second run agrees, for good.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/clock.h"
#include "runtime/base/reasons.h"
#include "runtime/decide/optimizer.h"
#include "runtime/decide/verdict.h"

#include <algorithm>

namespace specrt {
namespace {

/// Runs that find a version slower in place, until it is not tried again. The machine of one may
/// have been busy.
constexpr uint32_t EnoughSlowerRuns = 2;

} // namespace

/// Has the region's next calls compared, if that is worth it: its slot then leads to the thunk.
void RegionOptimizer::compareInPlace(const RegistryLock &Guard, RegionDetail &D) {
  RegionState &S = *D.State;
  specrt_region *Live = S.Region.load(std::memory_order_acquire);
  if (!Live)
    return;
  if (!S.Compared.load(std::memory_order_relaxed)) {
    if (std::none_of(D.History.Versions.begin(), D.History.Versions.end(),
                     [](const auto &V) { return isInDoubt(*V); }))
      return;
    D.History.Comparisons.push_back(std::make_unique<Pace>(nsPerTick()));
    S.Compared.store(D.History.Comparisons.back().get(), std::memory_order_release);
  }
  __atomic_store_n(Live->slot, Live->thunk, __ATOMIC_RELEASE);
}

/// True when a version was taken out.
bool RegionOptimizer::endComparison(const RegistryLock &Guard, RegionDetail &D) {
  RegionState &S = *D.State;
  const Pace *P = S.Compared.load(std::memory_order_relaxed);
  if (!P || !P->isOver() || D.Work.OnTrial || D.Work.Instrumented)
    return false;
  S.Compared.store(nullptr, std::memory_order_release);
  const bool IsSlower = P->verdict() == Pace::Verdict::Slower;
  bool Lost = false;
  for (const auto &V : D.History.Versions) {
    if (!isInDoubt(*V))
      continue;
    V->IsCompared = true;
    if (P->verdict() == Pace::Verdict::Open)
      continue;
    V->PaceGain = P->gain();
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
