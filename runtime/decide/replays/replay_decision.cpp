//===- runtime/decide/replays/replay_decision.cpp - decides about a plan by its replays ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/replays/replay_decision.h"
#include "runtime/base/reasons.h"
#include "runtime/base/tuning.h"
#include "runtime/call/trial.h"
#include "runtime/capture/capture.h"
#include "runtime/decide/prepare.h"
#include "specializer/strategies/table/candidates.h"

#include <algorithm>
#include <vector>

namespace specrt {
namespace {

/// Estimates the time of a replay of the original, in nanoseconds.
double originalNs(const StoredReplays &Found) {
  // The first use of memory is assumed to take at most a fifth of a call.
  constexpr double WithoutFirstUse = 0.8;
  const StoredReplay &First = Found.Candidates.front();
  const CandidateKind *const Kind = findCandidate(First.Name);
  const bool IsReference = Kind && Kind->Strategy == StrategyId::Constants;
  return std::max(IsReference ? First.Ns : 0, WithoutFirstUse * Found.CallNs);
}

} // namespace

std::optional<StoredDecision> decisionFrom(const StoredReplays &Found, const SpeculationPlan &Plan,
                                           uint64_t Now) {
  if (!Found.Problem.empty() || Found.Candidates.empty() || Found.CallNs <= 0)
    return std::nullopt;
  StoredDecision Made{
      .Assumed = Plan.Assumed, .Share = Plan.Share, .OriginalNs = Found.CallNs, .Stamp = Now};
  Made.Trials.Complete = true;
  const StoredReplay *Best = nullptr;
  for (const StoredReplay &Candidate : Found.Candidates) {
    if (!Candidate.Problem.empty())
      continue;
    Made.Trials.add(Candidate.Name, Candidate.Ns);
    if (Candidate.Ns > 0 && (!Best || Candidate.Ns < Best->Ns))
      Best = &Candidate;
  }
  if (!Best)
    return std::nullopt;
  const double Original = originalNs(Found);
  const bool Wins = gains(Best->Ns, Original);
  if (!Wins && Found.lackTimes())
    return std::nullopt;
  Made.Result = Wins ? StoredDecision::Outcome::Won : StoredDecision::Outcome::Retired;
  Made.Candidate = Best->Name;
  Made.CandidateNs = Found.CallNs * Best->Ns / Original;
  Made.Reason = Wins ? "fastest when a captured call was replayed" : words(Reason::ReplaysDoNotPay);
  return Made;
}

bool awaitsReplays(const StoredRegion &Known) {
  constexpr uint64_t MostUnanswered = 2; // the first one may have come at a busy moment
  return Known.Unanswered < MostUnanswered;
}

bool isBeingReplayed(const StoredRegion &Known, uint64_t Now, const Config &Settings) {
  // The limit is one of processor time, of which a replay gets less while programs run.
  constexpr uint64_t Patience = 2;
  // A clock that was set back must not make a region wait until then.
  const uint64_t Sent = Known.CaptureSent;
  return Settings.Compile != CompileMode::Sync && awaitsReplays(Known) && Sent > 0 && Sent <= Now &&
         Now - Sent < Patience * Settings.AfterExitMs / 1000;
}

bool isPromising(const StoredPlan &Stored, const Step &S) {
  for (const std::string &Name : namesIn(S.wanted()))
    if (Stored.index().Present.contains(Name)) {
      const CandidateKind *const First = findCandidate(Name);
      return First && usuallyGainsMuch(*First);
    }
  return false;
}

bool waitsForCapture(const SpeculationPlan &Plan, const specrt_region &Region, double CallsPerRun,
                     uint64_t Runs) {
  constexpr uint64_t MaxRuns = 8; // bounds how long a region runs its original
  if (Plan.MeanNs >= std::min(FeltSeconds * 1e9, tuning().MaxCapturedNs.load()) || Runs > MaxRuns ||
      CallsPerRun >= static_cast<double>(candidateKinds().size()) ||
      leavesNumbersOpen(Plan.Assumed, Region))
    return false;
  std::vector<uint64_t> Packed;
  Packed.reserve(Plan.Assumed.Facts.size());
  for (const specrt_fact &Fact : Plan.Assumed.Facts)
    Packed.push_back(Fact.value);
  return captureNs(Region, Packed.data()) <= CaptureShare * Plan.MeanNs * CallsPerRun * MaxRuns;
}

} // namespace specrt
