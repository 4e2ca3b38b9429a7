//===- tools/explain_command.cpp - specrt explain -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/nearest.h"
#include "tools/command_error.h"
#include "tools/commands.h"
#include "tools/region_text.h"
#include "tools/report_source.h"
#include "tools/why/why_text.h"

#include <fmt/format.h>
#include <fnmatch.h>

namespace specrt::tools {
namespace {

bool matches(const ReportedRegion &R, const std::string &Glob) {
  std::string WithoutLine = R.Name.substr(0, R.Name.rfind(':'));
  for (const std::string &Name : {R.Name, WithoutLine, R.Function, R.place()})
    if (Name == Glob || fnmatch(Glob.c_str(), Name.c_str(), 0) == 0)
      return true;
  // A file is usually named without its folders: story.cpp:33.
  return fnmatch(("*/" + Glob).c_str(), R.place().c_str(), 0) == 0;
}

std::string section(const char *Title, const std::string &Body) {
  return Body.empty() ? "" : "\n" + ink(Ink::Bold, Title) + "\n" + Body;
}

std::string explanation(const ReportedRegion &R) {
  std::string Text = headline(R);
  if (!R.Function.empty())
    Text += wrapped("  in the function ", printable(R.Function));
  Text += reasonText(R);
  Text += section("Observed", observedText(R));
  Text += section("Versions in use", versionsText(R) + replacementsText(R));
  Text += section("Candidates not in use", retiredText(R));
  Text += section("Why the compiler alone could not do it", causesText(R, /*Brief=*/false));
  Text += section("Notes of the compiler about the last plan", notesText(R));
  return Text + section("Timeline", timelineText(R));
}

std::string whyExplanation(const ReportedRegion &R) {
  const std::string Text = whyText(R.Why);
  return headline(R) +
         (Text.empty() ? "  Nothing is known of its loops: no call was recorded, and the compiler "
                         "made no model of them.\n"
                       : Text);
}

[[noreturn]] void noSuchRegion(const LoadedReport &Loaded, const std::string &Wanted) {
  std::vector<std::string> Names;
  Names.reserve(Loaded.Content.Regions.size());
  for (const ReportedRegion &R : Loaded.Content.Regions)
    Names.push_back(R.Name);
  std::string Message =
      fmt::format("no region of {} is called '{}'", printable(Loaded.Path), printable(Wanted));
  if (!Names.empty())
    Message += fmt::format("; did you mean '{}'? (specrt explain --list shows all)",
                           printable(nearestName(Wanted, Names)));
  throw CommandError(ExitNothing, Message);
}

} // namespace

int explainCommand(const ExplainOptions &Options) {
  if (Options.List) {
    // Without a region the one word that was given says which report.
    LoadedReport Loaded = loadReport(Options.What.empty() ? Options.Region : Options.What);
    for (const ReportedRegion &R : Loaded.Content.Regions)
      fmt::print("{}\n", printable(R.Name));
    return ExitSuccess;
  }
  if (Options.Region.empty())
    throw CommandError(ExitUsage, "explain needs a region; specrt explain --list shows them");
  LoadedReport Loaded = loadReport(Options.What);
  bool Any = false;
  for (const ReportedRegion &R : Loaded.Content.Regions)
    if (matches(R, Options.Region)) {
      fmt::print("{}{}", Any ? "\n" : "", Options.Why ? whyExplanation(R) : explanation(R));
      Any = true;
    }
  if (!Any)
    noSuchRegion(Loaded, Options.Region);
  return ExitSuccess;
}

} // namespace specrt::tools
