//===- runtime/call/dispatch.cpp - specrt_enter, specrt_leave, specrt_poll ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thunks and originals call these functions on any number of threads, in signal handlers and from
// constructors. Nothing here allocates, waits for a lock, or throws. See region_state.h for the
// rules.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/clock.h"
#include "runtime/base/export.h"
#include "runtime/base/open_calls.h"
#include "runtime/base/tuning.h"
#include "runtime/call/captured_call.h"
#include "runtime/call/in_place_comparison.h"
#include "runtime/call/versions.h"
#include "runtime/call/work_queue.h"
#include "runtime/capture/described_call.h"
#include "runtime/record/instrumented_call.h"

#include <algorithm>
#include <new>

namespace specrt {
namespace {

CallRecord &recordOf(specrt_call *Call) {
  return *std::launder(reinterpret_cast<CallRecord *>(Call->words));
}

CallRecord &begin(specrt_call *Call, CallKind Kind, RegionState &S) {
  auto *Record = new (static_cast<void *>(Call->words)) CallRecord();
  Record->Kind = Kind;
  Record->State = &S;
  return *Record;
}

/// Returns whether a call is the first one of a run, which finds code and data in no cache. Returns
/// false if the original takes FeltSeconds or longer: in long calls the effect is small.
bool isColdStart(const RegionState &S, uint64_t OriginalTicks) {
  return S.Calls.load(std::memory_order_relaxed) <= 1 &&
         static_cast<double>(OriginalTicks) * nsPerTick() < FeltSeconds * 1e9;
}

void *plain(const specrt_region &R, specrt_call *Call) {
  static_assert(offsetof(CallRecord, Kind) == 0 && CallKind::Plain == CallKind{});
  Call->words[0] = 0;
  return R.original;
}

void *sample(RegionState &S, const specrt_region &R, const uint64_t *Packed, specrt_call *Call) {
  CallRecord &Record = begin(Call, CallKind::Sample, S);
  Record.Packed = Packed;
  Record.Candidate = S.Osr.Taken.load(std::memory_order_relaxed);
  S.Who.begin();
  beginMeasurement(Record, recentNs(S), WhenPreempted::Roughly);
  return R.original;
}

/// Runs a published version, or the original if none fits, without timing the call, which an entry
/// may have counted.
void *runPublished(RegionState &S, const specrt_region &R, const uint64_t *Packed,
                   specrt_call *Call, uint32_t Parity, bool IsCounted = false) {
  if (void *Body = findVersion(S, R, Packed, {.IsCounted = !IsCounted}).Body) {
    CallRecord &Record = begin(Call, CallKind::Held, S);
    Record.Parity = Parity;
    return Body;
  }
  S.leaveSection(Parity);
  return plain(R, Call);
}

void *enterProfiling(RegionState &S, specrt_region &R, const uint64_t *Packed, specrt_call *Call) {
  Capture *const Kept = captureCall(S, R, Packed);
  void *Original = sample(S, R, Packed, Call);
  recordOf(Call).Subject = Kept;
  watchCall(S, R, recordOf(Call));
  return Original;
}

/// Returns whether a compile takes a core from parallel candidates now. Returns false for calls of
/// FeltSeconds or longer: there may be few of them, and they last longer than most of a compile.
bool isDisturbed(const Trial &T) {
  return !T.isFelt() && tuning().IsCompiling.load(std::memory_order_relaxed);
}

/// Returns whether a time of the candidate that is measured now is meaningless.
bool saysNothing(const Trial &T, const Candidate &Of) {
  return isDisturbed(T) && (Of.Parallel || !tuning().HasProcessors.load(std::memory_order_relaxed));
}

/// Returns the instrumented body if this call is to be recorded; the call then stays in the read
/// section. Otherwise returns null.
void *runInstrumented(RegionState &S, const specrt_region &R, const uint64_t *Packed,
                      specrt_call *Call, uint32_t Parity) {
  InstrumentedCall *Version = S.Instrumented.load(std::memory_order_seq_cst);
  bool ShouldDecide = false;
  void *Body = Version ? Version->beginCall(S.guarded(R), Packed, ShouldDecide) : nullptr;
  if (ShouldDecide)
    request(S, RequestDecide);
  if (!Body)
    return nullptr;
  CallRecord &Record = begin(Call, CallKind::Instrumented, S);
  Record.Parity = Parity;
  Record.Subject = Version;
  return Body;
}

/// Runs the candidate that leads in the trial, or a published version, without timing the call.
void *runLeading(RegionState &S, const specrt_region &R, const Trial &T, const uint64_t *Packed,
                 specrt_call *Call, uint32_t Parity, bool OnlySerial) {
  void *Body = leadingBody(T, S.guarded(R), Packed, OnlySerial);
  if (!Body)
    return runPublished(S, R, Packed, Call, Parity);
  S.TrialCalls.fetch_add(1, std::memory_order_relaxed);
  begin(Call, CallKind::Held, S).Parity = Parity;
  return Body;
}

/// Handles a call during a trial: runs the candidate or original whose turn it is, or an
/// instrumented body. Published versions serve the calls that the plan does not cover.
void *enterTrial(RegionState &S, const specrt_region &R, const uint64_t *Packed,
                 specrt_call *Call) {
  if (S.hasOnlyOriginal())
    return plain(R, Call);
  uint32_t Parity = S.enterSection();
  Trial *T = S.ActiveTrial.load(std::memory_order_seq_cst);
  if (!T) {
    void *Body = runInstrumented(S, R, Packed, Call, Parity);
    return Body ? Body : runPublished(S, R, Packed, Call, Parity);
  }
  const bool Disturbed = isDisturbed(*T);
  const bool Done = T->Done.load(std::memory_order_acquire);
  if (Done || (Disturbed && !tuning().HasProcessors.load(std::memory_order_relaxed)))
    return runLeading(S, R, *T, Packed, Call, Parity, /*OnlySerial=*/!Done);
  Turn Now = chooseCandidate(*T, S.guarded(R), Packed, /*OnlySerial=*/Disturbed);
  if (Now.Waits)
    return runLeading(S, R, *T, Packed, Call, Parity, /*OnlySerial=*/Disturbed);
  if (Now.Candidate < 0) {
    if (addTrialMiss(*T))
      request(S, RequestDecide);
    const uint32_t Misses = T->Misses.load(std::memory_order_relaxed);
    if (S.Versions.load() || Misses % samplePeriod(recentNs(S)) != 0)
      return runPublished(S, R, Packed, Call, Parity);
    S.leaveSection(Parity);
    return sample(S, R, Packed, Call); // the next plan is based on it
  }
  tuning().TrialRuns.fetch_add(1, std::memory_order_relaxed);
  void *Target = T->Candidates[Now.Candidate]->Body;
  if (Now.Candidate == 0) {
    FoundVersion Found = findVersion(S, R, Packed, {.IsTimed = true, .IsCounted = true});
    Target = Found.Body ? Found.Body : R.original;
    Now.Price = Found.Price;
    T->addBaselineGain(Found.V ? Found.V->gain() : 1);
    keepInOriginal(S);
  } else {
    S.TrialCalls.fetch_add(1, std::memory_order_relaxed);
  }
  CallRecord &Record = begin(Call, CallKind::Trial, S);
  Record.Parity = Parity;
  Record.Packed = Packed;
  Record.Subject = T;
  Record.Candidate = static_cast<uint32_t>(Now.Candidate);
  Record.Class = Now.Class;
  S.Who.begin();
  beginMeasurement(Record, recentNs(S), WhenPreempted::Exact, Now.Price);
  return Target;
}

double expectedNs(const Version &V, bool Baseline) { return Baseline ? V.BaselineNs : V.BodyNs; }

/// Handles a call that an entry has sent here to be observed (then the entry has counted it), or
/// that came while the slot was about to be changed.
void *enterObserved(RegionState &S, const specrt_region &R, const uint64_t *Packed,
                    specrt_call *Call, bool IsCounted) {
  uint32_t Parity = S.enterSection();
  const FoundVersion Found = findVersion(S, R, Packed, {.IsTimed = true, .IsCounted = !IsCounted});
  if (!Found.Body) {
    S.leaveSection(Parity);
    return sample(S, R, Packed, Call);
  }
  Version *V = Found.V;
  uint32_t Turn = V->SampledHits.fetch_add(1, std::memory_order_relaxed);
  const bool Baseline = comparesAgain(*V, Turn);
  CallRecord &Record = begin(Call, Baseline ? CallKind::Baseline : CallKind::Body, S);
  Record.Parity = Parity;
  Record.Packed = Packed;
  Record.Subject = V;
  beginMeasurement(Record, expectedNs(*V, Baseline), WhenPreempted::Roughly,
                   Baseline ? 0 : Found.Price);
  return Baseline ? R.original : Found.Body;
}

/// Handles a call of a region whose versions are compared with the original in place, the last of
/// NumCalls. Only the time at which the call begins is recorded. If an entry has counted it, it
/// runs the version.
void *enterCompared(RegionState &S, specrt_region &R, const uint64_t *Packed, specrt_call *Call,
                    InPlaceComparison &P, uint32_t NumCalls, bool IsCounted) {
  const uint32_t Parity = S.enterSection(); // also for the version's entry
  if (S.tryLock()) {
    if (P.addCall(ticks(), tuning().IsCompiling.load(std::memory_order_relaxed),
                  tuning().TrialRuns.load(std::memory_order_relaxed), NumCalls))
      request(S, RequestReview);
    if (P.stride() > 1)
      takeTurns(S, R, P.stride(), P.runsAsWritten());
    S.unlock();
  }
  if (IsCounted || !P.runsAsWritten())
    return runPublished(S, R, Packed, Call, Parity, IsCounted);
  S.leaveSection(Parity);
  return plain(R, Call);
}

/// With SPECRT_COMPILE=sync, waits until the worker has moved the region out of phase \p While.
void waitIfSync(RegionState &S, Phase While) {
  uint32_t WaitUs = tuning().SyncWaitUs.load(std::memory_order_relaxed);
  if (WaitUs && S.CurrentPhase.load(std::memory_order_relaxed) == While && !onWorkerThread())
    waitForPhase(S, While, WaitUs);
}

/// Handles a call as the phase of the region requires. It is the last of NumCalls.
void *enterPhase(RegionState &S, specrt_region &R, const uint64_t *Packed, specrt_call *Call,
                 bool IsFirst, uint32_t NumCalls) {
  switch (S.CurrentPhase.load(std::memory_order_acquire)) {
  case Phase::Cold: {
    // The exchange fails if another thread was first; the region is being profiled in both cases.
    Phase Expected = Phase::Cold;
    S.Region.store(&R, std::memory_order_release);
    S.FirstCallNs.store(monotonicNs(), std::memory_order_relaxed);
    S.CurrentPhase.compare_exchange_strong(Expected, Phase::Profiling);
    return enterProfiling(S, R, Packed, Call);
  }
  case Phase::Profiling:
    return enterProfiling(S, R, Packed, Call);
  case Phase::Preparing: {
    if (IsFirst)
      S.FirstCallNs.store(monotonicNs(), std::memory_order_relaxed);
    uint32_t MayWaitUs = S.MayWaitUs.load(std::memory_order_relaxed);
    // If compiling is off, perhaps because no thread could be created, no worker ends this phase.
    if (MayWaitUs == 0 || onWorkerThread() ||
        !tuning().CompileEnabled.load(std::memory_order_relaxed)) {
      passThunkBy(S, R);
      return enterProfiling(S, R, Packed, Call);
    }
    const uint64_t Begin = ticks();
    waitForPhase(S, Phase::Preparing, MayWaitUs);
    if (tuning().SyncWaitUs.load(std::memory_order_relaxed) == 0) // else it is what the user wants
      S.WaitedTicks.fetch_add(ticks() - Begin, std::memory_order_relaxed);
    S.MayWaitUs.store(0, std::memory_order_relaxed);
    return enterPhase(S, R, Packed, Call, IsFirst, NumCalls);
  }
  case Phase::Compiling:
    // No call may have waited yet, for instance after a call that was handed over.
    waitIfSync(S, Phase::Compiling);
    if (S.CurrentPhase.load(std::memory_order_acquire) != Phase::Compiling)
      return enterPhase(S, R, Packed, Call, IsFirst, NumCalls);
    if (!S.hasOnlyOriginal())
      return runPublished(S, R, Packed, Call, S.enterSection());
    passThunkBy(S, R);
    // A plan may be based on a single call. The next ones tell whether its values recur.
    return sample(S, R, Packed, Call);
  case Phase::Trial:
    return enterTrial(S, R, Packed, Call);
  case Phase::Specialised:
    if (InPlaceComparison *P = S.Compared.load(std::memory_order_acquire))
      return enterCompared(S, R, Packed, Call, *P, NumCalls, /*IsCounted=*/false);
    leaveThunkToEntry(S, R);
    return enterObserved(S, R, Packed, Call, /*IsCounted=*/false);
  case Phase::Retired:
    leaveThunk(R);
    break;
  case Phase::Blocked:
    break; // before the slot was changed
  }
  return plain(R, Call);
}

void *enterRegion(RegionState &S, specrt_region &R, const uint64_t *Packed, specrt_call *Call) {
  // Thunks of regions do this themselves; those of wrapped functions do not.
  if (const uint64_t Rest = R.pass_by ? __atomic_load_n(R.pass_by, __ATOMIC_RELAXED) : 0) {
    __atomic_store_n(R.pass_by, Rest - 1, __ATOMIC_RELAXED);
    return plain(R, Call);
  }
  const uint32_t PassedBy = S.Distance.load(std::memory_order_relaxed);
  if (PassedBy > 0)
    S.Distance.store(0, std::memory_order_relaxed);
  const uint64_t Calls = S.Calls.load(std::memory_order_relaxed) + PassedBy + 1;
  S.Calls.store(Calls, std::memory_order_relaxed);
  if (Calls == 1) {
    tuning().AnyRegionRan.store(true, std::memory_order_relaxed);
    // Requests of the registration are not served before a region is called.
    if (!queueIsEmpty())
      wakeWorker();
  }
  // The phase may have changed since the entry was reached.
  if (const uint32_t Sampled = takeSample(S)) {
    InPlaceComparison *P = S.Compared.load(std::memory_order_acquire);
    return P && P->stride() > 1 && S.CurrentPhase.load() == Phase::Specialised
               ? enterCompared(S, R, Packed, Call, *P, Sampled, /*IsCounted=*/true)
               : enterObserved(S, R, Packed, Call, /*IsCounted=*/true);
  }
  return enterPhase(S, R, Packed, Call, Calls == 1, PassedBy + 1);
}

/// Returns the number of calls that one observed miss represents. The entry of the last version has
/// selected it.
uint64_t missWeight(const RegionState &S) {
  const Version *Last = S.Versions.load(std::memory_order_acquire);
  while (const Version *Next = Last ? Last->Next.load(std::memory_order_acquire) : nullptr)
    Last = Next;
  return Last ? Last->State->sample_mask + 1 : 1;
}

void leaveSample(RegionState &S, const CallRecord &Record, const Measurement &M) {
  S.Who.end();
  if (!S.tryLock())
    return;
  bool Versioned = S.CurrentPhase.load(std::memory_order_relaxed) == Phase::Specialised;
  recordSample(S, Record.Packed, M);
  if (Versioned) {
    S.MissTicks += M.Ticks * missWeight(S);
    if (S.MissThreshold && S.MissTicks >= S.MissThreshold) {
      S.MissThreshold = 0; // the worker sets the next one
      request(S, RequestReview);
    }
  } else {
    checkHot(S);
  }
  S.unlock();
  if (!Versioned)
    waitIfSync(S, Phase::Compiling);
}

void leaveTrial(RegionState &S, const CallRecord &Record) {
  S.Who.end();
  auto &T = *static_cast<Trial *>(Record.Subject);
  Measurement M = endMeasurement(Record, recentNs(S), T.Candidates[Record.Candidate]->Parallel);
  M.Cold |= isColdStart(S, std::max(M.Ticks, T.OriginalTicks));
  M.Ticks = scaledTicks(T, Record.Packed, M.Ticks);
  bool Decided = false;
  if (S.tryLock()) {
    Decided = addTrialSample(T, Record.Candidate, Record.Class, M,
                             !saysNothing(T, *T.Candidates[Record.Candidate]));
    if (Decided)
      request(S, RequestDecide);
    S.unlock();
  }
  S.leaveSection(Record.Parity);
  if (!Decided)
    return;
  waitIfSync(S, Phase::Trial);
  waitIfSync(S, Phase::Compiling); // without a winner, the next step may have to be compiled
}

void leaveInstrumented(RegionState &S, const CallRecord &Record) {
  const bool Ended = static_cast<InstrumentedCall *>(Record.Subject)->endCall();
  if (Ended)
    request(S, RequestDecide);
  S.leaveSection(Record.Parity);
  if (!Ended)
    return;
  waitIfSync(S, Phase::Trial);
  waitIfSync(S, Phase::Compiling); // the recorded facts may lead to other versions
}

void leaveObserved(RegionState &S, const CallRecord &Record) {
  auto *V = static_cast<Version *>(Record.Subject);
  const bool Baseline = Record.Kind == CallKind::Baseline;
  Measurement M = endMeasurement(Record, expectedNs(*V, Baseline), V->Parallel && !Baseline);
  const double Ns = static_cast<double>(M.Ticks) * nsPerTick();
  if (V->Varying)
    M.Ticks = ticksPerWork(*V->State->region, Record.Packed, M.Ticks);
  if (S.tryLock()) {
    // Among the sizes that a version leaves open, some may deserve one of their own.
    if (V->Varying && !M.Disturbed)
      recordServed(S, Record.Packed, Baseline ? Ns : Ns * V->gain());
    // A compile takes a core from parallel bodies, so times measured during one are meaningless.
    if (!M.Cold && !M.Disturbed && !tuning().IsCompiling.load(std::memory_order_relaxed) &&
        addVersionSample(*V, Baseline, M.Ticks))
      request(S, RequestReview);
    if (V->ReportsFurtherCalls.load(std::memory_order_relaxed) &&
        V->ReportsFurtherCalls.exchange(false, std::memory_order_relaxed))
      request(S, RequestContinue);
    S.unlock();
  }
  S.leaveSection(Record.Parity);
}

/// Ends a call of the original without recording its time.
void abandon(specrt_call &Call) {
  const CallRecord &Record = recordOf(&Call);
  RegionState &S = *Record.State;
  if (Record.Kind == CallKind::Sample && Record.Subject)
    abandonCapture(*static_cast<Capture *>(Record.Subject));
  if (Record.Kind == CallKind::Sample || Record.Kind == CallKind::Trial)
    S.Who.end();
  if (Record.Kind != CallKind::Sample)
    S.leaveSection(Record.Parity);
}

/// Keeps the record of a call that runs in place, because such a call does not end in the thunk.
/// Returns the thunk's result for the stub: a token, or SPECRT_UNDONE if the call is not observed.
int32_t keepOpen(specrt_region &Region, specrt_call *Call, const uint64_t *Packed) {
  CallRecord &Record = recordOf(Call);
  if (Record.Kind == CallKind::Plain)
    return SPECRT_UNDONE;
  OpenCall *Place = takePlace(abandon);
  if (!Place) {
    abandon(*Call);
    return SPECRT_UNDONE;
  }
  Place->Region = &Region;
  std::copy_n(Packed, Region.num_args, Place->Packed);
  Record.Packed = Place->Packed;
  Record.IsInPlace = true;
  Place->Call = *Call;
  return open(*Place, /*IsKept=*/false);
}

} // namespace
} // namespace specrt

using namespace specrt;

SPECRT_EXPORT void *specrt_enter(specrt_region *Region, const uint64_t *Packed, specrt_call *Call) {
  auto *S = static_cast<RegionState *>(__atomic_load_n(&Region->state, __ATOMIC_ACQUIRE));
  void *Target = S ? enterRegion(*S, *Region, Packed, Call) : plain(*Region, Call);
  if (!Target)
    Call->words[0] = static_cast<uint32_t>(keepOpen(*Region, Call, Packed));
  return Target;
}

SPECRT_EXPORT void *specrt_poll(specrt_region *Region, const uint64_t *Packed, uint64_t Iteration,
                                int32_t *Token) {
  auto *S = static_cast<RegionState *>(__atomic_load_n(&Region->state, __ATOMIC_ACQUIRE));
  OpenCall *Place = S ? takePlace(abandon) : nullptr;
  if (!Place)
    return nullptr;
  Place->Region = Region;
  void *Target = pollOsr(*S, *Region, Packed, Iteration, &Place->Call);
  if (Target)
    *Token = open(*Place, /*IsKept=*/true);
  else
    close(*Place);
  return Target;
}

SPECRT_EXPORT void *specrt_continue(int32_t Token) {
  OpenCall *Place = Token < 0 ? findKept(Token) : nullptr;
  return Place ? continueOsr(recordOf(&Place->Call)) : nullptr;
}

SPECRT_EXPORT void specrt_end_nest(int32_t Token) {
  OpenCall *Place = Token < 0 ? takeOpen(Token) : nullptr;
  if (!Place)
    return;
  specrt_leave(Place->Region, &Place->Call);
  close(*Place);
}

SPECRT_EXPORT void specrt_end_handed_over(int32_t Token, int32_t Outer) {
  specrt_end_nest(Token);
  specrt_end_nest(Outer);
}

SPECRT_EXPORT void specrt_leave(specrt_region *Region, specrt_call *Call) {
  const CallRecord &Record = recordOf(Call);
  if (Record.Kind == CallKind::Plain)
    return;
  RegionState &S = *Record.State;
  if (Record.Kind == CallKind::Held) {
    S.leaveSection(Record.Parity);
    return;
  }
  switch (Record.Kind) {
  case CallKind::Sample: {
    const bool IsInterrupted = wasInterrupted(S, Record);
    Measurement M = endMeasurement(Record, recentNs(S), /*Parallel=*/false, sleptTicks(S, Record));
    if (auto *Kept = static_cast<Capture *>(Record.Subject))
      endCaptured(S, *Kept, IsInterrupted, M.Ticks);
    M.Cold |= isColdStart(S, M.Ticks);
    M.Ticks = endWatch(S, *Region, Record, M.Ticks);
    return leaveSample(S, Record, M);
  }
  case CallKind::Trial:
    return leaveTrial(S, Record);
  case CallKind::Instrumented:
    return leaveInstrumented(S, Record);
  case CallKind::Osr:
    return leaveOsr(
        S, Record,
        endMeasurement(Record, 0, static_cast<OsrTarget *>(Record.Subject)->Parallel).Ticks);
  default:
    return leaveObserved(S, Record);
  }
}
