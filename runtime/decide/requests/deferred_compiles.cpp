//===- runtime/decide/requests/deferred_compiles.cpp - compiles after the end of a run ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/requests/deferred_compiles.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/reasons.h"
#include "runtime/call/locked_region.h"
#include "runtime/capture/capture.h"
#include "runtime/compile/compiler_client.h"
#include "runtime/decide/prepare.h"
#include "runtime/decide/requests/compile_request.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <unistd.h>

namespace specrt {
namespace {

/// A region and the time that this and earlier runs spent in its original, in nanoseconds.
struct Deferred {
  RegionDetail *Detail;
  double SpentNs;
};

/// Returns whether nothing has been decided about the region and nothing rules a compile out.
bool isOpen(const RegionDetail &D) {
  if (D.Departed || D.Restart || D.Refused || !D.Seen.Recent || D.Work.NeverCompile ||
      D.Work.Instrumented)
    return false;
  if (D.Work.IsQuarantined && !hasCapture(D.State))
    return false;
  if (D.Work.OnTrial) // a replay compares all candidates, unlike a trial in so few calls
    return hasCapture(D.State);
  const Phase Now = D.State->CurrentPhase.load(std::memory_order_relaxed);
  return Now == Phase::Profiling || Now == Phase::Preparing || Now == Phase::Compiling ||
         !D.Work.Steps.empty();
}

/// Returns the step that is under way, the region's next one, or that for the plan which its calls
/// suggest.
std::optional<Step> nextStep(const RegistryLock &, RegionDetail &D, const Config &Settings) {
  const bool IsUnderWay =
      D.Work.OnTrial || D.State->CurrentPhase.load(std::memory_order_relaxed) == Phase::Compiling;
  // Without facts the worker has not begun a step.
  if (IsUnderWay && hasCapture(D.State) && !D.Work.Current.assumed().Facts.empty())
    return D.Work.Current.Doing;
  if (!D.Work.Steps.empty())
    return D.Work.Steps.front();
  std::vector<SpeculationPlan> Found;
  Measured Baseline;
  {
    const BrieflyLockedRegion Lock(*D.State);
    if (!Lock)
      return std::nullopt;
    Found = D.plans(1);
    Baseline = measuredOn(D.State->ColdSamples, D.State->Samples);
  }
  if (Found.empty() || D.Work.TriedPlans.contains(Found.front().Assumed.id()))
    return std::nullopt;
  return unmeasuredStep(Found.front(), D.State->calls(), Baseline, Settings);
}

/// Returns the request for the missing candidates of \p D, with its captured call if there is one;
/// nothing if no candidate is missing.
std::optional<LaterRequest> requestFor(const RegistryLock &Guard, Registry &R, RegionDetail &D) {
  Task T{.Doing = {}, .Settings = D.settings(R.Settings), .Store = R.Versions};
  std::optional<Step> Next = nextStep(Guard, D, T.Settings);
  if (!Next || Next->as<ResumeCall>() || Next->as<InstrumentCall>())
    return std::nullopt;
  T.Doing = std::move(*Next);
  StoredPlan Stored(*T.Store, D.Copy.region(), T.assumed(), T.Settings);
  LaterRequest Request;
  const bool Replays = Stored.needsReplay() && hasCapture(D.State);
  const MissingCandidates Missing =
      Replays ? MissingCandidates{}
              : Stored.missing(namesFor(T.Doing, T.Settings), T.Doing.wanted().empty());
  if ((!Missing.Any && !Replays) || !fillRequest(Guard, D, T, Missing, Request.Asked))
    return std::nullopt;
  keepAndShare(D, T, Request.Asked);
  if (Replays) {
    Request.Capture = Descriptor(takeCapture(D.State));
    Request.Asked.HasCapture = true;
    Request.Asked.SharedKey += " replays";
    if (!Request.Capture) // the program has closed the descriptor
      return std::nullopt;
  }
  Request.Asked.IsAwaited = T.Settings.CompilePriority == Priority::Normal;
  D.Hot = true;
  return Request;
}

/// Returns the regions that are worth a compile, the one in which most time was spent first.
std::vector<Deferred> worthwhileRegions(const RegistryLock &Guard, Registry &R) {
  std::vector<Deferred> All;
  R.forEach(Guard, [&](const Registry::View &V) {
    RegionDetail *D = V.Detail;
    if (!D || !isOpen(*D))
      return;
    const uint64_t Ticks = __atomic_load_n(&V.State->TotalTicks, __ATOMIC_RELAXED);
    double SpentNs = static_cast<double>(Ticks) * nsPerTick() + D->Seen.SpentNs;
    // A region in which earlier runs together spent too little time was not prepared.
    if (D->Seen.SpentNs == 0)
      if (const std::optional<StoredRegion> Known = R.Store->find(D->Copy.region()))
        SpentNs += knownNs(Known->Profile);
    if (SpentNs >= R.Settings.HotMs * 1e6)
      All.push_back({D, SpentNs});
  });
  std::sort(All.begin(), All.end(),
            [](const Deferred &A, const Deferred &B) { return A.SpentNs > B.SpentNs; });
  return All;
}

/// Records in the report that the compile server has the request for \p D.
void tellDeferred(const RegistryLock &, RegionDetail &D, bool WithCapture) {
  if (WithCapture)
    D.recordCaptureSent();
  if (D.Reason.empty())
    D.Reason = words(Reason::Deferred);
  D.History.Events.add(Event::CompileDeferred);
}

} // namespace

void requestDeferredCompiles(Registry &R) {
  constexpr uint32_t LockMs = 1000; // the same limit as for other steps of an exit
  std::vector<LaterRequest> Requests;
  std::vector<RegionDetail *> Regions;
  ServerChoice Where;
  {
    RegistryLock Guard(R, LockMs);
    const Config &Settings = R.Settings;
    if (!Guard.owns_lock() || Settings.Disable || Settings.Compile == CompileMode::Off ||
        Settings.AfterExitMs == 0 || !R.Store || !R.Versions || !R.Compiler.problem().empty())
      return;
    Where = Registry::serverFor(Settings);
    if (Where.CacheDirectory.empty())
      return;
    R.adoptPendingSamples(Guard);
    for (const Deferred &Next : worthwhileRegions(Guard, R))
      if (std::optional<LaterRequest> Request = requestFor(Guard, R, *Next.Detail)) {
        Requests.push_back(std::move(*Request));
        Regions.push_back(Next.Detail);
      }
  }
  if (Requests.empty())
    return;
  std::string Why;
  const size_t Sent = compileLater(Where, Requests, Why);
  if (Sent < Requests.size())
    logLine(LogLevel::Info, "%zu of %zu compiles are left to later runs: %s",
            Requests.size() - Sent, Requests.size(),
            Why.empty() ? "there are too many" : Why.c_str());
  RegistryLock Guard(R, LockMs);
  if (Guard.owns_lock())
    for (size_t I = 0; I < Sent; ++I)
      tellDeferred(Guard, *Regions[I], Requests[I].Asked.HasCapture);
}

uint32_t handOverCaptures(Registry &R) {
  // A compile server waits this long for further programs. A run that ends earlier makes the
  // request at its end.
  constexpr uint64_t MaxHeldNs = 10'000'000'000;
  while (const void *const Key = captureOlderThan(MaxHeldNs)) {
    std::optional<LaterRequest> Request;
    ServerChoice Where;
    RegionDetail *D = nullptr; // lives until the process ends
    {
      RegistryLock Guard(R);
      Where = Registry::serverFor(R.Settings);
      D = static_cast<const RegionState *>(Key)->Detail;
      if (D && isOpen(*D))
        Request = requestFor(Guard, R, *D);
    }
    dropCapture(Key); // has no effect if the request has taken it
    std::string Why;
    if (!Request)
      continue;
    if (compileLater(Where, {&*Request, 1}, Why) == 1) {
      RegistryLock Guard(R);
      D->recordCaptureSent();
      continue;
    }
    logLine(LogLevel::Info, "a captured call is not replayed: %s", Why.c_str());
    if (Request->Capture && ftruncate(Request->Capture.get(), 0) != 0)
      logLine(LogLevel::Info, "its memory stays in use: %s", std::strerror(errno));
  }
  return msUntilCaptureIs(MaxHeldNs);
}

} // namespace specrt
