//===- runtime/decide/region_detail.cpp - what the worker knows about a region ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/region_detail.h"
#include "runtime/call/pending_samples.h"

namespace specrt {

void RegionDetail::forgetPlans() {
  Work.Steps.clear();
  Work.TriedPlans.clear();
  Work.Records.clear();
  History.Decisions.clear();
  Reason.clear();
  Hot = Failed = Restart = false;
  ++Restarts;
}

void RegionDetail::createProfile(const RegistryLock &Guard) {
  if (Seen.Recent)
    return;
  // All read the copy's descriptor: the image may be gone while they are still used.
  Seen.Recent = std::make_unique<RegionProfile>(Copy.region());
  Seen.Past = std::make_unique<RegionProfile>(Copy.region());
  Seen.Saved = std::make_unique<RegionProfile>(Copy.region());
  // Nobody else records into it before it is published, so the lock is not needed.
  if (std::optional<PendingSample> First = takePendingSample(*State))
    Seen.Recent->record(First->Packed.data(), First->Nanoseconds, First->Cells);
  State->Profile.store(Seen.Recent.get(), std::memory_order_release);
}

std::vector<SpeculationPlan> RegionDetail::plans(unsigned Max) const {
  std::vector<SpeculationPlan> Found = specrt::plans(*Seen.Recent, Copy.region(), Max);
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
