//===- runtime/report/report.cpp - the report in JSON ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/report/report.h"
#include "guards/guards.h"
#include "guards/words.h"
#include "profiler/feedback/feedback_json.h"
#include "profiler/json/json_writer.h"
#include "profiler/observations/alias_profile.h"
#include "profiler/observations/arrays/zero_shares.h"
#include "profiler/observations/input_values.h"
#include "profiler/observations/time_profile.h"
#include "profiler/observations/trip_counts.h"
#include "runtime/base/clock.h"
#include "runtime/base/reasons.h"
#include "runtime/call/locked_region.h"
#include "runtime/decide/osr/osr_report.h"
#include "runtime/decide/persistence.h"
#include "runtime/decide/verdict.h"
#include "runtime/report/advice.h"
#include "runtime/report/missing_code.h"
#include "runtime/report/region_figures.h"
#include "runtime/report/row_report.h"
#include "runtime/report/zero_report.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>
#include <set>
#include <unistd.h>

namespace specrt {
namespace {

using nlohmann::json;

/// Returns the milliseconds since libspecrt was loaded.
double milliseconds(const Registry &R, uint64_t Ns) {
  return Ns > R.StartNs ? static_cast<double>(Ns - R.StartNs) * 1e-6 : 0;
}

json guardsJson(GuardView Guards, const specrt_region &Region) {
  json Out = json::array();
  for (const specrt_guard &Guard : Guards)
    Out.push_back(describe(Guard, Region));
  return Out;
}

/// Returns, in half a sentence, why replays have decided nothing about the region; "" if they have,
/// or none was wanted.
std::string whyNotReplayed(const RegionDetail &D) {
  if (!D.NotReplayed.empty())
    return "a captured call has decided nothing: " + D.NotReplayed;
  const CaptureRefusal Why = D.State->Captures.Refusal.load(std::memory_order_relaxed);
  return Why == CaptureRefusal::None ? "" : std::string("no call was captured: it ") + words(Why);
}

json versionJson(const Version &V, const specrt_region &Region) {
  json Out = {{"candidate", V.Name},
              {"plan", V.Assumed.id().text()},
              {"values", describe(V.Assumed, Region)},
              {"guards", guardsJson(V.Guards, Region)},
              {"active", V.EndReason.empty()},
              {"hits", V.hits()},
              {"misses", V.misses()},
              {"original_ns", V.isUnmeasured() ? 0 : V.baselineNs()},
              {"original_is_earlier", V.isBaselineEarlier()},
              {"ns", V.bodyNs()},
              {"is_earlier", V.isBodyEarlier()},
              {"pace_gain", V.GainInPlace},
              {"compile_ms", V.CompileMs},
              {"parallel", V.Parallel},
              {"from_cache", V.FromCache},
              {"verified", V.IsVerified}};
  // The code of retired versions may be unloaded.
  if (V.Rows && V.EndReason.empty())
    Out["rows"] = rowsJson(V.Rows);
  const std::string Why =
      V.EndReason.empty() && V.isUnmeasured() ? words(Reason::TooShortToTime) : V.EndReason;
  if (!Why.empty()) {
    Out["reason"] = Why;
    Out["advice"] = adviceForReason(Why);
  }
  return Out;
}

/// Describes the candidate that leads a trial which the program's end interrupted.
json leaderJson(const Trial &T, const Verdict &Outcome, const specrt_region &Region) {
  const Candidate &C = *T.Candidates[static_cast<size_t>(Outcome.Winner)];
  return {{"candidate", C.Name},
          {"plan", T.Assumed.id().text()},
          {"values", describe(T.Assumed, Region)},
          {"guards", guardsJson(C.Guards, Region)},
          {"active", true},
          {"on_trial", true},
          {"hits", C.NumRuns.load(std::memory_order_relaxed)},
          {"misses", T.Misses.load(std::memory_order_relaxed)},
          {"original_ns", Outcome.BaselineNs},
          {"ns", Outcome.BestNs},
          {"compile_ms", C.CompileMs},
          {"parallel", C.Parallel}};
}

json osrJson(const OsrTarget &T, const specrt_region &Region) {
  auto Ns = [](double Ticks) { return Ticks * nsPerTick(); };
  return {{"candidate", T.Name},
          {"plan", T.Assumed.id().text()},
          {"values", describe(T.Assumed, Region)},
          {"guards", guardsJson(T.Guards, Region)},
          {"iteration", T.Iteration},
          {"iterations", T.Iterations},
          {"probe_end", T.Probe ? T.Probe->End : 0},
          {"was_slow", T.WasSlow.load(std::memory_order_relaxed)},
          {"taken", T.Done.load(std::memory_order_acquire)},
          {"before_ns", Ns(static_cast<double>(T.TicksBefore.load(std::memory_order_relaxed)))},
          {"ns", Ns(static_cast<double>(T.TicksAfter.load(std::memory_order_relaxed)))},
          {"original_at_least_ns", Ns(T.AtLeast.load(std::memory_order_relaxed))},
          {"original_at_most_ns", Ns(T.AtMost.load(std::memory_order_relaxed))},
          {"compile_ms", T.CompileMs},
          {"parallel", T.Parallel}};
}

json argumentsJson(const InputValues &Inputs, const specrt_region &Region) {
  json Out = json::array();
  for (uint32_t I = 0; I < Inputs.size(); ++I) {
    const ValueProfile &Values = Inputs[I];
    uint8_t Kind = Values.kind();
    std::string Name = I < Region.num_args ? argumentName(Region, I)
                                           : describe(Region.cells[I - Region.num_args], Region);
    json Entry = {{"name", std::move(Name)}, {"calls", Values.calls()}};
    if (Kind == SPECRT_KIND_POINTER) {
      Entry["alignment"] = Values.alignment();
    } else if (Values.calls() > 0) {
      json Frequent = json::array();
      for (const ValueCount &Count : Values.values())
        if (Count.Count > 0)
          Frequent.push_back({{"value", describeValue(Kind, Count.Value)}, {"count", Count.Count}});
      Entry["values"] = Frequent;
      Entry["min"] = describeValue(Kind, Values.packedBound(Values.min()));
      Entry["max"] = describeValue(Kind, Values.packedBound(Values.max()));
    }
    Out.push_back(Entry);
  }
  return Out;
}

json loopsJson(const TripCounts &Trips) {
  json Out = json::array();
  for (const LoopProfile &Loop : Trips.loops())
    Out.push_back({{"line", Loop.Line},
                   {"depth", Loop.Depth},
                   {"calls", Loop.Count},
                   {"min", Loop.Min},
                   {"max", Loop.Max},
                   {"mean", Loop.mean()}});
  return Out;
}

json pairsJson(const AliasProfile &Aliasing, const specrt_region &Region) {
  json Out = json::array();
  for (const PairProfile &Pair : Aliasing.pairs())
    Out.push_back({{"first", Pair.First},
                   {"second", Pair.Second},
                   {"first_bytes", describe(Region.accesses[Pair.First].range, Region)},
                   {"second_bytes", describe(Region.accesses[Pair.Second].range, Region)},
                   {"disjoint", Pair.Counts[PairProfile::Disjoint]},
                   {"overlapping", Pair.Counts[PairProfile::Overlapping]},
                   {"same", Pair.Counts[PairProfile::Same]},
                   {"unknown", Pair.Counts[PairProfile::Unknown]}});
  return Out;
}

/// Describes the arrays in which some elements were zero.
json zerosJson(const ZeroShares &Shown, const specrt_region &Region) {
  json Out = json::array();
  for (size_t A = 0; A < Shown.shares().size(); ++A)
    if (const ZeroShares::Share &S = Shown.shares()[A];
        S.ZeroWords > 0 && Region.accesses[A].flags == SPECRT_ACCESS_READ)
      Out.push_back({{"array", describe(Region.accesses[A].range.base, Region)},
                     {"words", S.Words},
                     {"zero", S.ZeroWords}});
  return Out;
}

/// Lists numbers of calls by their time, in powers of two.
json timesJson(const TimeProfile &Times) {
  json Buckets = json::array();
  for (unsigned B = 0; B < TimeProfile::Buckets; ++B)
    if (uint64_t Calls = Times.histogram()[B]; Calls > 0)
      Buckets.push_back({{"from_ns", B ? uint64_t{1} << B : 0}, {"calls", Calls}});
  return {{"min_ns", Times.minNs()}, {"histogram", Buckets}};
}

json causeJson(const StoredCause &C) {
  const char *Advice = adviceForCause(C.Kind, C.File, C.Speculative);
  return {{"kind", C.Kind}, {"message", C.Message},         {"file", C.File},
          {"line", C.Line}, {"speculative", C.Speculative}, {"advice", Advice ? Advice : ""}};
}

/// Adds the compiler's notes, and the advice for each kind of note once.
void addNotes(json &Out, const std::vector<CompilerNote> &Notes) {
  std::string Text;
  std::set<uint32_t> Codes;
  Out["note_codes"] = Out["notes_advice"] = json::array();
  for (const CompilerNote &Line : Notes) {
    Text += Line.Text + "\n";
    const char *Advice = adviceForNote(Line.Code);
    if (!*Advice || !Codes.insert(Line.Code).second)
      continue;
    Out["note_codes"].push_back(noteName(Line.Code));
    Out["notes_advice"].push_back(Advice);
  }
  Out["notes"] = std::move(Text);
}

void addEvent(json &Out, const Registry &R, const TimelineEntry &E) {
  json Entry = json::object();
  Entry["ms"] = milliseconds(R, E.Ns);
  Entry["event"] = eventName(E.What);
  if (!E.Text.empty())
    Entry["text"] = E.Text;
  Out.push_back(std::move(Entry));
}

json timelineJson(const Registry &R, const RegionDetail &D) {
  json Out = json::array();
  uint64_t First = D.State->FirstCallNs.load(std::memory_order_relaxed);
  for (const TimelineEntry &E : D.History.Events.entries()) {
    // A program thread saw the first call; the worker's first event may be earlier.
    if (First && First < E.Ns)
      addEvent(Out, R, {std::exchange(First, 0), Event::FirstCall, ""});
    addEvent(Out, R, E);
  }
  if (First)
    addEvent(Out, R, {First, Event::FirstCall, ""});
  return Out;
}

/// Lists the lines of which the region consists, by function; its own function is the first.
json placesJson(const specrt_region &Region) {
  json Out = json::array();
  for (uint64_t I = 0; I < Region.num_places; ++I) {
    const specrt_place &Place = Region.places[I];
    Out.push_back({{"function", Place.function},
                   {"file", Place.file},
                   {"first_line", Place.first_line},
                   {"last_line", Place.last_line}});
  }
  return Out;
}

void addDetail(json &Out, RegionDetail &D, const RegionProfile *Profile, uint64_t Until) {
  const specrt_region &Region = D.Copy.region();
  Out["places"] = placesJson(Region);
  for (const auto &V : D.History.Versions)
    Out[V->EndReason.empty() ? "versions" : "retired"].push_back(versionJson(*V, Region));
  for (const RetiredCandidate &C : D.History.Retired)
    Out["retired"].push_back({{"candidate", C.Name},
                              {"plan", C.Assumed.id().text()},
                              {"values", describe(C.Assumed, Region)},
                              {"ns", C.Ns},
                              {"compile_ms", C.CompileMs},
                              {"reason", C.Reason},
                              {"advice", adviceForReason(C.Reason)}});
  for (const StoredCause &C : D.History.Causes)
    Out["causes"].push_back(causeJson(C));
  addNotes(Out, D.History.Notes);
  if (const std::string Why = whyNotReplayed(D); !Why.empty())
    Out["not_replayed"] = Why;
  for (const auto &T : D.History.OsrTargets)
    Out["on_stack_replacements"].push_back(osrJson(*T, Region));
  if (D.Seen.Streams && D.Work.NumInstrumented > 0)
    Out["instrumented_call"] = {{"call_ms", D.Seen.Streams->latest().CallMs},
                                {"recorded_ms", D.Seen.Streams->latest().WindowMs},
                                {"words", D.Seen.Streams->latest().Words}};
  if (D.Seen.Loops)
    Out["feedback"] = feedbackJson(D.Seen.Loops->get());
  if (D.Seen.Zeros && !D.Seen.Zeros->isEmpty())
    Out["equations"] = {{"text", D.Seen.Zeros->get().Equations},
                        {"skips", D.Seen.Zeros->get().Skips}};
  const double LeftMs = (static_cast<double>(Until) - static_cast<double>(monotonicNs())) * 1e-6;
  if (json Lists = zeroListsJson(Region, D.Seen.Zeros.get(),
                                 Profile ? &Profile->get<ZeroShares>() : nullptr, LeftMs);
      !Lists.is_null())
    Out["nonzeros"] = std::move(Lists);
  Out["compiles"] = D.Work.Compiles;
  Out["events_omitted"] = D.History.Events.numOmitted();
  if (!Profile)
    return;
  Out["times"] = timesJson(Profile->get<TimeProfile>());
  Out["arguments"] = argumentsJson(Profile->get<InputValues>(), Region);
  Out["trip_counts"] = loopsJson(Profile->get<TripCounts>());
  Out["alias_pairs"] = pairsJson(Profile->get<AliasProfile>(), Region);
  Out["zeros"] = zerosJson(Profile->get<ZeroShares>(), Region);
  Out["profile_bytes"] = Profile->memoryBytes();
}

/// Returns advice. The reason of a specialised region is about other values than those of its
/// versions.
const char *adviceFor(Phase State, bool Hot, const std::string &Reason) {
  if (State != Phase::Specialised && !Reason.empty())
    return adviceForReason(Reason);
  const bool IsObserved = State == Phase::Cold || State == Phase::Profiling;
  return adviceForState(IsObserved && Hot ? Phase::Compiling : State);
}

uint32_t numMeasured(const Trial &T) {
  uint32_t Measured = 0;
  for (uint32_t I = 0; I < T.size(); ++I)
    Measured += T.complete(I);
  return Measured;
}

/// Returns the state in one word. While replays have not decided, the original runs, but nothing is
/// decided either.
const char *stateName(Phase State, const RegionDetail *D) {
  return State == Phase::Retired && D && D->Work.IsBeingReplayed ? "waiting" : phaseName(State);
}

json regionJson(const RegistryLock &Guard, Registry &R, const Registry::View &V, RegionFigures F,
                uint64_t Until) {
  const specrt_region &Region = *V.Region;
  const bool Hot = isHot(V);
  Phase State = V.State->CurrentPhase.load(std::memory_order_relaxed);
  std::string Advice = adviceFor(State, Hot, F.Reason);
  if (F.Reason == words(Reason::CodeElsewhere))
    if (const std::optional<MissingCode> Missing = R.missingCode(Guard, Region)) {
      MissingCodeWords Words = describe(*Missing, Region);
      F.Reason = std::move(Words.Reason);
      Advice = std::move(Words.Advice);
    }
  json Out = {{"name", Region.name},
              {"title", titleOf(Region)},
              {"function", Region.function},
              {"file", Region.file},
              {"line", Region.line},
              {"state", stateName(State, V.Detail)},
              {"reason", F.Reason},
              {"advice", std::move(Advice)},
              {"hot", Hot},
              {"unseen", isUnseen(V)},
              {"calls", F.Calls},
              {"hits", F.Hits},
              {"misses", F.Misses},
              {"trial_calls", F.TrialCalls},
              {"original_ns", F.OriginalNs},
              {"best_ns", F.BestNs},
              {"original_is_earlier", F.IsOriginalEarlier},
              {"best_is_earlier", F.IsBestEarlier},
              {"spent_ms", F.SpentNs * 1e-6},
              {"saved_ms", F.SavedNs * 1e-6},
              {"versions", json::array()},
              {"retired", json::array()},
              {"causes", json::array()}};
  if (!V.Detail)
    return Out;
  std::unique_ptr<RegionProfile> Profile;
  Verdict Outcome;
  if (BrieflyLockedRegion Lock(*V.Detail->State); Lock) {
    Out["sampled_calls"] = V.State->Samples;
    Out["sampled_ms"] = static_cast<double>(V.State->SampledTicks) * nsPerTick() * 1e-6;
    if (V.Detail->Work.OnTrial) {
      Outcome = judge(*V.Detail->Work.OnTrial);
      if (State == Phase::Trial && F.Reason.empty())
        Out["advice"] =
            adviceForTrial(numMeasured(*V.Detail->Work.OnTrial), V.Detail->Work.OnTrial->size());
    }
    if (V.Detail->Seen.Recent) {
      Profile = std::make_unique<RegionProfile>(*V.Detail->Seen.Saved);
      Profile->merge(*V.Detail->Seen.Past);
      Profile->merge(*V.Detail->Seen.Recent);
    }
  }
  if (Outcome.Winner > 0)
    Out["versions"].push_back(leaderJson(*V.Detail->Work.OnTrial, Outcome, Region));
  addDetail(Out, *V.Detail, Profile.get(), Until);
  tellOsr(Guard, *V.Detail);
  Out["timeline"] = timelineJson(R, *V.Detail);
  return Out;
}

/// Returns whether the region was called and there is nothing else to report.
bool isCold(const Registry::View &V) {
  return !isHot(V) && !(V.Detail && !V.Detail->Reason.empty()) &&
         !V.State->StaticReason.load(std::memory_order_relaxed);
}

} // namespace

std::string reportText(Registry &R, const ReportForm &Form) {
  timespec Now{};
  clock_gettime(CLOCK_REALTIME, &Now);
  json Out = {{"format", 1},
              {"version", SPECRT_VERSION_STRING},
              {"program", R.Program},
              {"pid", getpid()},
              {"written", std::max<int64_t>(Now.tv_sec, 0)},
              {"elapsed_ms", milliseconds(R, monotonicNs())},
              {"settings", R.Settings.Given},
              {"threads", workerThreads(R.Settings)},
              {"counters",
               {{"compiles", R.Compiler.NumCompiles.load(std::memory_order_relaxed)},
                {"compiler_asked", R.Compiler.wasUsed()},
                {"instrumented_regions", R.numRegions()}}},
              {"regions", json::array()}};
  RegistryLock Guard(R, /*TimeoutMs=*/1000);
  size_t NumCold = 0;
  ProgramFigures Program;
  // The limit holds for all regions together.
  const uint64_t Until = monotonicNs() + static_cast<uint64_t>(Form.ExtraMs * 1e6);
  if (Guard.owns_lock())
    R.forEach(Guard, [&](const Registry::View &V) {
      RegionFigures F = figuresOf(Guard, V);
      Program.add(V, F);
      if (!isCold(V) || NumCold++ < Form.MaxCold)
        Out["regions"].push_back(regionJson(Guard, R, V, std::move(F), Until));
    });
  Out["total"] = {{"text", Program.text(Out["elapsed_ms"].get<double>() * 1e6)},
                  {"progress", Program.progressText()},
                  {"hot_regions", Program.numHot()},
                  {"undecided_regions", Program.numUndecided()},
                  {"spent_ms", Program.spentNs() * 1e-6},
                  {"saved_ms", Program.savedNs() * 1e-6},
                  {"saved_is_earlier", Program.isSavedByEarlier()}};
  Out["regions_omitted"] = NumCold > Form.MaxCold ? NumCold - Form.MaxCold : 0;
  return jsonText(Out, Form.Indented ? 2 : -1);
}

} // namespace specrt
