//===- runtime/call/versions.cpp - published versions and their reclamation ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/versions.h"
#include "guards/guards.h"
#include "runtime/base/clock.h"

#include <algorithm>

namespace specrt {
namespace {

uint64_t sum(const specrt_version_state &State, uint64_t specrt_version_shard::*Field) {
  uint64_t Sum = 0;
  for (const specrt_version_shard &Shard : State.shards)
    Sum += __atomic_load_n(&(Shard.*Field), __ATOMIC_SEQ_CST);
  return Sum;
}

void storePointer(void *&Target, void *Value) {
  __atomic_store_n(&Target, Value, __ATOMIC_SEQ_CST);
}

} // namespace

uint64_t Version::hits() const {
  return sum(*State, &specrt_version_shard::hits) + ThunkHits.load(std::memory_order_relaxed);
}
uint64_t Version::misses() const {
  return sum(*State, &specrt_version_shard::misses) + ThunkMisses.load(std::memory_order_relaxed);
}
uint64_t Version::finalMisses() const {
  return MissesWhileLast + (MissesBeforeLast == NotLast
                                ? 0
                                : sum(*State, &specrt_version_shard::misses) - MissesBeforeLast);
}
uint64_t Version::callsPastThunk() const {
  // An entry increments hits or misses before sampled, so sampled is read first.
  uint64_t Sampled = __atomic_load_n(&State->sampled, __ATOMIC_ACQUIRE);
  uint64_t Counted = sum(*State, &specrt_version_shard::hits) + finalMisses();
  return Counted - std::min(Counted, Sampled);
}

uint64_t Version::LastTicks::median() const {
  std::array<uint64_t, Window> Sorted = Ticks;
  const uint32_t Count = std::min(Total, Window);
  std::nth_element(Sorted.begin(), Sorted.begin() + Count / 2, Sorted.begin() + Count);
  return Count ? Sorted[Count / 2] : 0;
}

double Version::latestBaselineNs() const {
  const double Measured = MeasuredBaselineNs.load(std::memory_order_relaxed);
  return Measured > 0 ? Measured : BaselineNs;
}

double Version::baselineNs() const {
  const double Latest = latestBaselineNs();
  return Parallel && BaselineNs > 0 ? std::min(BaselineNs, Latest) : Latest;
}

double Version::bodyNs() const {
  const double Measured = MeasuredBodyNs.load(std::memory_order_relaxed);
  return Measured > 0 ? Measured : BodyNs;
}

double Version::gain() const {
  const double Body = bodyNs();
  return Body > 0 ? baselineNs() / Body : 0;
}

double Version::savedNs() const {
  const double Baseline = baselineNs(), Body = bodyNs();
  const double PerHit = Baseline > 0 && Body > 0 && !isUnmeasured() ? Baseline - Body : 0;
  const uint64_t Hits = hits(), Counted = HitsCounted.load(std::memory_order_relaxed);
  return CountedNs.load(std::memory_order_relaxed) +
         PerHit * static_cast<double>(Hits - std::min(Hits, Counted));
}

void Version::countSaved() {
  const double Saved = savedNs();
  HitsCounted.store(hits(), std::memory_order_relaxed);
  CountedNs.store(Saved, std::memory_order_relaxed);
  MostCountedNs = std::max(MostCountedNs, Saved);
}

void Version::absorb(const Version &Earlier) {
  const double Saved = savedNs() + Earlier.savedNs();
  const uint64_t Final = finalMisses() + Earlier.finalMisses();
  State->shards[0].hits += sum(*Earlier.State, &specrt_version_shard::hits);
  State->shards[0].misses += sum(*Earlier.State, &specrt_version_shard::misses);
  State->sampled += Earlier.State->sampled;
  ThunkHits += Earlier.ThunkHits;
  ThunkMisses += Earlier.ThunkMisses;
  MissesWhileLast = Final;
  if (MissesBeforeLast != NotLast)
    MissesBeforeLast = sum(*State, &specrt_version_shard::misses);
  HitsCounted = hits();
  CountedNs = Saved;
  MostCountedNs = std::max(MostCountedNs, Saved);
}

bool Version::anyInside() const { return sum(*State, &specrt_version_shard::inside) != 0; }

/// Returns the n for which one of n calls runs the original for comparison: \p Least, and more if
/// the original would take more than a twentieth of the time of all other calls.
static uint32_t callsPerComparison(const Version &V, uint32_t Least) {
  constexpr double FewestPerCall = 20; // 1 / share of the time for comparisons
  const double Gain = V.bodyNs() > 0 ? V.gain() : 1;
  return std::max(Least, static_cast<uint32_t>(std::min(FewestPerCall * Gain, 1e6)));
}

void planObservation(Version &V, double BodyNs) {
  uint32_t Period = samplePeriod(BodyNs);
  V.State->sample_mask = Period - 1;
  // A run of the original costs more than a clock reading: it is made in at most one call of 1024,
  // and for long calls (100 us) only when the body has become slow.
  V.BaselinePeriod = BodyNs >= 1e5 ? 0 : std::max(4u, callsPerComparison(V, 1024) / Period);
}

FoundVersion findVersion(RegionState &S, const specrt_region &Live, const uint64_t *Packed,
                         Lookup How) {
  const specrt_region &Region = S.guarded(Live);
  Version *const Head = S.Versions.load(std::memory_order_seq_cst);
  for (Version *V = Head; V; V = V->Next.load(std::memory_order_acquire)) {
    const uint64_t Begin = How.IsTimed ? ticks() : 0;
    void *Body = V->body();
    const bool Holds = Body && allHold(V->Guards, Region, Packed);
    const uint64_t Price = Holds && How.IsTimed ? V->Price.of(Begin, ticks()) : 0;
    if (How.IsCounted)
      (Holds ? V->ThunkHits : V->ThunkMisses).fetch_add(1, std::memory_order_relaxed);
    if (Holds)
      return {V, Body, Price};
  }
  if (How.IsCounted && Head)
    S.ThunkMisses.fetch_add(1, std::memory_order_relaxed);
  return {};
}

bool isInDoubt(const Version &V) {
  /// The data that longer calls leave in caches do not matter.
  constexpr double LongestNs = 2e6;
  // Code on one thread hardly disturbs others, but its gain may be within the error of the trial.
  constexpr double SafeSerialGain = 1.5;
  const double Original = V.baselineNs(), Body = V.bodyNs();
  const bool IsKnown = V.GainInPlace > 0 && V.SlowerRuns == 0;
  const bool IsSmall = Original < (V.Parallel ? LargeGain : SafeSerialGain) * Body;
  return V.EndReason.empty() && !V.IsCompared && !IsKnown && Body > 0 && Body <= LongestNs &&
         Original > 0 && (IsSmall || V.isTooShortToTime());
}

bool comparesAgain(const Version &V, uint32_t Turn) {
  if (V.BaselinePeriod)
    return Turn % V.BaselinePeriod == V.BaselinePeriod - 1;
  if (V.Suspicious.load(std::memory_order_relaxed) && Turn % 2)
    return true;
  if (!V.IsProven)
    return false;
  // Times that an earlier run measured may not hold in this one.
  const uint32_t Period = callsPerComparison(V, 20);
  return Turn % Period == Period - 1 && Turn < Period * EnoughTimes;
}

uint32_t takeSample(const RegionState &S) {
  for (Version *V = S.Versions.load(std::memory_order_acquire); V;
       V = V->Next.load(std::memory_order_acquire)) {
    uint64_t Seen = V->SamplesSeen.load(std::memory_order_relaxed);
    while (Seen != __atomic_load_n(&V->State->sampled, __ATOMIC_RELAXED))
      if (V->SamplesSeen.compare_exchange_weak(Seen, Seen + 1, std::memory_order_relaxed))
        return static_cast<uint32_t>(V->State->sample_mask + 1);
  }
  return 0;
}

bool addVersionSample(Version &V, bool Baseline, uint64_t Ticks) {
  if (V.isTooShortToTime())
    return false;
  Version::LastTicks &Times = Baseline ? V.BaselineTimes : V.BodyTimes;
  Times.add(Ticks);
  // As in a trial, one long call says as much as several short ones.
  const bool IsLong = V.bodyNs() >= OneSampleSeconds * 1e9;
  // With varying sizes, the trial's comparison by classes is more reliable than single calls.
  if (Times.Total >= (IsLong ? 1 : EnoughTimes) && !V.Varying)
    (Baseline ? V.MeasuredBaselineNs : V.MeasuredBodyNs)
        .store(static_cast<double>(Times.median()) * nsPerTick(), std::memory_order_relaxed);
  if (!Baseline && V.BodyTimes.Total % Version::Window == 0)
    V.countSaved();
  const uint32_t Enough = IsLong ? EnoughTimes : Version::Window;
  if (V.BodyTimes.New < Enough)
    return false;
  uint64_t Body = V.BodyTimes.median();
  const double Known = V.latestBaselineNs();
  V.Suspicious.store(Known > 0 && !gains(V.bodyNs(), Known), std::memory_order_relaxed);
  if (V.BaselineTimes.New < Enough)
    return false;
  V.Windows.add(static_cast<double>(Body), static_cast<double>(V.BaselineTimes.median()));
  V.BodyTimes.New = V.BaselineTimes.New = 0;
  // A version that has gained for long may lose for a moment.
  const double Lost = V.MostCountedNs - V.savedNs();
  if (Lost < mayOweNs(V.MostCountedNs))
    return false;
  return V.Windows.areEnough() && V.Windows.evidence().isSurelySlower() &&
         !V.Losing.exchange(true, std::memory_order_relaxed);
}

/// Samples and counts the misses of the last version, whose calls run the original. Earlier in the
/// chain, sampling would keep calls from the versions behind.
static void sampleFinalMisses(RegionState &S) {
  for (Version *V = S.Versions.load(std::memory_order_relaxed); V;) {
    Version *After = V->Next.load(std::memory_order_relaxed);
    if (!After && V->MissesBeforeLast == Version::NotLast) {
      V->MissesBeforeLast = sum(*V->State, &specrt_version_shard::misses);
    } else if (After) {
      V->MissesWhileLast = V->finalMisses();
      V->MissesBeforeLast = Version::NotLast;
    }
    __atomic_store_n(&V->State->miss_mask, After ? ~uint64_t{0} : V->State->sample_mask,
                     __ATOMIC_RELAXED);
    V = After;
  }
}

/// Returns the last version that gains more than \p V and so has to take the calls of both; null if
/// there is none.
static Version *betterThan(const RegionState &S, const Version &V) {
  const double Gain = V.gain();
  Version *Last = nullptr;
  for (Version *W = S.Versions.load(std::memory_order_relaxed); W && Gain > 0;
       W = W->Next.load(std::memory_order_relaxed))
    if (W->gain() > Gain)
      Last = W;
  return Last;
}

/// Abandons the comparison in place, which compared the previous set of versions.
static void endComparison(RegionState &S) { S.Compared.store(nullptr, std::memory_order_release); }

void linkVersion(RegionState &S, Version &V, const specrt_region &Live) {
  endComparison(S);
  Version *Before = betterThan(S, V);
  std::atomic<Version *> &Link = Before ? Before->Next : S.Versions;
  Version *After = Link.load(std::memory_order_relaxed);
  storePointer(V.State->next, After ? After->Entry : behindVersions(Live));
  storePointer(V.State->sampler, Live.thunk);
  V.Next.store(After, std::memory_order_relaxed);
  Link.store(&V, std::memory_order_seq_cst);
  if (Before)
    storePointer(Before->State->next, V.Entry);
  sampleFinalMisses(S);
}

void unlinkVersion(RegionState &S, Version &V) {
  endComparison(S);
  Version *After = V.Next.load(std::memory_order_relaxed);
  Version *Before = S.Versions.load(std::memory_order_relaxed);
  if (Before == &V) {
    S.Versions.store(After, std::memory_order_seq_cst);
  } else {
    while (Before && Before->Next.load(std::memory_order_relaxed) != &V)
      Before = Before->Next.load(std::memory_order_relaxed);
    if (Before) {
      Before->Next.store(After, std::memory_order_seq_cst);
      storePointer(Before->State->next, __atomic_load_n(&V.State->next, __ATOMIC_RELAXED));
    }
  }
  sampleFinalMisses(S);
  // Threads that are already in V's entry continue with the next one; V keeps its links for them.
  storePointer(V.State->body, nullptr);
}

static int32_t leaveUndone() { return SPECRT_UNDONE; }

void *behindVersions(const specrt_region &R) {
  return R.original ? R.original : reinterpret_cast<void *>(leaveUndone);
}

void *slotTarget(const RegionState &S) {
  Version *Head = S.Versions.load(std::memory_order_relaxed);
  return Head ? Head->Entry : InPlace;
}

Reclaimer::Item &Reclaimer::add(RegionState &S) {
  Item &New = Items.emplace_back();
  New.State = &S;
  return New;
}

void Reclaimer::addTrial(RegionState &S, std::unique_ptr<Trial> &&T) {
  add(S).OwnedTrial = std::move(T);
}

void Reclaimer::addInstrumented(RegionState &S, std::unique_ptr<InstrumentedCall> &&Call) {
  add(S).OwnedCall = std::move(Call);
}

void Reclaimer::addStored(RegionState &S, std::shared_ptr<LoadedVersion> &&Stored) {
  if (Stored)
    add(S).Stored = std::move(Stored);
}

void Reclaimer::addVersion(RegionState &S, std::unique_ptr<Version> &&V) {
  add(S).OwnedVersion = std::move(V);
}

bool Reclaimer::drained(Item &I) {
  // A reader increments its count before it looks for a body, so once a parity was seen at zero
  // after the removal, its later readers cannot find what was removed. Moving new readers to the
  // other parity lets each of them reach zero even when calls never pause.
  RegionState &S = *I.State;
  for (uint32_t Parity = 0; Parity < 2; ++Parity)
    if (!I.Drained[Parity] && S.Sections[Parity].load(std::memory_order_seq_cst) == 0)
      I.Drained[Parity] = true;
  if (!(I.Drained[0] && I.Drained[1])) {
    S.Epoch.store(I.Drained[0] ? 0 : 1, std::memory_order_seq_cst);
    return false;
  }
  return !I.OwnedVersion || !I.OwnedVersion->anyInside();
}

bool Reclaimer::poll() {
  std::erase_if(Items, [this](Item &I) { return drained(I); });
  return !Items.empty();
}

} // namespace specrt
