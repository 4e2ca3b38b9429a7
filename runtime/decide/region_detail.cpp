//===- runtime/decide/region_detail.cpp - the worker's data about a region ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/region_detail.h"
#include "runtime/base/clock.h"
#include "runtime/call/locked_region.h"
#include "runtime/call/pending_samples.h"

namespace specrt {

void RegionDetail::forgetPlans() {
  Work.Steps.clear();
  Work.TriedPlans.clear();
  Work.Records.clear();
  Work.NeverMet.clear();
  Work.TimesOfLost.clear();
  History.Decisions.clear();
  Reason.clear();
  Hot = Failed = Restart = false;
  ++Restarts;
}

void RegionDetail::createProfile(const RegistryLock &Guard) {
  if (Seen.Recent)
    return;
  // All profiles use the copy's descriptor, because the image may be unloaded while they are in
  // use.
  auto Recent = std::make_unique<RegionProfile>(Copy.region());
  Seen.Past = std::make_unique<RegionProfile>(Copy.region());
  Seen.Saved = std::make_unique<RegionProfile>(Copy.region());
  Seen.Recent = std::move(Recent); // set last, so that the others exist if it does
  // Under the lock no call is kept between the last one that is taken here and the profile's
  // publication. A thread that was left with the lock keeps none any more, either.
  const BrieflyLockedRegion Lock(*State);
  while (std::optional<PendingSample> Kept = takePendingSample(*State))
    Seen.Recent->record(Kept->Packed.data(), Kept->Nanoseconds, Kept->Cells);
  State->Profile.store(Seen.Recent.get(), std::memory_order_release);
  State->ServedCalls.store(Seen.Past.get(), std::memory_order_release);
}

void RegionDetail::recordCaptureSent() {
  Seen.CaptureSent = secondsNow();
  ++Seen.Unanswered;
}

void RegionDetail::recall(const StoredRegion &Known) {
  Seen.StoredUse = Known.LastUsed;
  Seen.Account = Known.Account;
  Seen.NsPerRow = Known.NsPerRow;
  Seen.Runs = Known.Runs;
  Seen.CaptureSent = Known.CaptureSent;
  Seen.Unanswered = Known.Unanswered;
  for (const StoredDecision &Old : Known.Decisions)
    if (Old.wasNeverMet())
      Work.NeverMet.push_back(Old.Assumed);
}

std::vector<SpeculationPlan> RegionDetail::plans(unsigned Max) const {
  std::vector<SpeculationPlan> Found =
      specrt::plans(*Seen.Recent, Copy.region(), Max, Work.NeverMet);
  Found = withZeros(std::move(Found), Seen.Recent->get<ZeroShares>());
  if (!Seen.Streams)
    return Found;
  Found = withSequences(std::move(Found), *Seen.Streams, Copy.region());
  return Seen.Rows ? withRows(std::move(Found), *Seen.Rows, Copy.region()) : Found;
}

Config RegionDetail::settings(const Config &Settings) const {
  Config Here = Settings;
  if (State->Who.areManyAtOnce())
    Here.Threads = 1;
  return Here;
}

} // namespace specrt
