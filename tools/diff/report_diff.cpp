//===- tools/diff/report_diff.cpp - compares two reports ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/diff/report_diff.h"
#include "profiler/json/json_writer.h"
#include "tools/region_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tuple>

namespace specrt::tools {
namespace {

using nlohmann::json;

/// Returns whether a region has times or a state worth comparing.
bool isOfInterest(const ReportedRegion &R) { return !R.isCold() && !R.Unseen; }

/// Returns the version with most hits, or null.
const ReportedVersion *mainVersion(const ReportedRegion &R) {
  const auto Most = std::max_element(
      R.Versions.begin(), R.Versions.end(),
      [](const ReportedVersion &A, const ReportedVersion &B) { return A.Hits < B.Hits; });
  return Most == R.Versions.end() ? nullptr : &*Most;
}

/// Returns whether the time per call was measured by an earlier run.
bool isEarlier(const ReportedRegion &R) {
  return R.BestNs > 0 ? R.BestIsEarlier : R.OriginalIsEarlier;
}

using Regions = std::vector<const ReportedRegion *>;

/// Removes the regions for which \p Matches holds from \p Left and returns them.
template <typename F> Regions take(Regions &Left, F Matches) {
  Regions Taken;
  std::erase_if(Left, [&](const ReportedRegion *R) {
    if (!Matches(*R))
      return false;
    Taken.push_back(R);
    return true;
  });
  return Taken;
}

bool isSameFunction(const ReportedRegion &A, const ReportedRegion &B) {
  return A.Function == B.Function && A.File == B.File;
}

std::string changeOfTime(double BeforeNs, double AfterNs) {
  constexpr double Noticeable = 1.03; // smaller differences occur from run to run
  if (BeforeNs <= 0 || AfterNs <= 0)
    return "-";
  if (AfterNs > BeforeNs * Noticeable)
    return fmt::format("{:.2f}x slower", AfterNs / BeforeNs);
  if (BeforeNs > AfterNs * Noticeable)
    return fmt::format("{:.2f}x faster", BeforeNs / AfterNs);
  return "same";
}

Ink inkOfChange(const std::string &Change) {
  if (Change.ends_with("slower"))
    return Ink::Bad;
  return Change.ends_with("faster") ? Ink::Good : Ink::Plain;
}

std::string headText(const std::string &Label, const LoadedReport &Loaded) {
  const Report &R = Loaded.Content;
  const std::string Indent(Label.size(), ' ');
  return wrapped(Label, fmt::format("{}, {}", printable(Loaded.Path), dateText(R.Written))) +
         (R.Total.empty() ? "" : wrapped(Indent, printable(R.Total)));
}

/// Returns the row of a region in one of the two runs; \p R is null if the run did not call it.
std::vector<Table::Cell> rowOf(const Table::Cell &Name, const char *Run, const ReportedRegion *R,
                               const std::string &Change) {
  std::vector<Table::Cell> Row = {Name, {Run}};
  if (R) {
    const ReportedVersion *V = mainVersion(*R);
    Row.insert(Row.end(), {{printable(R->State), inkOf(R->State)},
                           {V ? printable(V->Candidate) : "original"},
                           {gainText(R->OriginalNs, R->BestNs)},
                           {timeText(nsPerCall(*R)) + (isEarlier(*R) ? "*" : "")}});
  } else {
    Row.insert(Row.end(), {{"not in it"}, {"-"}, {"-"}, {"-"}});
  }
  Row.push_back({Change, inkOfChange(Change)});
  return Row;
}

json sideJson(const LoadedReport &Loaded) {
  const Report &R = Loaded.Content;
  return {{"path", Loaded.Path},   {"program", R.Program},       {"version", R.Version},
          {"written", R.Written},  {"elapsed_ms", R.ElapsedMs},  {"total", R.Total},
          {"spent_ms", R.SpentMs}, {"hot_regions", R.HotRegions}};
}

json regionJson(const ReportedRegion *R) {
  if (!R)
    return nullptr;
  const ReportedVersion *V = mainVersion(*R);
  return {{"name", R->Name},
          {"state", R->State},
          {"candidate", V ? json(V->Candidate) : json(nullptr)},
          {"calls", R->Calls},
          {"original_ns", R->OriginalNs},
          {"best_ns", R->BestNs},
          {"gain", R->BestNs > 0 ? R->OriginalNs / R->BestNs : 0.0},
          {"ns", nsPerCall(*R)},
          {"is_earlier", isEarlier(*R)}};
}

/// Compares two pairs by the order of pairRegions.
bool comesFirst(const RegionPair &A, const RegionPair &B) {
  const auto Key = [](const RegionPair &P) {
    const bool IsOfOne = !P.Before || !P.After;
    return std::tuple(IsOfOne, -P.addedNs(), -P.any().impactNs(), P.any().Name);
  };
  return Key(A) < Key(B);
}

} // namespace

double nsPerCall(const ReportedRegion &R) { return R.BestNs > 0 ? R.BestNs : R.OriginalNs; }

double RegionPair::addedNs() const {
  const double BeforeNs = Before ? nsPerCall(*Before) : 0, AfterNs = After ? nsPerCall(*After) : 0;
  if (BeforeNs <= 0 || AfterNs <= 0)
    return 0;
  return (AfterNs - BeforeNs) * static_cast<double>(std::max<uint64_t>(After->Calls, 1));
}

std::vector<RegionPair> pairRegions(const Report &Before, const Report &After) {
  Regions Old, New;
  for (const ReportedRegion &R : Before.Regions)
    Old.push_back(&R);
  for (const ReportedRegion &R : After.Regions)
    New.push_back(&R);
  std::vector<RegionPair> Pairs;
  for (const ReportedRegion &R : After.Regions)
    if (const Regions Same = take(Old, [&](const auto &O) { return O.Name == R.Name; });
        !Same.empty()) {
      Pairs.push_back({Same.front(), &R});
      std::erase(New, &R);
    }
  // The lines of a function's only region may differ because the source has changed above it.
  for (const ReportedRegion *R : Regions(New)) {
    const auto IsLike = [&](const ReportedRegion *O) { return isSameFunction(*O, *R); };
    if (std::count_if(Old.begin(), Old.end(), IsLike) != 1 ||
        std::count_if(New.begin(), New.end(), IsLike) != 1)
      continue;
    Pairs.push_back({take(Old, [&](const auto &O) { return isSameFunction(O, *R); }).front(), R});
    std::erase(New, R);
  }
  for (const ReportedRegion *R : Old)
    Pairs.push_back({R, nullptr});
  for (const ReportedRegion *R : New)
    Pairs.push_back({nullptr, R});
  std::erase_if(Pairs, [](const RegionPair &P) {
    return !(P.Before && isOfInterest(*P.Before)) && !(P.After && isOfInterest(*P.After));
  });
  std::sort(Pairs.begin(), Pairs.end(), comesFirst);
  return Pairs;
}

std::string diffText(const LoadedReport &Before, const LoadedReport &After) {
  constexpr double NsPerMs = 1e6;
  const double BeforeNs = Before.Content.ElapsedMs * NsPerMs,
               AfterNs = After.Content.ElapsedMs * NsPerMs;
  const std::string Whole = changeOfTime(BeforeNs, AfterNs);
  std::string Text = headText("before: ", Before) + headText("after:  ", After) +
                     fmt::format("whole program: {} -> {}, {}\n", timeText(BeforeNs),
                                 timeText(AfterNs), ink(inkOfChange(Whole), Whole));
  Table Out({{"REGION", false, 34, /*IsName=*/true},
             {"RUN"},
             {"STATE"},
             {"VERSION", false, 30},
             {"GAIN", true},
             {"PER CALL", true},
             {"CHANGE", true}},
            LineWidth);
  bool AnyEarlier = false;
  for (const RegionPair &P : pairRegions(Before.Content, After.Content)) {
    const std::string Change =
        P.Before && P.After ? changeOfTime(nsPerCall(*P.Before), nsPerCall(*P.After)) : "-";
    Out.add(rowOf({printable(P.any().Title), Ink::Bold}, "before", P.Before, ""));
    Out.add(rowOf({""}, "after", P.After, Change));
    for (const ReportedRegion *R : {P.Before, P.After})
      AnyEarlier |= R && isEarlier(*R);
  }
  if (Out.empty())
    return Text + "\nno region became hot in either run\n";
  return Text + "\n" + Out.text() + (AnyEarlier ? "* an earlier run measured it\n" : "");
}

std::string diffJson(const LoadedReport &Before, const LoadedReport &After) {
  json Out = {{"before", sideJson(Before)}, {"after", sideJson(After)}, {"regions", json::array()}};
  for (const RegionPair &P : pairRegions(Before.Content, After.Content)) {
    json Entry = {{"title", P.any().Title},
                  {"before", regionJson(P.Before)},
                  {"after", regionJson(P.After)},
                  {"added_ms", P.addedNs() * 1e-6}};
    Out["regions"].push_back(std::move(Entry));
  }
  return jsonText(Out, 2);
}

} // namespace specrt::tools
