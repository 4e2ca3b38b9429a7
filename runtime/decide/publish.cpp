//===- runtime/decide/publish.cpp - publishes bodies as versions ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/publish.h"
#include "guards/guards.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/tuning.h"
#include "runtime/cache/loaded_version.h"
#include "runtime/call/locked_region.h"
#include "runtime/decide/prepare.h"
#include "runtime/decide/verdict.h"
#include "runtime/rows/row_tables.h"

#include <algorithm>

namespace specrt {

std::unique_ptr<Version> makeVersion(const specrt_region &Region, const Assumptions &Assumed,
                                     const CompiledBody &Winner, double BaselineNs, double BodyNs) {
  auto V = std::make_unique<Version>(Winner);
  V->Assumed = Assumed;
  V->Varying = leavesNumbersOpen(Assumed, Region);
  V->BaselineNs = BaselineNs;
  V->BodyNs = BodyNs;
  // An exact count costs two atomic operations per call, which is not noticeable from 1 us on.
  V->ExactInside = BodyNs >= 1000;
  const specrt_object_body *Stored = Winner.Stored ? Winner.Stored->body(Winner.Name) : nullptr;
  if (!Stored || !Winner.Stored->claimState(*Stored->entry))
    return nullptr;
  V->State = Stored->entry->state;
  V->Entry = V->ExactInside ? Stored->entry->exact_entry : Stored->entry->entry;
  V->State->body = Winner.Body;
  V->State->next = behindVersions(Region);
  V->State->sampler = V->State->next; // until the version is linked
  V->State->holds = specrt_guard_holds;
  V->State->region = &Region;
  planObservation(*V, BodyNs > 0 ? BodyNs : BaselineNs);
  return V;
}

uint64_t missTicksToReview(const RegionWork &Work) {
  constexpr double LeastNs = 100'000; // well above the time of a review
  const auto Least = static_cast<uint64_t>(LeastNs / nsPerTick());
  return std::max(tuning().HotTicks.load(std::memory_order_relaxed), Least) * Work.Reviews.factor();
}

void installVersion(const RegistryLock &Guard, RegionDetail &D, std::unique_ptr<Version> V,
                    specrt_region &Live) {
  RegionState &S = *D.State;
  // Allocations come first: a version that is linked must stay.
  Version &New = *D.History.Versions.emplace_back(std::move(V));
  linkVersion(S, New, Live);
  setSlot(Live, slotTarget(S));
  {
    LockedRegion Lock(S);
    S.MissTicks = 0;
    S.MissThreshold = missTicksToReview(D.Work);
  }
  setPhase(S, Phase::Specialised);
  logLine(LogLevel::Debug, "%s: published %s for %s: %s instead of %s", D.Copy.region().name,
          New.Name.c_str(), describe(New.Assumed, D.Copy.region()).c_str(),
          formatNs(New.BodyNs).c_str(), formatNs(New.BaselineNs).c_str());
  D.Reason.clear();
  D.History.Events.add(Event::Published, New.Name + (New.FromCache ? ", from the cache" : ""));
}

} // namespace specrt
