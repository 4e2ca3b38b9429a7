//===- tools/report_command.cpp - specrt report ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/report/html_report.h"
#include "runtime/report/report_file.h"
#include "tools/command_error.h"
#include "tools/commands.h"
#include "tools/diff/report_diff.h"
#include "tools/region_text.h"
#include "tools/report_source.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace specrt::tools {
namespace {

using Before = bool (*)(const ReportedRegion &, const ReportedRegion &);

struct SortRow {
  const char *Key;
  Before Compare;
};

double gain(const ReportedRegion &R) { return R.BestNs > 0 ? R.OriginalNs / R.BestNs : 0; }

constexpr SortRow SortTable[] = {
    {"time",
     [](const ReportedRegion &A, const ReportedRegion &B) { return A.impactNs() > B.impactNs(); }},
    {"name", [](const ReportedRegion &A, const ReportedRegion &B) { return A.Title < B.Title; }},
    {"state", [](const ReportedRegion &A, const ReportedRegion &B) { return A.State < B.State; }},
    {"calls", [](const ReportedRegion &A, const ReportedRegion &B) { return A.Calls > B.Calls; }},
    {"hits", [](const ReportedRegion &A, const ReportedRegion &B) { return A.Hits > B.Hits; }},
    {"misses",
     [](const ReportedRegion &A, const ReportedRegion &B) { return A.Misses > B.Misses; }},
    {"gain", [](const ReportedRegion &A, const ReportedRegion &B) { return gain(A) > gain(B); }},
};

void sortRegions(std::vector<ReportedRegion> &Regions, const std::string &Key) {
  for (const SortRow &Row : SortTable)
    if (Key == Row.Key)
      std::sort(Regions.begin(), Regions.end(), [&](const auto &A, const auto &B) {
        return Row.Compare(A, B) || (!Row.Compare(B, A) && A.Name < B.Name);
      });
}

std::string headText(const LoadedReport &Loaded) {
  const Report &R = Loaded.Content;
  std::string Name = R.Program.substr(R.Program.rfind('/') + 1);
  std::string Text = ink(Ink::Bold, printable(Name.empty() ? Loaded.Path : Name));
  if (R.ElapsedMs > 0)
    Text += fmt::format(", ran for {}", timeText(R.ElapsedMs * 1e6));
  if (R.Written > 0)
    Text += fmt::format(" until {}", dateText(R.Written));
  Text += fmt::format(", {} compilation{}\n", grouped(R.Compiles), R.Compiles == 1 ? "" : "s");
  std::string Settings;
  for (const auto &[Option, Value] : R.Settings)
    Settings +=
        fmt::format("{}{}={}", Settings.empty() ? "" : " ", printable(Option), printable(Value));
  if (!Settings.empty())
    Text += wrapped("settings: ", Settings);
  if (!R.Total.empty())
    Text += wrapped("", printable(R.Total));
  return Text + "\n";
}

std::string tableText(const std::vector<ReportedRegion> &Regions) {
  Table Out({{"REGION", false, 34, /*IsName=*/true},
             {"STATE"},
             {"VERSIONS", true},
             {"HITS", true},
             {"MISSES", true},
             {"ORIGINAL", true},
             {"VERSION", true},
             {"GAIN", true}},
            LineWidth);
  for (const ReportedRegion &R : Regions)
    Out.add({{printable(R.Title), Ink::Bold},
             {printable(R.State), inkOf(R.State)},
             {R.Versions.empty() ? "-" : std::to_string(R.Versions.size())},
             {grouped(R.Hits)},
             {grouped(R.Misses)},
             {timeText(R.OriginalNs) + (R.OriginalIsEarlier ? "*" : "")},
             {timeText(R.BestNs) + (R.BestIsEarlier ? "*" : "")},
             {gainText(R.OriginalNs, R.BestNs)}});
  const bool AnyEarlier = std::any_of(Regions.begin(), Regions.end(), [](const auto &R) {
    return R.OriginalIsEarlier || R.BestIsEarlier;
  });
  return Out.text() + (AnyEarlier ? "* an earlier run measured it\n" : "");
}

/// Lists regions whose calls are not observed, by reason; most of them may never run.
std::string unseenText(const std::vector<ReportedRegion> &Regions) {
  constexpr size_t MostNames = 3; // keeps a block two or three lines long
  std::map<std::string, std::vector<const ReportedRegion *>> ByReason;
  for (const ReportedRegion &R : Regions)
    ByReason[R.Reason].push_back(&R);
  std::string Text;
  for (const auto &[Reason, Like] : ByReason) {
    std::string Line = printable(Reason) + ": ";
    for (size_t I = 0; I < std::min(Like.size(), MostNames); ++I)
      Line += (I ? ", " : "") + printable(Like[I]->Title);
    if (Like.size() > MostNames)
      Line += fmt::format(" and {} more", Like.size() - MostNames);
    Text += wrapped("  ", Line) + wrapped("    -> ", printable(Like.front()->Advice));
  }
  if (Text.empty())
    return "";
  const std::string Head =
      Regions.size() == 1
          ? "1 region is left as it is; whether that matters is not seen (--all shows it):\n"
          : fmt::format("{} regions are left as they are; whether that matters is not seen (--all "
                        "shows each):\n",
                        Regions.size());
  return "\n" + Head + Text;
}

/// Returns a hint how to see regions that are not in the table.
std::string hintAt(size_t Hidden, size_t Cold) {
  if (Hidden == Cold)
    return Cold == 1 ? " (--all shows it)" : " (--all shows them)";
  return " (a report that SPECRT_REPORT writes has them all)";
}

std::string reportText(const LoadedReport &Loaded, const ReportOptions &Options) {
  std::vector<ReportedRegion> Regions = Loaded.Content.Regions;
  std::vector<ReportedRegion> Unseen;
  if (!Options.All)
    std::erase_if(Regions, [&](const ReportedRegion &R) {
      if (R.Unseen)
        Unseen.push_back(R);
      return R.Unseen;
    });
  size_t Before = Regions.size();
  if (!Options.All)
    std::erase_if(Regions, [](const ReportedRegion &R) { return R.isCold(); });
  size_t Hidden = Before - Regions.size();
  sortRegions(Regions, Options.Sort);
  std::string Text = headText(Loaded);
  if (!Regions.empty())
    Text += tableText(Regions);
  size_t Cold = Hidden + Loaded.Content.RegionsOmitted;
  if (Cold > 0)
    Text += fmt::format("{} region{} called but never became hot{}.\n", Cold,
                        Cold == 1 ? " was" : "s were", hintAt(Hidden, Cold));
  for (const ReportedRegion &R : Regions)
    if (!R.isCold())
      Text += "\n" + headline(R) + versionsText(R) + replacementsText(R) + reasonText(R) +
              causesText(R, /*Brief=*/!R.Versions.empty());
  return Text + unseenText(Unseen);
}

int writePage(const LoadedReport &Loaded, const std::string &File) {
  std::string Page = htmlReport(Loaded.Text);
  if (File == "-") {
    fmt::print("{}", Page);
    return ExitSuccess;
  }
  if (std::string Problem = writeFileAtomically(File, Page); !Problem.empty())
    throw CommandError(ExitUsage, fmt::format("{} {}", printable(File), Problem));
  return ExitSuccess;
}

} // namespace

const std::vector<std::string> &sortKeys() {
  static const std::vector<std::string> Keys = [] {
    std::vector<std::string> All;
    for (const SortRow &Row : SortTable)
      All.push_back(Row.Key);
    return All;
  }();
  return Keys;
}

int reportCommand(const ReportOptions &Options) {
  if (!Options.Diff.empty()) {
    const LoadedReport Before = loadReport(Options.Diff.at(0)),
                       After = loadReport(Options.Diff.at(1));
    fmt::print("{}", Options.Json ? diffJson(Before, After) : diffText(Before, After));
    return ExitSuccess;
  }
  LoadedReport Loaded = loadReport(Options.What);
  if (!Options.Html.empty())
    return writePage(Loaded, Options.Html);
  fmt::print("{}", Options.Json ? Loaded.Text : reportText(Loaded, Options));
  return ExitSuccess;
}

} // namespace specrt::tools
