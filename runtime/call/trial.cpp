//===- runtime/call/trial.cpp - candidates against the original on real calls ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/trial.h"
#include "guards/guards.h"
#include "guards/polynomial.h"
#include "runtime/base/clock.h"
#include "runtime/capture/described_call.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace specrt {

namespace {

constexpr auto Relaxed = std::memory_order_relaxed;

/// Returns the work of a call; 0: unknown, or equal for all calls.
double workIn(const Trial &T, const uint64_t *Packed) {
  return T.Varying && T.Described ? workOf(*T.Described, Packed) : 0;
}

/// Returns the class of a call, which may be a new one; MaxClasses if there is no room for it.
uint32_t classOf(Trial &T, const specrt_region &Region, const uint64_t *Packed) {
  if (!T.Varying)
    return 0;
  uint64_t Key = 0;
  if (const double Work = workIn(T, Packed); Work > 0) {
    Key = static_cast<uint64_t>(std::ilogb(Work)) + 1;
  } else {
    for (uint32_t I = 0; I < Region.num_args; ++I)
      if (isInteger(Region.arg_kinds[I]))
        Key = (Key ^ Packed[I]) * 0x9e3779b97f4a7c15u + I;
    Key |= uint64_t{1} << 63;
  }
  for (uint32_t I = 0; I < Trial::MaxClasses; ++I) {
    uint64_t Found = T.Classes[I].Key.load(Relaxed);
    if (Found == 0 && T.Classes[I].Key.compare_exchange_strong(Found, Key, Relaxed))
      return I;
    if (Found == Key)
      return I;
  }
  return Trial::MaxClasses;
}

/// The number of calls that a trial waits for a comparable one.
constexpr uint32_t Patience = 1U << 14;

/// Returns the work of all calls of a class, computed from its key.
double workOfClass(const CallClass &C) {
  const uint64_t Key = C.Key.load(Relaxed);
  const int Exponent = Key >> 63 ? 0 : static_cast<int>(Key);
  return std::scalbn(static_cast<double>(C.NumCalls.load(Relaxed)), Exponent);
}

} // namespace

uint64_t scaledTicks(const Trial &T, const uint64_t *Packed, uint64_t Ticks) {
  const double Work = workIn(T, Packed);
  return Work > 0 ? static_cast<uint64_t>(static_cast<double>(Ticks) / Work *
                                          std::scalbn(1.0, std::ilogb(Work)))
                  : Ticks;
}

static uint32_t samplesFor(double SecondsPerCall, bool Varying) {
  if (SecondsPerCall >= OneSampleSeconds)
    return Varying ? 3 : 1;
  if (SecondsPerCall >= 1e-4)
    return Varying ? 9 : 3;
  if (Varying)
    return Candidate::MaxSamples / 2;
  return SecondsPerCall >= 1e-6 ? 5 : 9;
}

bool Trial::knowsMost(uint32_t Index) const {
  const Candidate &C = *Candidates[Index];
  if (Index == 0 || !Varying || !C.Rows || C.NumSamples.load(Relaxed) >= Candidate::MaxSamples)
    return true;
  double Known = 0, All = 0;
  uint32_t Calls = 0;
  for (uint32_t Class = 0; Class < MaxClasses; ++Class) {
    const double Work = workOfClass(Classes[Class]);
    Calls += Classes[Class].NumCalls.load(Relaxed);
    All += Work;
    if (Candidates[0]->SamplesIn[Class].load(Relaxed) && C.SamplesIn[Class].load(Relaxed))
      Known += Work;
  }
  return 2 * Known >= All || Calls >= Patience;
}

bool Trial::complete(uint32_t Index) const {
  const Candidate &C = *Candidates[Index];
  if (C.Hopeless.load(std::memory_order_relaxed))
    return true;
  if (!knowsMost(Index))
    return false;
  uint64_t Fastest = ~uint64_t{0};
  for (const auto &Any : Candidates)
    Fastest = std::min(Fastest, Any->LeastTicks.load(std::memory_order_relaxed));
  uint32_t Wanted = Needed;
  // More samples of a baseline that has lost already would cost more than they show.
  constexpr uint64_t OutOfReach = 2;
  bool Competes = Index > 0 || C.LeastTicks.load(std::memory_order_relaxed) / OutOfReach <= Fastest;
  if (Competes && SecondsPerTick > 0)
    Wanted = std::max(Wanted, samplesFor(static_cast<double>(Fastest) * SecondsPerTick, Varying));
  return C.NumSamples.load(std::memory_order_relaxed) >= Wanted;
}

/// Returns the number of misses in a row that chance produces in one of a hundred cases if half of
/// the expected share of calls meets the plan. A share that one call has shown may be wrong.
static uint32_t missesFor(double Share) {
  constexpr double LeastShare = 0.1; // plans that fewer calls meet are not made
  constexpr double Chance = 0.01;
  return static_cast<uint32_t>(
      std::ceil(std::log(Chance) / std::log(1 - std::max(Share, LeastShare) / 2)));
}

void planSamples(Trial &T, double SecondsPerCall, bool Varying, double Share) {
  // Calls of varying size alternate single candidates, because a drift of the size would favour the
  // first one. But threads that sleep while others have their turn would always start late.
  constexpr uint32_t CallsInARow = 3;
  const bool HasThreads = std::any_of(T.Candidates.begin(), T.Candidates.end(),
                                      [](const auto &C) { return C->Parallel; });
  T.TurnLength = SecondsPerCall >= OneSampleSeconds || (Varying && !HasThreads) ? 1 : CallsInARow;
  T.Varying = Varying;
  T.SecondsPerCall = SecondsPerCall;
  T.Needed = samplesFor(SecondsPerCall, Varying);
  // A parallel candidate starts threads in its first run, which takes a considerable part of a call
  // shorter than FeltSeconds.
  uint32_t Runs = 0;
  for (const auto &C : T.Candidates) {
    C->Discarded = SecondsPerCall < (C->Parallel ? FeltSeconds : OneSampleSeconds) ? 1 : 0;
    Runs += T.Needed + C->Discarded;
  }
  // Short calls come in phases, in which another plan costs more than the misses.
  T.MaxMisses = std::max(missesFor(Share), SecondsPerCall < OneSampleSeconds ? 40 * Runs : 0);
}

/// Returns whether the candidate's guards hold for this call. Counts a miss otherwise.
static bool admits(Candidate &C, const specrt_region &Region, const uint64_t *Packed) {
  if (allHold(C.Guards, Region, Packed))
    return true;
  C.GuardMisses.fetch_add(1, std::memory_order_relaxed);
  return false;
}

static bool anyAdmits(Trial &T, const specrt_region &Region, const uint64_t *Packed) {
  for (uint32_t I = 1; I < T.size(); ++I) {
    // Consecutive candidates usually have equal guards.
    bool IsNew = I == 1 || !(T.Candidates[I]->Guards == T.Candidates[I - 1]->Guards);
    if (IsNew && admits(*T.Candidates[I], Region, Packed))
      return true;
  }
  return false;
}

/// Returns the candidate whose turn it is. In a trial of long calls, a candidate whose only runs
/// did not count is repeated before a less promising one can end the trial.
static uint32_t nextTurn(Trial &T, uint32_t Class) {
  const uint32_t Count = T.size();
  for (uint32_t I = 1; T.isFelt() && I < Count; ++I)
    if (const Candidate &C = *T.Candidates[I];
        C.NumRuns.load(Relaxed) > 0 && C.NumSamples.load(Relaxed) == 0 && !T.complete(I))
      return I;
  const uint32_t Turn = T.Classes[Class].Turn.load(Relaxed) / T.TurnLength % (2 * Count);
  return Turn < Count ? Turn : 2 * Count - 1 - Turn;
}

/// The time after which a postponed candidate is considered again.
static constexpr double DeferralNs = 20e6;

static void defer(Candidate &C) {
  C.NotBefore.store(ticks() + static_cast<uint64_t>(DeferralNs / nsPerTick()), Relaxed);
}

/// Returns whether a class has its share of a candidate's samples: there must be room for samples
/// of other classes.
static bool hasEnoughOf(const Trial &T, uint32_t Index, uint32_t Class) {
  constexpr uint32_t Most = Candidate::MaxSamples / Trial::MaxClasses;
  return T.Candidates[Index]->SamplesIn[Class].load(Relaxed) >= Most && !T.knowsMost(Index);
}

/// Returns whether a candidate has nothing to be compared with in this class.
static bool lacksBaseline(const Trial &T, uint32_t Class) {
  if (!T.Varying || T.Candidates[0]->SamplesIn[Class].load(Relaxed))
    return false;
  for (uint32_t I = 1; I < T.size(); ++I)
    if (!T.Candidates[I]->Hopeless.load(Relaxed) && !T.knowsMost(I))
      return true;
  return false;
}

/// As chooseCandidate, for a call of a class.
static Turn chooseInClass(Trial &T, uint32_t Class, const specrt_region &Region,
                          const uint64_t *Packed, bool OnlySerial) {
  const uint32_t Count = T.size();
  const uint32_t First = nextTurn(T, Class);
  bool Waits = false, NeedsProcessors = false;
  for (uint32_t Step = 0; Step < Count; ++Step) {
    uint32_t Index = (First + Step) % Count;
    if (Index == 0 ? T.complete(0) && !lacksBaseline(T, Class)
                   : T.complete(Index) || hasEnoughOf(T, Index, Class))
      continue;
    if (OnlySerial && T.Candidates[Index]->Parallel) {
      NeedsProcessors = true;
      continue;
    }
    if (Index == 0) {
      if (anyAdmits(T, Region, Packed))
        return {.Candidate = 0, .Class = Class};
      continue;
    }
    uint64_t Begin = ticks();
    if (!admits(*T.Candidates[Index], Region, Packed))
      continue;
    if (T.Candidates[Index]->NotBefore.load(Relaxed) > Begin) {
      Waits = true;
      continue;
    }
    return {static_cast<int>(Index), Class, T.Candidates[Index]->Price.of(Begin, ticks())};
  }
  // A clearly better candidate serves the calls while others wait.
  const uint32_t Leader = T.Varying ? 0 : T.Leader.load(std::memory_order_acquire);
  const bool HasLeader = Leader != 0 && !(OnlySerial && T.Candidates[Leader]->Parallel);
  if (Waits && !HasLeader && !(OnlySerial && T.Candidates[0]->Parallel))
    return {.Candidate = 0, .Class = Class};
  return {.Waits = Waits || NeedsProcessors};
}

Turn chooseCandidate(Trial &T, const specrt_region &Region, const uint64_t *Packed,
                     bool OnlySerial) {
  const uint32_t Class = classOf(T, Region, Packed);
  if (Class == Trial::MaxClasses)
    return {};
  T.Classes[Class].NumCalls.fetch_add(1, Relaxed);
  const Turn Found = chooseInClass(T, Class, Region, Packed, OnlySerial);
  // Calls that the plan does not cover do not advance the turn. Otherwise a call that comes between
  // calls of other sizes would always be the first one of a turn, which does not count.
  if (Found.Candidate < 0 && !Found.Waits)
    return Found;
  T.Classes[Class].Turn.fetch_add(1, Relaxed);
  T.Misses.store(0, Relaxed);
  return Found;
}

/// Returns whether at least half of the work is done in calls of this class.
static bool isMost(const Trial &T, uint32_t Class) {
  double All = 0;
  for (const CallClass &C : T.Classes)
    All += workOfClass(C);
  return 2 * workOfClass(T.Classes[Class]) >= All;
}

/// Drops a candidate whose best run is much slower than the usual run of another one. Under a plan
/// that leaves sizes open, only calls of the class with most of the work are compared, and only
/// with the baseline.
static void dropHopeless(Trial &T, uint32_t Index, uint32_t Class) {
  Candidate &C = *T.Candidates[Index];
  if (Index > 0 && T.Varying) {
    constexpr uint32_t Few = 2; // two disturbed samples are rare
    const Candidate &Baseline = *T.Candidates[0];
    if (C.SamplesIn[Class].load(Relaxed) >= Few && Baseline.SamplesIn[Class].load(Relaxed) >= Few &&
        isMost(T, Class) && spreadOf(C, Class).Low > FarBehind * spreadOf(Baseline, Class).High)
      C.Hopeless.store(true, Relaxed);
    return;
  }
  uint64_t Best = C.LeastTicks.load(std::memory_order_relaxed);
  // No noise lasts that long.
  uint32_t FewSamples = static_cast<double>(Best) * T.SecondsPerTick >= FeltSeconds ? 1 : 2;
  if (Index == 0 || C.NumSamples.load(std::memory_order_relaxed) < FewSamples)
    return;
  for (const auto &Other : T.Candidates)
    if (Other->NumSamples.load(std::memory_order_relaxed) >= FewSamples &&
        static_cast<double>(Best) > FarBehind * static_cast<double>(Other->medianTicks()))
      C.Hopeless.store(true, std::memory_order_relaxed);
}

uint32_t preferred(const Trial &T, uint32_t Best) {
  constexpr double AboutAsFast = 1.1; // a second thread must save more than a tenth
  if (Best == 0 || !T.Candidates[Best]->Parallel)
    return Best;
  const Evidence Fastest = compare(T, Best);
  if (!Fastest.isKnown())
    return Best;
  double Most = std::min(WinningRatio, AboutAsFast * Fastest.ratio());
  uint32_t Found = Best;
  for (uint32_t I = 1; I < T.size(); ++I)
    if (const Evidence E = compare(T, I);
        !T.Candidates[I]->Parallel && E.isKnown() && E.isSurelyFaster() && E.ratio() <= Most) {
      Found = I;
      Most = E.ratio();
    }
  return Found;
}

/// Returns the candidate that would win now; 0: none.
static uint32_t leader(const Trial &T) {
  uint32_t Leader = 0;
  double LeastShare = 1;
  for (uint32_t I = 1; I < T.size(); ++I)
    if (const Evidence E = compare(T, I); E.isKnown() && E.ratio() < LeastShare) {
      Leader = I;
      LeastShare = E.ratio();
    }
  return preferred(T, Leader);
}

/// The ratio to the baseline below which others are unlikely to improve much.
constexpr double ClearRatio = 0.8;

/// Returns a candidate without samples that is clearly better already, although its pending
/// inspection may make it still faster; 0: none. Candidates with samples are judged by these.
static uint32_t fastestAsWritten(const Trial &T) {
  // Single runs of different sizes cannot be compared.
  double Most = T.Varying ? 0 : ClearRatio * spreadOf(*T.Candidates[0], std::nullopt).Low;
  uint32_t Fastest = 0;
  for (uint32_t I = 1; I < T.size(); ++I)
    if (const Candidate &C = *T.Candidates[I];
        !C.Hopeless.load(Relaxed) && C.NumSamples.load(Relaxed) == 0 &&
        static_cast<double>(C.TicksAsWritten.load(Relaxed)) <= Most) {
      Fastest = I;
      Most = static_cast<double>(C.TicksAsWritten.load(Relaxed));
    }
  return Fastest;
}

/// Returns the candidate that serves calls while others wait: the leader, if it has all samples and
/// is clearly better, or one that is so before it has inspected all its rows; 0: none.
static uint32_t leaderSoFar(const Trial &T) {
  // This runs after every sample, and medians of all candidates take some microseconds.
  if (!T.complete(0))
    return 0;
  const uint32_t Leader = leader(T);
  if (Leader == 0 || !T.complete(Leader))
    return fastestAsWritten(T);
  const Evidence E = compare(T, Leader);
  return E.isSurelyFaster() && E.ratio() <= ClearRatio ? Leader : fastestAsWritten(T);
}

/// Requests more samples of the best candidate and the baseline when it is ahead, but their samples
/// overlap. Returns false when they have all the samples that such calls are worth.
static bool asksForMore(Trial &T) {
  const uint32_t Leader = leader(T);
  if (Leader == 0)
    return false;
  const Evidence E = compare(T, Leader);
  if (E.isWin() || !gains(E.New.Median, E.Old.Median))
    return false;
  const uint32_t Needed = T.Needed.load(Relaxed);
  const double Seconds = E.Old.Median * T.SecondsPerTick;
  const uint32_t Most = Seconds >= FeltSeconds        ? 3
                        : Seconds >= OneSampleSeconds ? 5
                                                      : Candidate::MaxSamples / 2;
  if (Needed >= Most)
    return false;
  for (uint32_t I = 1; I < T.size(); ++I)
    if (I != Leader)
      T.Candidates[I]->Hopeless.store(true, Relaxed);
  T.Needed.store(std::min(2 * Needed + 1, Most), Relaxed);
  return true;
}

/// Returns whether the trial is decided after a sample of candidate Index.
static bool isDecided(const Trial &T, uint32_t Index) {
  if (Index > 0 && T.isFelt() && T.complete(0) && T.complete(Index) &&
      static_cast<double>(T.Candidates[Index]->medianTicks()) * LargeGain <=
          static_cast<double>(T.Candidates[0]->medianTicks()))
    return true;
  for (uint32_t I = 0; I < T.size(); ++I)
    if (!T.complete(I))
      return false;
  return true;
}

static void forgetSamples(Candidate &C) {
  C.NumPreempted = 0;
  C.NumSamples.store(0, Relaxed);
  for (auto &Count : C.SamplesIn)
    Count.store(0, Relaxed);
  C.LeastTicks.store(~uint64_t{0}, Relaxed);
  C.Hopeless.store(false, Relaxed);
}

/// Called when candidates seem to have lost against a time that was not measured in this trial.
/// Gives the next turn to the original, which would run now in any case.
static bool asksForBaseline(Trial &T) {
  if (!std::exchange(T.IsBaselineRecalled, false))
    return false;
  Candidate &Baseline = *T.Candidates[0];
  const auto ToBeat = static_cast<double>(Baseline.medianTicks());
  for (uint32_t I = 1; I < T.size(); ++I)
    if (uint64_t Ticks = T.Candidates[I]->medianTicks();
        Ticks > 0 && gains(static_cast<double>(Ticks), ToBeat))
      return false;
  forgetSamples(Baseline);
  return true;
}

static bool endTrial(Trial &T) {
  T.Leader.store(leader(T), std::memory_order_release);
  return !T.Done.exchange(true, std::memory_order_acq_rel);
}

/// Returns whether a run is comparable with those that count.
static bool counts(Trial &T, Candidate &C, const Measurement &M) {
  // After so many rejected runs, the region's calls are all like that.
  constexpr uint32_t MaxRejected = 2;
  if (T.CountsCold && !M.Cold) {
    // There are warm calls, about which the times of cold ones say nothing.
    T.CountsCold = T.IsBaselineRecalled = false;
    for (auto &Any : T.Candidates)
      forgetSamples(*Any);
  }
  T.HasWarm |= !M.Cold;
  // The limit applies to all candidates together: so many runs of each would take more calls than
  // many runs of a program have.
  if (!T.HasWarm && ++T.NumCold > MaxRejected)
    T.CountsCold = true;
  const bool Odd = M.Disturbed || (M.Cold && !T.CountsCold);
  return !Odd || ++C.NumRejected > MaxRejected;
}

/// Returns false when there is no room.
static bool addSample(Trial &T, uint32_t Index, uint32_t Class, uint64_t Ticks) {
  Candidate &C = *T.Candidates[Index];
  const uint32_t Count = C.NumSamples.load(Relaxed);
  if (Count >= Candidate::MaxSamples)
    return false;
  C.Ticks[Count] = Ticks;
  C.Class[Count] = static_cast<uint8_t>(Class);
  C.SamplesIn[Class].fetch_add(1, Relaxed);
  C.NumSamples.store(Count + 1, Relaxed);
  if (Ticks < C.LeastTicks.load(Relaxed))
    C.LeastTicks.store(Ticks, Relaxed);
  return true;
}

/// Charges the time that a candidate took longer than the baseline. When no more may be owed, the
/// candidates get no more turns.
static void charge(Trial &T, uint32_t Index, uint32_t Class, uint64_t Ticks) {
  if (!T.Payer || Index == 0)
    return;
  const double Known = baselineTicks(T, Class);
  const double Baseline = Known > 0 ? Known : static_cast<double>(T.ExpectedTicks);
  const double Excess = Baseline > 0 ? static_cast<double>(Ticks) - Baseline : 0;
  // For calls of different sizes only the mean is known, so that some are above it and others
  // below.
  if (Excess <= 0 && (Known > 0 || !T.Varying))
    return;
  T.Payer->invest(Excess * nsPerTick());
  const uint64_t Now = monotonicNs();
  if (!T.Payer->mayInvest(0, LossShare, Now))
    defer(*T.Candidates[Index]);
  if (T.Payer->leftNs(LossShare, Now) >= 0)
    return;
  T.OwesTooMuch = true;
  for (uint32_t I = 1; I < T.size(); ++I)
    T.Candidates[I]->Hopeless.store(true, Relaxed);
}

bool addTrialSample(Trial &T, uint32_t Index, uint32_t Class, Measurement M, bool Counts) {
  Candidate &C = *T.Candidates[Index];
  charge(T, Index, Class, M.Ticks);
  const bool Ends = T.OwesTooMuch;
  if (!Counts && !Ends)
    return false;
  if (M.IsDeferred && !Ends && Index > 0) {
    C.TicksAsWritten.store(M.Ticks, Relaxed);
    defer(C);
    T.Leader.store(leaderSoFar(T), std::memory_order_release);
    return false;
  }
  uint32_t Runs = C.NumRuns.fetch_add(1, Relaxed);
  bool StartsTurn = T.Classes[Class].Previous.exchange(Index, Relaxed) != Index;
  if (!Ends && ((T.TurnLength > 1 ? StartsTurn : Runs < C.Discarded) || !counts(T, C, M)))
    return false;
  if (!addSample(T, Index, Class, M.Ticks))
    return false;
  C.NumPreempted += M.Preempted;
  dropHopeless(T, Index, Class);
  T.Leader.store(leaderSoFar(T), std::memory_order_release);
  return isDecided(T, Index) && !asksForBaseline(T) && !asksForMore(T) && endTrial(T);
}

void *leadingBody(const Trial &T, const specrt_region &Region, const uint64_t *Packed,
                  bool OnlySerial) {
  const Candidate &C = *T.Candidates[T.Leader.load(std::memory_order_acquire)];
  return C.Body && !(OnlySerial && C.Parallel) && allHold(C.Guards, Region, Packed) ? C.Body
                                                                                    : nullptr;
}

bool addTrialMiss(Trial &T) {
  return T.Misses.fetch_add(1, std::memory_order_relaxed) + 1 >= T.MaxMisses &&
         !T.Done.exchange(true, std::memory_order_acq_rel);
}

} // namespace specrt
