//===- runtime/verdict.cpp - who won a trial, and what the next run learns ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/verdict.h"
#include "profiler/guard_words.h"
#include "runtime/clock.h"
#include "runtime/reasons.h"

#include <algorithm>
#include <cstdio>

namespace specrt {
namespace {

/// What the entry of a version adds to a call: about 1 ns, and less than half of one per guard.
double entryNs(const Contestant &C) { return 1 + 0.4 * static_cast<double>(C.Guards.size()); }

double medianNs(const Contestant &C) { return static_cast<double>(C.medianTicks()) * nsPerTick(); }

} // namespace

Verdict judge(const Trial &T) {
  Verdict V;
  V.BaselineNs = medianNs(*T.Contestants[0]);
  for (uint32_t I = 1; I < T.size(); ++I) {
    const Contestant &C = *T.Contestants[I];
    if (C.NumSamples.load(std::memory_order_relaxed) == 0)
      continue;
    double Ns = medianNs(C) + entryNs(C);
    if (V.Best < 0 || Ns < V.BestNs) {
      V.Best = static_cast<int>(I);
      V.BestNs = Ns;
    }
  }
  bool Measured = T.Contestants[0]->NumSamples.load(std::memory_order_relaxed) > 0;
  if (Measured && V.Best >= 0 && V.BestNs <= WinningRatio * V.BaselineNs)
    V.Winner = V.Best;
  return V;
}

std::string formatNs(double Ns) {
  struct Unit {
    double Ns;
    const char *Name;
  };
  constexpr Unit Units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {0, "ns"}};
  char Text[32] = "";
  for (const Unit &U : Units)
    if (Ns >= U.Ns) {
      std::snprintf(Text, sizeof(Text), U.Ns > 0 ? "%.2f %s" : "%.0f %s", U.Ns > 0 ? Ns / U.Ns : Ns,
                    U.Name);
      break;
    }
  return Text;
}

std::string explain(const Verdict &V, const Trial &T, const specrt_region &Region) {
  if (V.Best >= 0)
    return std::string(words(Reason::DoesNotPay)) + ": original " + formatNs(V.BaselineNs) +
           ", best candidate " + T.Contestants[static_cast<size_t>(V.Best)]->Name + " " +
           formatNs(V.BestNs);
  std::string Text = words(Reason::NoCallMetGuards);
  if (T.size() > 1 && !T.Contestants[1]->Guards.empty()) {
    Text += ":";
    for (const specrt_guard &Guard : T.Contestants[1]->Guards)
      Text += " " + describe(Guard, Region) + ";";
    Text.pop_back();
  }
  return Text;
}

void addDecision(RegionDetail &D, const Step &S, StoredDecision::Outcome Result,
                 const std::string &Candidate, double OriginalNs, double CandidateNs,
                 const std::string &Reason, double CompileMs) {
  auto Old = std::find_if(D.Decisions.begin(), D.Decisions.end(),
                          [&](const StoredDecision &X) { return X.Key == S.Plan.Key; });
  using Outcome = StoredDecision::Outcome;
  if (Old != D.Decisions.end() && Old->Result == Outcome::Won) {
    if (Result != Outcome::Won && Candidate != Old->Candidate)
      return;
    if (Result == Outcome::Won && Old->OriginalNs > 0)
      OriginalNs = Old->OriginalNs;
  }
  if (Old == D.Decisions.end())
    Old = D.Decisions.emplace(D.Decisions.end());
  Old->Key = S.Plan.Key;
  if (!S.Plan.Facts.empty()) {
    Old->Facts = S.Plan.Facts;
    Old->Overlaps = S.Plan.Overlaps;
    Old->Share = S.Plan.Share;
  }
  Old->Result = Result;
  Old->Candidate = Candidate;
  Old->OriginalNs = OriginalNs;
  Old->CandidateNs = CandidateNs;
  Old->Reason = Reason;
  Old->CompileMs = CompileMs;
  Old->Stamp = 0; // now
}

void recordTimes(RegionDetail &D) {
  const Trial &T = *D.OnTrial;
  TrialRecord &Record = D.Records[T.PlanKey];
  for (uint32_t I = 1; I < T.size(); ++I) {
    const Contestant &C = *T.Contestants[I];
    if (T.complete(I) && C.NumSamples.load(std::memory_order_relaxed) > 0)
      Record.add(C.Name, medianNs(C) + entryNs(C));
  }
}

void addUnfinishedDecision(RegionDetail &D) {
  if (!D.OnTrial)
    return;
  const Trial &T = *D.OnTrial;
  recordTimes(D);
  Verdict V = judge(T);
  if (V.Best <= 0)
    return;
  const Contestant &C = *T.Contestants[static_cast<size_t>(V.Best)];
  if (V.Winner > 0)
    addDecision(D, D.Current, StoredDecision::Outcome::Won, C.Name, V.BaselineNs, V.BestNs,
                "fastest when the program ended", C.CompileMs);
  else if (T.Needed == 1 && V.BaselineNs > 0) // the others are left to later runs
    addDecision(D, D.Current, StoredDecision::Outcome::Retired, C.Name, V.BaselineNs, V.BestNs,
                explain(V, T, D.Copy.region()), C.CompileMs);
}

} // namespace specrt
