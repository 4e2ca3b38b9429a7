//===- runtime/call/region_state.cpp - sampling and waiting ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/region_state.h"
#include "profiler/observations/region_profile.h"
#include "runtime/base/clock.h"
#include "runtime/base/futex.h"
#include "runtime/base/tuning.h"
#include "runtime/call/pending_samples.h"
#include "runtime/call/thread_use.h"
#include "runtime/call/versions.h"
#include "runtime/call/work_queue.h"

#include <algorithm>
#include <bit>

namespace specrt {

const char *phaseName(Phase P) {
  switch (P) {
  case Phase::Cold:
    return "cold";
  case Phase::Profiling:
    return "profiling";
  case Phase::Preparing:
  case Phase::Compiling:
    return "compiling";
  case Phase::Trial:
    return "trial";
  case Phase::Specialised:
    return "specialised";
  case Phase::Retired:
    return "retired";
  case Phase::Blocked:
    return "blocked";
  }
  return "?";
}

uint32_t samplePeriod(double MeanNs) {
  // The costs of sampling a call, in nanoseconds, and the share of the time of all calls for it.
  constexpr double SystemCallsNs = 2000, Share = 0.01;
  double CostNs = TimedCallNs + (MeanNs >= WatchedNs ? SystemCallsNs : 0);
  double Period = CostNs / (Share * std::max(MeanNs, 1.0));
  return std::bit_ceil(static_cast<uint32_t>(std::clamp(Period, 1.0, 1024.0)));
}

static uint32_t nextRandom(uint32_t &State) {
  State = State ? State : 0x9e3779b9u;
  State ^= State << 13;
  State ^= State >> 17;
  State ^= State << 5;
  return State;
}

uint64_t hotTarget(const RegionState &S) {
  return S.HotTarget ? S.HotTarget : tuning().HotTicks.load(std::memory_order_relaxed);
}

/// Records the values in the profile, or keeps the call until there is a profile.
static void recordValues(RegionState &S, const uint64_t *Packed, uint64_t Nanoseconds) {
  const specrt_region *Region = S.Region.load(std::memory_order_relaxed);
  if (!Region)
    return;
  if (RegionProfile *Profile = S.Profile.load(std::memory_order_acquire))
    return Profile->record(Packed, Nanoseconds, readCells(*Region, Packed));
  // Regions that do not become hot need neither memory nor a thread.
  if (S.TotalTicks >= hotTarget(S) / 8)
    stashSample(S, *Region, Packed, Nanoseconds);
  if (S.ProfileRequested || S.TotalTicks < hotTarget(S))
    return;
  S.ProfileRequested = true;
  request(S, RequestProfile);
}

void recordServed(RegionState &S, const uint64_t *Packed, double OriginalNs) {
  const specrt_region *Region = S.Region.load(std::memory_order_relaxed);
  RegionProfile *Profile = S.ServedCalls.load(std::memory_order_acquire);
  if (Region && Profile)
    Profile->record(Packed, static_cast<uint64_t>(OriginalNs), readCells(*Region, Packed),
                    /*IsEstimate=*/true);
}

void recordSample(RegionState &S, const uint64_t *Packed, const Measurement &M) {
  // all are sampled, for programs that call a region only a few times
  constexpr uint64_t FirstCalls = 16;
  const uint64_t Ticks = M.Ticks;
  S.ColdSamples += M.Cold;
  uint64_t Calls = S.Calls.load(std::memory_order_relaxed);
  uint64_t Weight = Calls > S.CallsAtLastSample ? Calls - S.CallsAtLastSample : 1;
  S.CallsAtLastSample = Calls;
  ++S.Samples;
  S.SampledTicks += Ticks;
  // Both are also read without the lock.
  __atomic_store_n(&S.TotalTicks, S.TotalTicks + Ticks * Weight, __ATOMIC_RELAXED);
  __atomic_store_n(&S.RecentTicks,
                   S.Samples == 1 ? Ticks : S.RecentTicks - S.RecentTicks / 8 + Ticks / 8,
                   __ATOMIC_RELAXED);
  double Scale = nsPerTick();
  recordValues(S, Packed, static_cast<uint64_t>(static_cast<double>(Ticks) * Scale));
  if (S.Samples < FirstCalls)
    return;
  // The distance between samples varies randomly by half a period: a program that cycles through
  // shapes would otherwise always be sampled at the same shape.
  uint32_t Period = samplePeriod(static_cast<double>(S.RecentTicks) * Scale);
  uint32_t Distance = Period == 1 ? 1 : Period / 2 + nextRandom(S.Random) % Period;
  passBy(S, std::max(Distance, 1u) - 1);
}

void observeAgain(RegionState &S, uint64_t Ticks) {
  S.CallsAtLastSample = S.calls();
  S.HotTarget = S.TotalTicks + Ticks;
}

void checkHot(RegionState &S) {
  if (S.CurrentPhase.load(std::memory_order_relaxed) != Phase::Profiling)
    return;
  if (!tuning().CompileEnabled.load(std::memory_order_relaxed)) {
    // Without compiles, observation ends when the profile has enough samples.
    constexpr uint64_t EnoughSamples = 500;
    Phase Expected = Phase::Profiling;
    specrt_region *R = S.Region.load(std::memory_order_relaxed);
    if (S.Samples >= EnoughSamples && R &&
        S.CurrentPhase.compare_exchange_strong(Expected, Phase::Retired))
      __atomic_store_n(R->slot, InPlace, __ATOMIC_RELEASE);
    return;
  }
  if (S.TotalTicks < hotTarget(S))
    return;
  Phase Expected = Phase::Profiling;
  if (S.CurrentPhase.compare_exchange_strong(Expected, Phase::Compiling)) {
    stopPassingBy(S);
    request(S, RequestCompile);
  }
}

uint64_t RegionState::calls() const {
  const uint64_t Set = Distance.load(std::memory_order_relaxed);
  const specrt_region *R = Region.load(std::memory_order_acquire);
  const uint64_t Rest = R && R->pass_by ? __atomic_load_n(R->pass_by, __ATOMIC_RELAXED) : 0;
  return Calls.load(std::memory_order_relaxed) + Set - std::min(Set, Rest);
}

void passBy(RegionState &S, uint32_t Calls) {
  const Phase P = S.CurrentPhase.load(std::memory_order_relaxed);
  // In other phases, and where calls may wait for versions, every call must be observed.
  const bool MayWait = S.MayWaitUs.load(std::memory_order_relaxed) ||
                       tuning().SyncWaitUs.load(std::memory_order_relaxed);
  const bool IsWatched = P == Phase::Profiling || (P == Phase::Preparing && !MayWait) ||
                         (P == Phase::Compiling && !MayWait && S.hasOnlyOriginal());
  specrt_region *R = S.Region.load(std::memory_order_acquire);
  if (!IsWatched || !R || !R->pass_by)
    return;
  S.Distance.store(Calls, std::memory_order_relaxed);
  __atomic_store_n(R->pass_by, Calls, __ATOMIC_RELAXED);
}

void stopPassingBy(RegionState &S) {
  specrt_region *R = S.Region.load(std::memory_order_acquire);
  if (!R || !R->pass_by)
    return;
  const uint64_t Rest = __atomic_exchange_n(R->pass_by, 0, __ATOMIC_RELAXED);
  const uint32_t Set = S.Distance.load(std::memory_order_relaxed);
  S.Distance.store(Set - static_cast<uint32_t>(std::min<uint64_t>(Set, Rest)),
                   std::memory_order_relaxed);
}

double recentNs(const RegionState &S) {
  return static_cast<double>(__atomic_load_n(&S.RecentTicks, __ATOMIC_RELAXED)) * nsPerTick();
}

static void replaceSlot(specrt_region &R, void *Old, void *New) {
  __atomic_compare_exchange_n(R.slot, &Old, New, /*weak=*/false, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
}

/// Puts \p Entry into the slot in place of the thunk, unless a call is awaited there.
static void putEntry(RegionState &S, specrt_region &R, void *Entry, bool IsCompared) {
  // Other threads read the slot; most calls find the entry there already.
  if (!Entry || __atomic_load_n(R.slot, __ATOMIC_RELAXED) != R.thunk)
    return;
  replaceSlot(R, R.thunk, Entry);
  // The worker changes one of these before it stores the thunk.
  if (S.CurrentPhase.load(std::memory_order_seq_cst) != Phase::Specialised ||
      (S.Compared.load(std::memory_order_seq_cst) != nullptr) != IsCompared)
    replaceSlot(R, Entry, R.thunk);
}

void takeTurns(RegionState &S, specrt_region &R, uint32_t Stride, bool AsWritten) {
  const uint32_t Passing = AsWritten ? Stride - 1 : 0;
  void *const Entry = slotTarget(S);
  if (AsWritten)
    replaceSlot(R, Entry, R.thunk);
  S.Distance.store(Passing, std::memory_order_relaxed);
  __atomic_store_n(R.pass_by, Passing, __ATOMIC_RELAXED);
  if (!AsWritten)
    putEntry(S, R, Entry, /*IsCompared=*/true);
}

void leaveThunkToEntry(RegionState &S, specrt_region &R) {
  putEntry(S, R, slotTarget(S), /*IsCompared=*/false);
}

static bool awaitsWorker(const RegionState &S) {
  const Phase P = S.CurrentPhase.load(std::memory_order_seq_cst);
  return (P == Phase::Preparing || P == Phase::Compiling) && S.hasOnlyOriginal();
}

void passThunkBy(RegionState &S, specrt_region &R) {
  if (tuning().CompileEnabled.load(std::memory_order_relaxed) && startMissingWorker())
    return;
  const double Ns = recentNs(S);
  if (Ns == 0 || Ns > ShortCallNs || tuning().SyncWaitUs.load(std::memory_order_relaxed) ||
      S.MayWaitUs.load(std::memory_order_relaxed) || !awaitsWorker(S))
    return;
  replaceSlot(R, R.thunk, InPlace);
  // A thread that changes one of these sets the slot afterwards: either it overwrites this store,
  // or this check sees its change.
  if (!awaitsWorker(S))
    replaceSlot(R, InPlace, R.thunk);
}

void leaveThunk(specrt_region &R) { replaceSlot(R, R.thunk, InPlace); }

void takeThunk(specrt_region &R) { replaceSlot(R, InPlace, R.thunk); }

void waitForPhase(RegionState &S, Phase While, uint64_t TimeoutUs) {
  if (!hasWorker())
    return;
  waitWhile(S.CurrentPhase, While, S.Waiters, TimeoutUs);
}

void setPhase(RegionState &S, Phase P) {
  S.CurrentPhase.store(P, std::memory_order_seq_cst);
  stopPassingBy(S);
  if (specrt_region *R = S.Region.load(std::memory_order_acquire); R && P == Phase::Profiling)
    takeThunk(*R);
  if (S.Waiters.load(std::memory_order_seq_cst) > 0)
    wakeAll(S.CurrentPhase);
}

} // namespace specrt
