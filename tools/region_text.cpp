//===- tools/region_text.cpp - describes a region in words ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/region_text.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace specrt::tools {
namespace {

std::string joined(const std::vector<std::string> &Parts, const char *Between) {
  std::string Text;
  for (const std::string &Part : Parts)
    Text += (Text.empty() ? "" : Between) + printable(Part);
  return Text;
}

/// Returns for example "1 call" or "1,234 calls".
std::string number(uint64_t Count, const char *Noun) {
  const char *Plural = std::string_view(Noun).ends_with("s") ? "es" : "s";
  return fmt::format("{} {}{}", grouped(Count), Noun, Count == 1 ? "" : Plural);
}

std::string advice(const std::string &Text, const char *Indent) {
  return Text.empty() ? "" : wrapped(std::string(Indent) + "-> ", printable(Text));
}

/// Returns which of a version's two times were measured by an earlier run.
const char *earlierTimes(const ReportedVersion &V) {
  if (V.IsEarlier && V.OriginalIsEarlier)
    return ", both in an earlier run";
  if (V.OriginalIsEarlier)
    return ", which an earlier run measured";
  return V.IsEarlier ? ", the version's time from an earlier run" : "";
}

std::string versionText(const ReportedVersion &V) {
  std::string Facts = V.OriginalNs > 0 ? fmt::format("{} instead of {}{}", timeText(V.Ns),
                                                     timeText(V.OriginalNs), earlierTimes(V))
                                       : timeText(V.Ns) + earlierTimes(V);
  if (V.Ns > 0 && V.OriginalNs > 0)
    Facts += fmt::format(" ({})", gainText(V.OriginalNs, V.Ns));
  Facts += fmt::format("; {}, {}", number(V.Hits, "hit"), number(V.Misses, "miss"));
  if (!V.Reason.empty())
    Facts += "; " + V.Reason;
  if (V.GainInPlace > 0)
    Facts += fmt::format("; in place, calls come {:.2f} times as often", V.GainInPlace);
  if (V.Parallel)
    Facts += "; parallel";
  if (V.OnTrial)
    Facts += "; led the trial when the program ended";
  Facts += V.FromCache       ? "; loaded from the cache"
           : V.CompileMs > 0 ? fmt::format("; compiled in {:.1f} ms", V.CompileMs)
                             : "";
  if (V.IsVerified)
    Facts += "; gave the original's bits on a captured call";
  std::string Text = wrapped("  " + printable(V.Candidate) + ": ", Facts);
  if (!V.Rows.empty())
    Text += wrapped("    rows: ", printable(V.Rows)) + advice(V.RowsAdvice, "      ");
  std::vector<std::string> Guards;
  Guards.reserve(V.Guards.size());
  for (const std::string &Guard : V.Guards)
    Guards.push_back((Guards.empty() ? "" : "and ") + printable(Guard));
  return Guards.empty() ? Text : Text + filled("    when ", Guards);
}

/// Returns a line "story.cpp:36: message" for each distinct cause.
std::string causeLines(const std::vector<const ReportedCause *> &Causes) {
  std::string Text;
  std::set<std::string> Told;
  for (const ReportedCause *C : Causes) {
    std::string Place = placeText(C->File, C->Line);
    std::string Line = (Place.empty() ? "" : Place + ": ") + C->Message;
    if (Told.insert(Line).second)
      Text += wrapped("      ", printable(Line));
  }
  return Text;
}

std::string argumentText(const ReportedArgument &A) {
  std::string Name = "  " + printable(A.Name) + ": ";
  if (A.Alignment > 0)
    return wrapped(Name, fmt::format("addresses are multiples of {}", A.Alignment));
  if (A.Values.empty())
    return "";
  std::string Text;
  for (const auto &[Value, Count] : A.Values)
    Text += fmt::format("{}{} ({}x)", Text.empty() ? "" : ", ", printable(Value), grouped(Count));
  if (A.Min != A.Max)
    Text += fmt::format("; from {} to {}", printable(A.Min), printable(A.Max));
  return wrapped(Name, Text);
}

std::string loopText(const ReportedLoop &L) {
  if (L.Calls == 0)
    return "";
  std::string Range = L.Min == L.Max ? number(L.Min, "iteration")
                                     : fmt::format("{} to {} (on average {:.1f}) iterations",
                                                   grouped(L.Min), grouped(L.Max), L.Mean);
  std::string Where = L.Line ? fmt::format("loop of line {}", L.Line) : std::string("loop");
  return fmt::format("  {}, depth {}: {}\n", Where, L.Depth, Range);
}

std::string pairText(const ReportedPair &P) {
  if (P.First.empty() || P.Second.empty())
    return "";
  std::string Outcome = P.Overlapping ? "overlapped in " + number(P.Overlapping, "call")
                        : P.Disjoint  ? "never overlapped"
                                      : "could not be compared";
  return wrapped("  ",
                 fmt::format("{} and {} {}", printable(P.First), printable(P.Second), Outcome));
}

std::string eventWords(const std::string &Event) {
  static const std::map<std::string, std::string> Words = {
      {"first-call", "first call"},
      {"known", "known from an earlier run"},
      {"hot", "hot: its original ran for SPECRT_HOT"},
      {"compile-begin", "compilation begins"},
      {"compile-end", "compilation ends"},
      {"compile-deferred", "left to the compile server, after the run"},
      {"trial-begin", "trial begins"},
      {"trial-end", "trial ends"},
      {"published", "in use from now on"},
      {"version-ended", "taken out of use"},
      {"relearning", "observed again: its values have changed"},
      {"handed-over", "a running call changed over"},
      {"retired", "runs its original from now on"},
      {"blocked", "cannot be specialised"},
  };
  auto Found = Words.find(Event);
  return Found == Words.end() ? printable(Event) : Found->second;
}

} // namespace

Ink inkOf(const std::string &State) {
  if (State == "specialised")
    return Ink::Good;
  if (State == "retired")
    return Ink::Warn;
  return State == "blocked" ? Ink::Bad : Ink::Plain;
}

std::string headline(const ReportedRegion &R) {
  std::string Text =
      ink(Ink::Bold, printable(R.Title)) + "  " + ink(inkOf(R.State), printable(R.State));
  if (R.BestNs > 0 && R.OriginalNs > 0)
    Text += ", " + gainText(R.OriginalNs, R.BestNs);
  size_t Used = columns(R.Title) + columns(R.State) + 14;
  std::string Place = printable(R.place());
  if (!Place.empty())
    Text += Used + columns(Place) <= LineWidth
                ? "  " + ink(Ink::Soft, Place)
                : "\n  " + ink(Ink::Soft, shortened(Place, LineWidth - 2));
  return Text + "\n";
}

std::string reasonText(const ReportedRegion &R) {
  std::string Text;
  if (!R.Reason.empty())
    Text += wrapped(R.Versions.empty() ? "  " : "  other values: ", printable(R.Reason));
  Text += advice(R.Advice, "    ");
  if (!R.NotReplayed.empty())
    Text += wrapped("  replays: ", printable(R.NotReplayed));
  return Text;
}

std::string versionsText(const ReportedRegion &R) {
  std::string Text;
  for (const ReportedVersion &V : R.Versions)
    Text += versionText(V);
  return Text;
}

std::string replacementsText(const ReportedRegion &R) {
  const ReportedReplacement *Last = nullptr;
  size_t Taken = 0;
  for (const ReportedReplacement &O : R.Replacements)
    if (O.Taken) {
      Last = &O;
      ++Taken;
    }
  if (R.Replacements.empty())
    return "";
  if (!Last)
    return "  running calls: a version was made for the rest of one, which did not take it\n";
  std::string Line = Taken == 1 ? "one changed over" : grouped(Taken) + " changed over, the last";
  Line +=
      fmt::format(" to {} at iteration {}", printable(Last->Candidate), grouped(Last->Iteration));
  if (Last->Iterations > 0)
    Line += " of " + grouped(Last->Iterations);
  Line +=
      fmt::format(": {} in the original, then {}", timeText(Last->BeforeNs), timeText(Last->Ns));
  if (Last->AtLeastNs > 0)
    Line +=
        fmt::format(" instead of {} to {}", timeText(Last->AtLeastNs), timeText(Last->AtMostNs));
  return wrapped("  running calls: ", Line);
}

std::string retiredText(const ReportedRegion &R) {
  std::string Text;
  std::set<std::string> Advised;
  for (const ReportedVersion &V : R.Retired) {
    std::string Line = printable(V.Reason);
    if (V.Ns > 0)
      Line += fmt::format(", {}", timeText(V.Ns));
    if (!V.Values.empty())
      Line += fmt::format("; for {}", printable(V.Values));
    Text += wrapped("  " + printable(V.Candidate) + ": ", Line);
    if (!V.Advice.starts_with("Nothing to do") && Advised.insert(V.Advice).second)
      Text += advice(V.Advice, "    ");
  }
  return Text;
}

std::string causesText(const ReportedRegion &R, bool Brief) {
  std::vector<std::string> Kinds; // in the order of their first appearance
  std::map<std::string, std::vector<const ReportedCause *>> ByKind;
  for (const ReportedCause &C : R.Causes) {
    if (!ByKind.contains(C.Kind))
      Kinds.push_back(C.Kind);
    ByKind[C.Kind].push_back(&C);
  }
  std::string Text;
  std::vector<std::string> Answered;
  for (const std::string &Kind : Kinds) {
    const ReportedCause &First = *ByKind[Kind].front();
    if (Brief && First.Speculative) {
      Answered.push_back(Kind);
      continue;
    }
    Text += fmt::format("    {}{}\n", ink(Ink::Bold, printable(Kind)),
                        First.Speculative ? " (a guard can answer it)" : "");
    Text += causeLines(ByKind[Kind]) + advice(First.Advice, "      ");
  }
  if (!Answered.empty())
    Text += wrapped("    answered by guards: ", joined(Answered, ", "));
  return Text.empty() ? "" : "  As written, the loops cannot be transformed:\n" + Text;
}

std::string observedText(const ReportedRegion &R) {
  std::string Timed =
      R.Calls == 1 && R.SampledCalls == 1 ? "" : grouped(R.SampledCalls) + " of them ";
  std::string Text = fmt::format("  {}, {}timed in the original: ", number(R.Calls, "call"), Timed);
  Text += R.OriginalNs > 0 ? fmt::format("{} per call", timeText(R.OriginalNs)) : "no time known";
  if (R.MinNs > 0)
    Text += fmt::format(", at best {}", timeText(R.MinNs));
  Text += "\n";
  for (const ReportedArgument &A : R.Arguments)
    Text += argumentText(A);
  for (const ReportedLoop &L : R.Loops)
    Text += loopText(L);
  for (const ReportedPair &P : R.Pairs)
    Text += pairText(P);
  for (const ReportedZeros &Z : R.Zeros)
    Text += wrapped("  ", fmt::format("{}: {} of {} words that were looked at are zero",
                                      printable(Z.Array), Z.Zero, Z.Words));
  return Text;
}

std::string notesText(const ReportedRegion &R) {
  std::string Text;
  for (size_t Begin = 0; Begin < R.Notes.size();) {
    size_t End = std::min(R.Notes.find('\n', Begin), R.Notes.size());
    if (End > Begin)
      Text += wrapped("  ", printable(std::string_view(R.Notes).substr(Begin, End - Begin)));
    Begin = End + 1;
  }
  for (const std::string &Advice : R.NotesAdvice)
    Text += advice(Advice, "    ");
  return Text;
}

std::string timelineText(const ReportedRegion &R) {
  std::string Text;
  for (const ReportedEvent &E : R.Timeline) {
    std::string Line = eventWords(E.Event);
    if (!E.Text.empty())
      Line += ": " + printable(E.Text);
    Text += wrapped(fmt::format("  {:>10.1f} ms  ", E.Ms), Line);
  }
  if (R.EventsOmitted > 0)
    Text += fmt::format("  ({} in the middle not kept)\n", number(R.EventsOmitted, "event"));
  return Text;
}

} // namespace specrt::tools
