//===- tools/explain_command.cpp - specrt explain -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/words.h"
#include "tools/command_error.h"
#include "tools/commands.h"
#include "tools/explain/glossary.h"
#include "tools/explain/region_search.h"
#include "tools/explain/zeros_text.h"
#include "tools/region_text.h"
#include "tools/report_source.h"
#include "tools/why/why_text.h"

#include <fmt/format.h>

namespace specrt::tools {
namespace {

std::string section(const char *Title, const std::string &Body) {
  return Body.empty() ? "" : "\n" + ink(Ink::Bold, Title) + "\n" + Body;
}

std::string explanation(const ReportedRegion &R) {
  std::string Text = headline(R);
  if (!R.Function.empty())
    Text += wrapped("  in the function ", printable(demangled(R.Function)));
  Text += reasonText(R);
  Text += section("Observed", observedText(R));
  Text += section("Versions in use", versionsText(R) + replacementsText(R));
  Text += section("Candidates not in use", retiredText(R));
  Text += section("Why the compiler alone could not do it", causesText(R, /*Brief=*/false));
  Text += section("Where values can be nonzero", zerosText(R.NonzeroValues));
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
  std::string Message = fmt::format("no region of {} is called or contains '{}'",
                                    printable(Loaded.Path), printable(Wanted));
  if (std::string Nearest = nearestMeant(Loaded.Content.Regions, Wanted); !Nearest.empty())
    Message += fmt::format("; {} (specrt explain --list shows all; specrt-clang "
                           "-Rpass-missed=specrt tells why a loop is no region)",
                           Nearest);
  throw CommandError(ExitNothing, Message);
}

} // namespace

int explainCommand(const ExplainOptions &Options) {
  if (Options.Words) {
    fmt::print("{}", glossaryText());
    return ExitSuccess;
  }
  if (Options.List) {
    // Without a region, the only argument names the report.
    LoadedReport Loaded = loadReport(Options.What.empty() ? Options.Region : Options.What);
    for (const ReportedRegion &R : Loaded.Content.Regions)
      fmt::print("{}\n", printable(R.Title));
    return ExitSuccess;
  }
  if (Options.Region.empty())
    throw CommandError(ExitUsage, "explain needs a region; specrt explain --list shows them");
  LoadedReport Loaded = loadReport(Options.What);
  bool Any = false;
  for (const ReportedRegion &R : Loaded.Content.Regions)
    if (isMeant(R, Options.Region)) {
      fmt::print("{}{}", Any ? "\n" : "", Options.Why ? whyExplanation(R) : explanation(R));
      Any = true;
    }
  if (!Any)
    noSuchRegion(Loaded, Options.Region);
  return ExitSuccess;
}

} // namespace specrt::tools
