//===- runtime/call/trial.cpp - candidates against the original on real calls ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/trial.h"
#include "guards/guards.h"
#include "runtime/base/clock.h"

#include <algorithm>
#include <utility>

namespace specrt {

uint64_t Candidate::medianTicks() const {
  uint32_t Count = std::min(NumSamples.load(std::memory_order_relaxed), MaxSamples);
  if (Count == 0)
    return 0;
  std::array<uint64_t, MaxSamples> Sorted = Ticks;
  std::sort(Sorted.begin(), Sorted.begin() + Count);
  return Count % 2 ? Sorted[Count / 2] : (Sorted[Count / 2 - 1] + Sorted[Count / 2]) / 2;
}

static uint32_t samplesFor(double SecondsPerCall, bool Varying) {
  if (SecondsPerCall >= OneSampleSeconds)
    return Varying ? 3 : 1;
  if (SecondsPerCall >= 1e-4)
    return Varying ? 9 : 3;
  if (Varying)
    return Candidate::MaxSamples;
  return SecondsPerCall >= 1e-6 ? 5 : 9;
}

bool Trial::complete(uint32_t Index) const {
  const Candidate &C = *Candidates[Index];
  if (C.Hopeless.load(std::memory_order_relaxed))
    return true;
  uint64_t Fastest = ~uint64_t{0};
  for (const auto &Any : Candidates)
    Fastest = std::min(Fastest, Any->LeastTicks.load(std::memory_order_relaxed));
  uint32_t Wanted = Needed;
  // More samples of a baseline that has lost already would cost more than they tell.
  constexpr uint64_t OutOfReach = 2;
  bool Competes = Index > 0 || C.LeastTicks.load(std::memory_order_relaxed) / OutOfReach <= Fastest;
  if (Competes && SecondsPerTick > 0)
    Wanted = std::max(Wanted, samplesFor(static_cast<double>(Fastest) * SecondsPerTick, Varying));
  return C.NumSamples.load(std::memory_order_relaxed) >= Wanted;
}

void planSamples(Trial &T, double SecondsPerCall, bool Varying) {
  // Calls of varying size alternate: a drift of the size would favour whoever has its turn first.
  constexpr uint32_t CallsInARow = 3;
  T.TurnLength = SecondsPerCall >= OneSampleSeconds || Varying ? 1 : CallsInARow;
  T.Varying = Varying;
  T.Needed = samplesFor(SecondsPerCall, Varying);
  T.Discarded = SecondsPerCall >= OneSampleSeconds ? 0 : 1;
  T.EnoughGain = SecondsPerCall >= FeltSeconds ? LargeGain : 0;
  // A plan seen in one call of ten leaves nine misses per hit; four times that is bad luck enough.
  T.MaxMisses = 40 * (T.Needed + T.Discarded) * T.size();
}

/// Does the candidate's turn come with this call?
static bool admits(Candidate &C, const specrt_region &Region, const uint64_t *Packed) {
  if (allHold(C.Guards, Region, Packed))
    return true;
  C.GuardMisses.fetch_add(1, std::memory_order_relaxed);
  return false;
}

static bool anyAdmits(Trial &T, const specrt_region &Region, const uint64_t *Packed) {
  for (uint32_t I = 1; I < T.size(); ++I) {
    // Most often all have the same.
    bool IsNew = I == 1 || !(T.Candidates[I]->Guards == T.Candidates[I - 1]->Guards);
    if (IsNew && admits(*T.Candidates[I], Region, Packed))
      return true;
  }
  return false;
}

int chooseCandidate(Trial &T, const specrt_region &Region, const uint64_t *Packed,
                    uint64_t &Price) {
  uint32_t Count = T.size();
  uint32_t Turn = T.Turn.fetch_add(1, std::memory_order_relaxed) / T.TurnLength % (2 * Count);
  uint32_t First = Turn < Count ? Turn : 2 * Count - 1 - Turn;
  Price = 0;
  for (uint32_t Step = 0; Step < Count; ++Step) {
    uint32_t Index = (First + Step) % Count;
    if (T.complete(Index))
      continue;
    if (Index == 0) {
      if (anyAdmits(T, Region, Packed))
        return 0;
      continue;
    }
    uint64_t Begin = ticks();
    if (!admits(*T.Candidates[Index], Region, Packed))
      continue;
    Price = T.Candidates[Index]->Price.of(Begin, ticks());
    return static_cast<int>(Index);
  }
  return -1;
}

/// Takes a candidate out whose best run is far slower than what another one usually needs. Under a
/// plan that leaves sizes open, single runs cannot be compared like that.
static void dropHopeless(Trial &T, uint32_t Index) {
  constexpr double FarBehind = 1.3;
  Candidate &C = *T.Candidates[Index];
  uint64_t Best = C.LeastTicks.load(std::memory_order_relaxed);
  // No noise is that long.
  uint32_t FewSamples = static_cast<double>(Best) * T.SecondsPerTick >= FeltSeconds ? 1 : 2;
  if (Index == 0 || T.Varying || C.NumSamples.load(std::memory_order_relaxed) < FewSamples)
    return;
  for (const auto &Other : T.Candidates)
    if (Other->NumSamples.load(std::memory_order_relaxed) >= FewSamples &&
        static_cast<double>(Best) > FarBehind * static_cast<double>(Other->medianTicks()))
      C.Hopeless.store(true, std::memory_order_relaxed);
}

/// After a sample of candidate Index: does the trial know enough?
static bool isDecided(const Trial &T, uint32_t Index) {
  if (Index > 0 && T.EnoughGain > 0 && T.complete(0) && T.complete(Index) &&
      static_cast<double>(T.Candidates[Index]->medianTicks()) * T.EnoughGain <=
          static_cast<double>(T.Candidates[0]->medianTicks()))
    return true;
  for (uint32_t I = 0; I < T.size(); ++I)
    if (!T.complete(I))
      return false;
  return true;
}

/// Candidates seem to have lost against a time that was not measured here: the next turn is the
/// original's, which would run now in any case.
static bool asksForBaseline(Trial &T) {
  if (!std::exchange(T.IsBaselineRecalled, false))
    return false;
  Candidate &Baseline = *T.Candidates[0];
  double ToBeat = WinningRatio * static_cast<double>(Baseline.medianTicks());
  for (uint32_t I = 1; I < T.size(); ++I)
    if (uint64_t Ticks = T.Candidates[I]->medianTicks();
        Ticks > 0 && static_cast<double>(Ticks) <= ToBeat)
      return false;
  Baseline.NumSamples.store(0, std::memory_order_relaxed);
  Baseline.LeastTicks.store(~uint64_t{0}, std::memory_order_relaxed);
  return true;
}

static bool endTrial(Trial &T) {
  uint32_t Leader = 0;
  for (uint32_t I = 1; I < T.size(); ++I)
    if (T.complete(I) && T.Candidates[I]->medianTicks() < T.Candidates[Leader]->medianTicks())
      Leader = I;
  T.Leader.store(Leader, std::memory_order_release);
  return !T.Done.exchange(true, std::memory_order_acq_rel);
}

bool addTrialSample(Trial &T, uint32_t Index, uint64_t Ticks) {
  Candidate &C = *T.Candidates[Index];
  uint32_t Runs = C.NumRuns.fetch_add(1, std::memory_order_relaxed);
  bool StartsTurn = T.Previous.exchange(Index, std::memory_order_relaxed) != Index;
  if (T.TurnLength > 1 ? StartsTurn : Runs < T.Discarded)
    return false;
  uint32_t Count = C.NumSamples.load(std::memory_order_relaxed);
  if (Count >= Candidate::MaxSamples)
    return false;
  C.Ticks[Count] = Ticks;
  C.NumSamples.store(Count + 1, std::memory_order_relaxed);
  if (Ticks < C.LeastTicks.load(std::memory_order_relaxed))
    C.LeastTicks.store(Ticks, std::memory_order_relaxed);
  dropHopeless(T, Index);
  return isDecided(T, Index) && !asksForBaseline(T) && endTrial(T);
}

void *leadingBody(const Trial &T, const specrt_region &Region, const uint64_t *Packed) {
  const Candidate &C = *T.Candidates[T.Leader.load(std::memory_order_acquire)];
  return C.Body && allHold(C.Guards, Region, Packed) ? C.Body : nullptr;
}

bool addTrialMiss(Trial &T) {
  return T.Misses.fetch_add(1, std::memory_order_relaxed) + 1 >= T.MaxMisses &&
         !T.Done.exchange(true, std::memory_order_acq_rel);
}

} // namespace specrt
