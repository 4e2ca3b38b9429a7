//===- runtime/decide/depart.cpp - regions whose image is unloaded, and loaded again ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may open and close a plug-in thousands of times. A region's state cannot be freed when
// its image is unloaded, because the worker and objects that are not reclaimed yet refer to it, and
// its results would be lost. So an image that is loaded again, at any address, takes over the
// former states of its regions:
//
//   unregisterImage   the region has no descriptor any more; the worker ends its work for it
//   depart            the worker ends its work, and keeps steps for what was in use or planned
//   returnRegion      addresses are those of the new image; the steps are taken again
//
// If an image is loaded again before the worker has left a region, the region runs its original
// until then.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/log.h"
#include "runtime/base/reasons.h"
#include "runtime/base/tuning.h"
#include "runtime/call/work_queue.h"
#include "runtime/capture/capture.h"
#include "runtime/decide/optimizer.h"
#include "runtime/decide/prepare.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <span>
#include <sys/mman.h>
#include <utility>

namespace specrt {
namespace {

/// Appends the properties that make regions the same: the code, the names that it refers to, and
/// the tables of which other parts of libspecrt keep copies.
void appendIdentity(std::string &Text, const specrt_region &R) {
  const uint64_t Numbers[] = {R.bitcode_hash[0], R.bitcode_hash[1], R.line,        R.flags,
                              R.num_args,        R.return_kind,     R.num_symbols, R.num_accesses,
                              R.num_loops,       R.num_cells};
  Text.append(reinterpret_cast<const char *>(Numbers), sizeof(Numbers));
  Text.append(reinterpret_cast<const char *>(R.arg_kinds), R.num_args);
  for (const char *Word : {R.name, R.function, R.file})
    Text.append(Word ? Word : "").push_back('\0');
  for (uint32_t I = 0; I < R.num_symbols; ++I)
    Text.append(R.symbols[I].name).push_back('\0');
}

/// Returns nothing when a region cannot be identified: a wrapped function that was not read yet, or
/// a region of another version of libspecrt.
std::optional<ContentHash> identityOf(const Image &I) {
  std::string Text;
  for (const specrt_region *R : std::span(I.Begin, I.End)) {
    if (R && R->abi_version != 0 && (!understands(*R) || !R->bitcode))
      return std::nullopt;
    if (R && R->abi_version != 0)
      appendIdentity(Text, *R);
    Text.push_back('\n');
  }
  return contentHash(Text);
}

/// Returns steps for the versions that serve calls now, best first, for the trial, and for open
/// steps, except those that concern a single call.
std::deque<Step> stepsToTakeAgain(RegionDetail &D) {
  std::deque<Step> Again;
  for (const Version *V = D.State->Versions.load(std::memory_order_relaxed); V;
       V = V->Next.load(std::memory_order_relaxed))
    Again.push_back(provenStep(versionDecision(*V, "")));
  auto Keep = [&](Step &S) {
    if (!S.as<ResumeCall>() && !S.as<InstrumentCall>())
      Again.push_back(std::move(S));
  };
  if (D.Work.OnTrial)
    Keep(D.Work.Current.Doing);
  std::for_each(D.Work.Steps.begin(), D.Work.Steps.end(), Keep);
  return Again;
}

bool isUnloaded(const std::unique_ptr<Version> &V) {
  return V && V->EndReason == words(Reason::Unloaded);
}

bool areSame(const Version &A, const Version &B) {
  return A.Name == B.Name && A.Assumed.id() == B.Assumed.id();
}

} // namespace

void Registry::departRegion(const RegistryLock &Guard, specrt_region &R, RegionState &S) {
  setState(R, nullptr);
  leaveToOriginal(R);
  // Regions that were called stay visible in the report.
  bool Reported = logs(LogLevel::Info) || !Settings.Report.empty();
  if (Reported && S.calls() > 0)
    detailOf(Guard, S);
  stopPassingBy(S);
  S.Region.store(nullptr, std::memory_order_release);
  if (RegionDetail *D = S.Detail) {
    D->Departed = true;
    D->IsLeft = false;
    request(S, RequestDepart);
  }
}

void Registry::unregisterImage(specrt_region **Begin, specrt_region **End) {
  RegistryLock Guard(*this);
  auto Found =
      std::find_if(Images.begin(), Images.end(), [=](const Image &I) { return I.Begin == Begin; });
  if (Found == Images.end())
    return;
  Image I = *Found;
  Images.erase(Found);
  if (!I.States)
    return;
  bool InUse = false;
  for (size_t N = 0; N < I.size(); ++N) {
    specrt_region *R = I.Begin[N];
    RegionState &S = I.States[N];
    if (R && R->state == &S)
      departRegion(Guard, *R, S);
    else if (S.Detail && S.Detail->Returning == R)
      S.Detail->Returning = nullptr;
    // A region that was called, or a wrapped function that is being read, may be off the queue and
    // in use by the worker.
    InUse |= S.Detail || S.Queued.load(std::memory_order_acquire) || S.calls() > 0 ||
             S.CurrentPhase.load(std::memory_order_relaxed) == Phase::Compiling;
  }
  if (!InUse)
    munmap(I.States, I.Bytes);
  else if (std::optional<ContentHash> Identity = identityOf(I))
    Unloaded.push_back({*Identity, I.States, I.Bytes});
}

/// Gives an image the states that it had before it was unloaded; returns false when it had none.
bool Registry::takeUpStates(const RegistryLock &Guard, Image &I) {
  if (Settings.Disable || Unloaded.empty())
    return false;
  const std::optional<ContentHash> Identity = identityOf(I);
  auto Found = std::find_if(Unloaded.begin(), Unloaded.end(),
                            [&](const UnloadedImage &U) { return U.Identity == Identity; });
  if (Found == Unloaded.end())
    return false;
  I.States = Found->States;
  I.Bytes = Found->Bytes;
  Unloaded.erase(Found);
  return true;
}

/// Prepares an image that has taken over its states, as prepareImage does.
void Registry::returnImage(const RegistryLock &Guard, Image &I, Known &Found) {
  std::vector<const specrt_region *> Waiting;
  for (size_t N = 0; N < I.size(); ++N) {
    specrt_region *R = I.Begin[N];
    if (!isNew(R) || std::find(Waiting.begin(), Waiting.end(), R) != Waiting.end())
      continue;
    RegionState &S = I.States[N];
    RegionDetail *D = S.Detail;
    if (D && !D->IsLeft) {
      leaveToOriginal(*R);
      D->Returning = R;
      Waiting.push_back(R);
      continue;
    }
    RegionDetail *Next = D ? (returnRegion(Guard, *R, *D) ? D : nullptr)
                           : prepareRegion(Guard, *R, S, /*Fresh=*/false);
    if (Next)
      Found.push_back(Next);
  }
}

bool Registry::returnRegion(const RegistryLock &Guard, specrt_region &R, RegionDetail &D) {
  RegionState &S = *D.State;
  const Phase Before = S.CurrentPhase.load(std::memory_order_relaxed);
  const bool WasExcluded = S.StaticReason.exchange(nullptr, std::memory_order_relaxed) != nullptr;
  if (const char *Why = whyExcluded(Guard, R)) {
    exclude(R, S, Why);
    return false;
  }
  D.Copy.moveTo(R, Functions.codeFor(R));
  D.Departed = D.IsLeft = false;
  S.Region.store(&R, std::memory_order_release);
  const bool IsDecided = Before == Phase::Retired || (Before == Phase::Blocked && !WasExcluded);
  const bool HasSteps = !D.Work.Steps.empty();
  if (HasSteps) {
    // With SPECRT_COMPILE=sync, calls wait.
    S.MayWaitUs.store(tuning().SyncWaitUs.load(std::memory_order_relaxed),
                      std::memory_order_relaxed);
    setPhase(S, Phase::Preparing);
  } else if (!IsDecided && Before != Phase::Cold && Before != Phase::Profiling) {
    S.HotTarget = 0; // no call reads it before the state is set
    setPhase(S, Phase::Profiling);
  }
  moveOsrState(S.Osr, OsrState::Over, OsrState::Watching);
  setState(R, &S);
  setSlot(R, HasSteps || !IsDecided ? R.thunk : InPlace);
  return HasSteps;
}

/// Ends the work for a region whose image is unloaded, so that it gets no calls. \p IsLast: there
/// will be no other request for it before it returns.
void RegionOptimizer::depart(const RegistryLock &Guard, RegionDetail &D, bool IsLast) {
  RegionState &S = *D.State;
  if (D.Restart)
    D.forgetPlans();
  else
    D.Work.Steps = stepsToTakeAgain(D);
  D.Copy.dropBitcode();
  dropCapture(&S);
  setOsrState(S.Osr, OsrState::Over);
  retireOsr(Guard, D);
  endTrial(Guard, D);
  endInstrumented(Guard, D);
  S.Compared.store(nullptr, std::memory_order_release);
  D.History.Comparisons.clear();
  for (const auto &V : D.History.Versions) {
    if (V->EndReason.empty())
      retireVersion(Guard, D, *V, words(Reason::Unloaded));
    if (!V->Stored)
      continue;
    // No code is left that could enter it. Its counters stay for the report.
    if (V->State != &V->OwnState)
      V->OwnState = *V->State;
    V->State = &V->OwnState;
    Garbage.addStored(S, std::move(V->Stored));
  }
  mergeUnloaded(Guard, D);
  D.IsLeft |= IsLast;
  if (!D.IsLeft)
    return;
  specrt_region *Back = std::exchange(D.Returning, nullptr);
  if (Back && R.returnRegion(Guard, *Back, D))
    request(S, RequestPrepare);
}

/// Merges versions that each of several successive images had, so that the report shows one.
void RegionOptimizer::mergeUnloaded(const RegistryLock &Guard, RegionDetail &D) {
  auto &All = D.History.Versions;
  for (auto Last = All.rbegin(); Last != All.rend(); ++Last)
    for (auto Earlier = Last + 1; Earlier != All.rend() && isUnloaded(*Last); ++Earlier)
      if (isUnloaded(*Earlier) && areSame(**Last, **Earlier)) {
        (*Last)->absorb(**Earlier);
        Garbage.addVersion(*D.State, std::move(*Earlier));
      }
  std::erase(All, nullptr);
}

} // namespace specrt
