//===- runtime/decide/instrument.cpp - runs instrumented versions ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If all other plans of a region were tried, and memory-dependent accesses or bounds prevented
// them, one call runs an instrumented version. The recorded data become an observation, from which
// plans with sequences in memory are made.
//
//===----------------------------------------------------------------------===//
#include "guards/equal.h"
#include "profiler/feedback/recorded_nest.h"
#include "profiler/observations/folded_streams.h"
#include "profiler/observations/time_profile.h"
#include "profiler/streams/recorded_words.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/processors.h"
#include "runtime/base/reasons.h"
#include "runtime/base/tuning.h"
#include "runtime/call/locked_region.h"
#include "runtime/decide/optimizer.h"
#include "runtime/decide/prepare.h"
#include "runtime/decide/requests/compile_request.h"

#include <algorithm>
#include <cstdio>
#include <new>

namespace specrt {
namespace {

/// The limit per run. A second call is made after one that was left, or whose guards never held.
constexpr uint32_t MaxInstrumented = 2;

/// Returns whether the cause is an access through memory, which no constant removes.
bool dependsOnMemory(const StoredCause &Cause) { return Cause.Kind == SPECRT_CAUSE_INDIRECTION; }

/// Returns for example "line 6 reads 257 pointers, 2056 bytes apart".
std::string describe(const AccessStream &A) {
  const std::vector<specrt_sequence_piece> &Pieces = A.Elements->Pieces;
  const bool IsPointer = (A.Flags & SPECRT_RECORDED_POINTER) != 0;
  const auto Count = static_cast<uint64_t>(Pieces.back().first + Pieces.back().count);
  std::string Text = A.Line ? "line " + std::to_string(A.Line) : "load " + std::to_string(A.Number);
  Text += " reads " + counted(Count, IsPointer ? "pointer" : "integer");
  if (Pieces.size() > 1)
    return Text + " in " + std::to_string(Pieces.size()) + " pieces";
  if (Count == 1)
    return IsPointer ? Text : Text + ", " + std::to_string(Pieces.front().value);
  return Text + ", " + std::to_string(Pieces.front().step) + (IsPointer ? " bytes" : "") + " apart";
}

/// Describes the recorded data and the time of the call, for people.
std::string describe(const CallStreams &Shown) {
  constexpr size_t MaxTold = 4; // what fits in a line
  char Cost[64];
  std::snprintf(Cost, sizeof(Cost), "a call of %.1f ms, %.1f of them recorded", Shown.CallMs,
                Shown.WindowMs);
  std::string Text = Cost;
  size_t Told = 0;
  for (const AccessStream &A : Shown.Accesses)
    if (A.Elements && ++Told <= MaxTold)
      Text += "; " + describe(A);
  if (Told == 0)
    return Text + "; nothing regular in what it reads";
  return Told > MaxTold ? Text + "; and " + std::to_string(Told - MaxTold) + " more" : Text;
}

/// Returns for example "; 90000 rows in 3 classes".
std::string describe(const std::vector<RowsOfLoop> &Loops) {
  std::string Text;
  for (const RowsOfLoop &S : Loops)
    Text += "; " + counted(S.Rows, "row") + " in " + std::to_string(S.Classes.size()) +
            (S.Classes.size() == 1 ? " class" : " classes");
  return Text;
}

/// Describes the loops over rows that were not recorded.
std::string describeRefused(const RowRecording &Rows) {
  std::string Text;
  if (const size_t Loops = Rows.numUnsteady())
    Text += "; " + counted(Loops, "loop") + " over other rows each time";
  if (const size_t Loops = Rows.numNoted())
    Text += "; " + counted(Loops, "loop") + " whose rows leave notes behind";
  return Text;
}

/// Returns guards for the plan's constants. Calls with other values are of no use to the plan.
GuardList constantsOf(const Assumptions &Assumed) {
  GuardList Guards;
  for (size_t I = 0; I < Assumed.Facts.size(); ++I)
    if (Assumed.Facts[I].flags & SPECRT_FACT_CONSTANT)
      Guards.append(EqualGuard(static_cast<uint32_t>(I), Assumed.Facts[I].value));
  return Guards;
}

/// Returns whether the calls are long enough to have a structure worth finding, and to gain more
/// than its check costs in each call.
bool isLongEnough(const RegionDetail &D) {
  double Ns = recentNs(*D.State);
  if (Ns == 0) // not called yet in this run
    Ns = D.Work.Current.Doing.baselineNs();
  return Ns == 0 || Ns >= ShortCallNs;
}

} // namespace

bool RegionOptimizer::wantsInstrumented(const RegistryLock &, const RegionDetail &D) const {
  const Config &Settings = R.Settings;
  if (Settings.Instrument == InstrumentMode::Off || Settings.Compile == CompileMode::Off ||
      D.Work.NeverCompile || D.Work.IsQuarantined || D.Seen.Streams ||
      D.Work.NumInstrumented >= MaxInstrumented || R.Compiler.isClosed() ||
      !D.State->Region.load(std::memory_order_acquire) ||
      D.Account->leftNs() < InstrumentedCall::LeastNs)
    return false;
  return Settings.Instrument == InstrumentMode::Always ||
         (isLongEnough(D) && !isTooEarly(D, Settings) &&
          std::any_of(D.History.Causes.begin(), D.History.Causes.end(), dependsOnMemory));
}

/// Returns whether an instrumented call is worth more than a trial of \p Found, which uses no data
/// about memory. If so, the trial waits for that call.
bool RegionOptimizer::instrumentsFirst(const RegistryLock &Guard, RegionDetail &D, Bodies &Found) {
  const Step &Now = D.Work.Current.Doing;
  const bool Waits = R.Settings.Instrument != InstrumentMode::Always && Now.as<TryCandidates>() &&
                     Now.Plan.Assumed.Sequences.empty() && Now.Plan.Assumed.Rows.empty() &&
                     wantsInstrumented(Guard, D) &&
                     std::all_of(Found.begin(), Found.end(),
                                 [](const CompiledBody &B) { return B.Name == "constants"; });
  if (!Waits)
    return false;
  discard(Guard, D, Found);
  D.Work.Steps.push_front(Now);
  D.Work.Steps.push_front(instrumentStep(Guard, D));
  return true;
}

/// Makes the step for the plan that was tried last; if this run tried none, for the best one.
Step RegionOptimizer::instrumentStep(const RegistryLock &, RegionDetail &D) {
  SpeculationPlan Plan = D.Work.Current.Doing.Plan;
  if (Plan.Assumed.Facts.empty()) {
    LockedRegion Lock(*D.State);
    if (std::vector<SpeculationPlan> Found = D.plans(1); !Found.empty())
      Plan = std::move(Found.front());
  }
  return {.Plan = std::move(Plan), .What = InstrumentCall{}};
}

/// Returns null when there is no version. If there cannot be one, the region's data are recorded as
/// empty, so that no later run tries again.
std::unique_ptr<InstrumentedCall> RegionOptimizer::makeInstrumented(RegionDetail &D,
                                                                    const Task &T) {
  std::unique_ptr<InstrumentedCall> Made = InstrumentedCall::create();
  CompileRequest Request;
  if (!Made || beginCompile(D, T, {.Any = true}, Request) != Answer::Asked)
    return nullptr;
  Request.Recording = reinterpret_cast<uintptr_t>(static_cast<specrt_recording *>(Made.get()));
  const auto Version = R.Compiler.instrument(Registry::serverFor(T.Settings), Request);
  if (!Version.Answer) {
    if (Version.Failure)
      (void)failCompile(D, T, *Version.Failure);
    return nullptr;
  }
  const InstrumentAnswer &Told = *Version.Answer;
  Bodies Body;
  std::string Why = Told.Error;
  const bool IsLoaded =
      !Told.HasFailed &&
      addVersion({.Bytes = Told.Object, .Key = Told.Key}, "instrumented", D.Copy.region(),
                 workerThreads(T.Settings), R.Compiler.gate(), Body, Why);
  const bool TouchesAhead = Request.IsAwaited || isProcessorFree();
  RegistryLock Guard(R);
  if (!IsLoaded) {
    D.History.Events.add(Event::CompileEnd, Why);
    logLine(LogLevel::Debug, "%s: not instrumented: %s", D.Copy.region().name, Why.c_str());
    Made.reset();
    if (!R.Compiler.isClosed())
      learnStreams(Guard, D, {});
    return nullptr;
  }
  D.History.Events.add(Event::CompileEnd, "instrumented");
  GuardList Guards = constantsOf(T.assumed());
  for (const specrt_guard &Needed : Body.front().Guards)
    Guards.append(Needed);
  if (!TouchesAhead)
    Made->touchNothingAhead();
  Made->setVersion(Body.front().Body, std::move(Body.front().Stored), std::move(Guards), Told.Words,
                   D.Copy.region().num_args);
  Made->Accesses = Told.Accesses;
  Made->Loops = Told.Loops;
  Made->Carried = Told.Carried;
  if (Told.NumRowLoops > 0)
    Made->prepareRows(Told.NumRowLoops);
  return Made;
}

/// Returns true when a call is awaited.
bool RegionOptimizer::runInstrumentation(RegionDetail &D) {
  ++D.Work.NumInstrumented;
  std::unique_ptr<InstrumentedCall> Made = makeInstrumented(D, D.Work.Current);
  RegistryLock Guard(R);
  specrt_region *Live = D.State->Region.load(std::memory_order_acquire);
  if (!Made || !Live || R.Compiler.isClosed() || D.Restart) {
    if (Made)
      Garbage.addInstrumented(*D.State, std::move(Made));
    return R.Compiler.isClosed() || D.Restart;
  }
  double UsualNs = 0;
  if (!leavesNumbersOpen(D.Work.Current.assumed(), *Live)) {
    LockedRegion Lock(*D.State);
    UsualNs = D.Seen.Recent->get<TimeProfile>().meanNs();
  }
  Made->setPayer(UsualNs, D.Account);
  D.Work.Instrumented = std::move(Made);
  Awaiting.push_back(&D);
  D.State->Instrumented.store(D.Work.Instrumented.get(), std::memory_order_seq_cst);
  setPhase(*D.State, Phase::Trial);
  __atomic_store_n(Live->slot, Live->thunk, __ATOMIC_RELEASE); // after the phase: see putEntry
  return true;
}

void RegionOptimizer::learnNest(const RegistryLock &, RegionDetail &D, Nest Shown) {
  if (!D.Seen.Loops)
    D.Seen.Loops = std::make_unique<NestProfile>(D.Copy.region());
  D.Seen.Loops->set(std::move(Shown));
  if (!D.Seen.Recent)
    return;
  LockedRegion Lock(*D.State);
  D.Seen.Recent->add(*D.Seen.Loops);
}

/// Records the compiler's data about the original code, and about the loops from which versions are
/// made.
void RegionOptimizer::learnCode(const RegistryLock &Guard, RegionDetail &D,
                                const CompileAnswer &Told) {
  if (D.History.Causes.empty())
    for (const CompileAnswer::Cause &C : Told.Causes)
      D.History.Causes.push_back({C.Kind, C.Message, C.File, C.Line, C.Speculative});
  if (!Told.Loops.isEmpty())
    learnNest(Guard, D, Told.Loops);
  if (Told.HasZeros)
    learnZeros(Guard, D,
               {.Equations = Told.Equations, .Skips = Told.Skips, .Program = Told.Program});
}

void RegionOptimizer::learnZeros(const RegistryLock &, RegionDetail &D, ZeroEquations::Texts Told) {
  if (!D.Seen.Zeros)
    D.Seen.Zeros = std::make_unique<ZeroEquations>(D.Copy.region());
  D.Seen.Zeros->set(std::move(Told));
  LockedRegion Lock(*D.State);
  if (D.Seen.Recent)
    D.Seen.Recent->add(*D.Seen.Zeros);
}

void RegionOptimizer::learnStreams(const RegistryLock &, RegionDetail &D, CallStreams Shown) {
  if (!D.Seen.Streams)
    D.Seen.Streams = std::make_unique<FoldedStreams>(D.Copy.region());
  FoldedStreams New(D.Copy.region());
  New.addCall(std::move(Shown));
  D.Seen.Streams->add(New);
  LockedRegion Lock(*D.State);
  D.Seen.Recent->add(New);
}

void RegionOptimizer::learnRows(const RegistryLock &, RegionDetail &D,
                                std::vector<RowsOfLoop> Shown) {
  RowProfile New(D.Copy.region());
  New.addCall(std::move(Shown));
  if (!D.Seen.Rows)
    D.Seen.Rows = std::make_unique<RowProfile>(D.Copy.region());
  D.Seen.Rows->add(New);
  LockedRegion Lock(*D.State);
  D.Seen.Recent->add(New);
}

/// Makes new plans from the recorded data.
void RegionOptimizer::planSequences(const RegistryLock &, RegionDetail &D) {
  if (!D.Seen.Streams)
    return;
  LockedRegion Lock(*D.State);
  std::vector<SpeculationPlan> Found = D.plans(R.Settings.MaxVersions);
  // There may be no recent calls, because they were saved or reviewed meanwhile.
  if (Found.empty()) {
    Found = withSequences({D.Work.Current.Doing.Plan}, *D.Seen.Streams, D.Copy.region());
    if (D.Seen.Rows)
      Found = withRows(std::move(Found), *D.Seen.Rows, D.Copy.region());
  }
  const uint64_t Calls = D.State->calls();
  std::deque<Step> New;
  for (const SpeculationPlan &Plan : Found)
    if ((!Plan.Assumed.Sequences.empty() || !Plan.Assumed.Rows.empty()) &&
        D.Work.TriedPlans.insert(Plan.Assumed.id()).second)
      New.push_back(unmeasuredStep(Plan, Calls, Measured::OnBoth, D.settings(R.Settings)));
  // Steps that waited for this call use less information about the same calls.
  std::erase_if(D.Work.Steps, [&](const Step &Old) {
    return Old.as<TryCandidates>() && std::any_of(New.begin(), New.end(), [&](const Step &S) {
             return !S.Plan.Assumed.Sequences.empty() &&
                    S.Plan.Assumed.constantsId() == Old.Plan.Assumed.constantsId();
           });
  });
  D.Work.Steps.insert(D.Work.Steps.begin(), std::make_move_iterator(New.begin()),
                      std::make_move_iterator(New.end()));
}

/// Takes the data of a call that has ended.
void RegionOptimizer::learnFromCall(RegionDetail &D) {
  InstrumentedCall &Call = *D.Work.Instrumented;
  if (Call.WasTaken)
    return;
  const bool IsForTests = R.Settings.Instrument == InstrumentMode::Always;
  CallStreams Shown = {.Accesses = streamsOf(Call.words(), Call.Accesses),
                       .Arguments = Call.arguments(),
                       .CallMs = Call.callNs() * 1e-6,
                       .WindowMs = Call.windowNs() * 1e-6,
                       .Words = Call.words().size()};
  std::vector<RowsOfLoop> Rows = Call.rows().shapes(IsForTests);
  Nest Loops = recordedNest({.Words = Call.words(),
                             .Accesses = Call.Accesses,
                             .Loops = Call.Loops,
                             .Carried = Call.Carried},
                            {.CountExactPieces = IsForTests});
  RegistryLock Guard(R);
  learnNest(Guard, D, std::move(Loops));
  const std::string Text = describe(Shown) + describe(Rows) + describeRefused(Call.rows());
  logLine(LogLevel::Debug, "%s: instrumented %s", D.Copy.region().name, Text.c_str());
  D.History.Events.add(Event::Instrumented, Text);
  learnStreams(Guard, D, std::move(Shown));
  if (!Rows.empty())
    learnRows(Guard, D, std::move(Rows));
  Call.WasTaken = true;
}

void RegionOptimizer::learnFromCalls() noexcept {
  for (RegionDetail *D : Awaiting) {
    try {
      if (!D->Departed && !D->Restart && D->Work.Instrumented &&
          D->Work.Instrumented->state() == InstrumentedCall::State::Ended)
        learnFromCall(*D);
    } catch (const std::bad_alloc &) {
      logLine(LogLevel::Debug,
              "%s: no memory for what its instrumented call has shown, until later",
              D->Copy.region().name);
    }
  }
}

/// Called when the instrumented call has ended, or will not come.
void RegionOptimizer::takeStreams(RegionDetail &D) {
  const InstrumentedCall::State State = D.Work.Instrumented->state();
  if (State != InstrumentedCall::State::Ended && State != InstrumentedCall::State::Given)
    return;
  if (State == InstrumentedCall::State::Ended)
    learnFromCall(D);
  {
    RegistryLock Guard(R);
    endInstrumented(Guard, D);
    planSequences(Guard, D);
    if (!keepsCallsWaiting(Guard, D))
      resume(Guard, D);
  }
  advance(D);
}

/// With SPECRT_COMPILE=sync, calls come to the thunk and wait there between a trial, an
/// instrumented call and the resulting steps.
bool RegionOptimizer::keepsCallsWaiting(const RegistryLock &Guard, RegionDetail &D) const {
  if (tuning().SyncWaitUs.load(std::memory_order_relaxed) == 0)
    return false;
  if (D.Work.Steps.empty() ? !wantsInstrumented(Guard, D)
                           : D.Work.Steps.front().Plan.Assumed.Sequences.empty() &&
                                 D.Work.Steps.front().Plan.Assumed.Rows.empty())
    return false;
  specrt_region *Live = D.State->Region.load(std::memory_order_acquire);
  if (!Live)
    return false;
  setPhase(*D.State, Phase::Compiling);
  __atomic_store_n(Live->slot, Live->thunk, __ATOMIC_RELEASE); // after the phase: see putEntry
  return true;
}

/// Removes the instrumented version, so that no call finds it.
void RegionOptimizer::endInstrumented(const RegistryLock &, RegionDetail &D) {
  D.State->Instrumented.store(nullptr, std::memory_order_seq_cst);
  std::erase(Awaiting, &D);
  if (D.Work.Instrumented)
    Garbage.addInstrumented(*D.State, std::move(D.Work.Instrumented));
}

} // namespace specrt
