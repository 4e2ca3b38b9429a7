//===- runtime/decide/requests/compile_request.cpp - makes requests to the compile server ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/requests/compile_request.h"
#include "profiler/observations/time_profile.h"
#include "runtime/base/clock.h"
#include "runtime/cache/identity.h"
#include "runtime/call/locked_region.h"

#include <algorithm>

namespace specrt {

double expectedNs(const RegionDetail &D, const Task &T) {
  if (double Ns = T.Doing.baselineNs(); Ns > 0)
    return Ns;
  for (const auto &V : D.History.Versions)
    if (V->EndReason.empty() && V->Assumed.id() == T.assumed().id() && V->BodyNs > 0)
      return V->BodyNs;
  LockedRegion Lock(*D.State);
  return D.Seen.Recent->get<TimeProfile>().meanNs();
}

bool fillRequest(const RegistryLock &, RegionDetail &D, const Task &T,
                 const MissingCandidates &Missing, CompileRequest &Request) {
  specrt_region *Live = D.State->Region.load(std::memory_order_acquire);
  if (!D.Copy.hasBitcode()) {
    if (!Live)
      return false;
    D.Copy.addBitcode(*Live);
  }
  const Assumptions &Assumed = T.assumed();
  const Config &Settings = T.Settings;
  const specrt_region &Region = D.Copy.region();
  if (Assumed.Facts.size() != Region.num_args)
    return false;
  Request.Region = RegionMessage(Region);
  Request.Assumed = Assumed;
  Request.FpMode = static_cast<uint32_t>(Settings.Fp);
  Request.Threads = workerThreads(Settings);
  Request.BudgetMs = Settings.CompileBudgetMs;
  Request.AfterExitMs = Settings.AfterExitMs;
  Request.SecondsPerCall = expectedNs(D, T) * 1e-9;
  if (const auto *Rest = T.Doing.as<ResumeCall>()) {
    Request.FirstIteration = Rest->FirstIteration;
    Request.EndIteration = Rest->EndIteration;
  }
  Request.WantsNest = !D.Seen.Loops;
  Request.WantsZeros = !D.Seen.Zeros;
  Request.DumpDirectory = Settings.Dump;
  Request.Only = Missing.Only;
  Request.Existing = Missing.Existing;
  Request.Absent = Missing.Absent;
  return true;
}

void keepAndShare(const RegionDetail &D, const Task &T, CompileRequest &Request) {
  Request.IsKept = true;
  Request.StoreLimit = T.Settings.CacheLimit;
  Request.ReadsStore = T.Settings.readsProfile();
  Request.SharedKey =
      versionKey(identity(), D.Copy.region(), T.assumed(), Request.Only, T.Settings).Text +
      "budget=" + std::to_string(Request.BudgetMs) + " told=" + std::to_string(Request.WantsNest) +
      std::to_string(Request.WantsZeros) + std::to_string(Request.ReadsStore) +
      " dump=" + Request.DumpDirectory;
}

bool isTooEarly(const RegionDetail &D, const Config &Settings) {
  const RegionState &S = *D.State;
  uint64_t Ticks = __atomic_load_n(&S.TotalTicks, __ATOMIC_RELAXED);
  // The time of a running call is not in the total yet.
  const uint64_t Begin = S.Osr.Begin.load(std::memory_order_relaxed), Now = ticks();
  if (Begin != 0 && Now > Begin)
    Ticks += Now - Begin;
  const double HotNs = Settings.HotMs * 1e6;
  const double NsPerRun = D.Seen.SpentNs / static_cast<double>(std::max<uint64_t>(D.Seen.Runs, 1));
  // The comparison is in whole ticks, as in calls (Tuning::HotTicks).
  return Ticks < static_cast<uint64_t>(HotNs / nsPerTick()) && NsPerRun < HotNs;
}

} // namespace specrt
