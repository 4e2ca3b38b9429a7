//===- runtime/persistence.cpp - from the registry to the profile store ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/persistence.h"
#include "runtime/clock.h"
#include "runtime/verdict.h"

#include <algorithm>
#include <unistd.h>

namespace specrt {
namespace {

/// A region's lock, tried for a short while; program threads hold it for a microsecond.
bool lockBriefly(RegionState &S) {
  for (int Try = 0; Try < 1000; ++Try) {
    if (S.tryLock())
      return true;
    usleep(10);
  }
  return false;
}

void addUpdate(RegionDetail &D, bool AtExit, std::vector<StoreUpdate> &Updates) {
  RegionState &S = *D.State;
  if (!D.Recent || !lockBriefly(S))
    return;
  RegionProfile Observed = *D.Past;
  Observed.merge(*D.Recent);
  D.Past->clear();
  D.Recent->clear();
  D.Saved->merge(Observed);
  uint64_t Calls = S.Calls.load(std::memory_order_relaxed);
  uint64_t NewCalls = Calls - std::min(Calls, D.CallsSaved);
  if (NewCalls > Observed.sampledCalls())
    Observed.addUnsampledCalls(NewCalls - Observed.sampledCalls());
  D.CallsSaved = Calls;
  bool Hot = D.Hot || S.TotalTicks >= hotTarget(S);
  if (AtExit)
    addUnfinishedDecision(D);
  S.unlock();
  const specrt_region &Region = D.Copy.region();
  if (Observed.sampledCalls() == 0 && D.Decisions.empty())
    return;
  StoredRegion Contribution{std::move(Observed), Hot, "", D.Decisions, 0, D.Causes};
  Updates.push_back(
      {Region.name, {Region.bitcode_hash[0], Region.bitcode_hash[1]}, std::move(Contribution)});
}

} // namespace

std::unique_lock<std::mutex> lockRegistry(Registry &R, uint32_t TimeoutMs) {
  std::unique_lock Lock(R.Mutex, std::try_to_lock);
  for (uint64_t End = monotonicNs() + uint64_t{TimeoutMs} * 1000000;
       !Lock.owns_lock() && monotonicNs() < End;) {
    usleep(100);
    (void)Lock.try_lock();
  }
  return Lock;
}

bool saveProfiles(Registry &R, bool AtExit) {
  std::vector<StoreUpdate> Updates;
  ProfileStore *Store;
  {
    std::unique_lock Lock = lockRegistry(R, 1000);
    if (!Lock.owns_lock() || !R.Store || !R.Settings.writesProfile())
      return Lock.owns_lock();
    Store = R.Store.get();
    if (AtExit)
      R.adoptPendingSamples();
    R.forEach([&](const Registry::View &V) {
      if (V.Detail)
        addUpdate(*V.Detail, AtExit, Updates);
    });
  }
  return Updates.empty() || Store->save(Updates);
}

} // namespace specrt
