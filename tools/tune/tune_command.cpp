//===- tools/tune/tune_command.cpp - specrt tune --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a program until all of its hot regions are decided, measures it with and without versions,
// and prints the result.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/config.h"
#include "runtime/report/html_report.h"
#include "runtime/report/report_file.h"
#include "tools/command_error.h"
#include "tools/commands.h"
#include "tools/region_text.h"
#include "tools/report_source.h"
#include "tools/server/servers.h"
#include "tools/tune/comparison.h"
#include "tools/tune/interrupts.h"
#include "tools/tune/program_runs.h"
#include "tools/tune/progress_line.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <optional>

extern char **environ;

namespace specrt::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t EnoughPairs = 3; // for medians

/// Returns the settings of this environment. Throws CommandError for settings with which a run
/// cannot use the results of the one before.
Config settingsToTuneWith() {
  std::vector<std::string> Ignored; // the program prints these warnings, too
  const Config Settings = configFromEnvironment(environ, environmentIsTrusted(), Ignored);
  struct Conflict {
    bool Applies;
    const char *Name, *Why;
  };
  for (const Conflict &C :
       {Conflict{Settings.Disable, "SPECRT_DISABLE", "nothing is compiled"},
        Conflict{Settings.Profile != ProfileMode::ReadWrite, "SPECRT_PROFILE",
                 "runs do not learn from each other"},
        Conflict{Settings.Compile == CompileMode::Off, "SPECRT_COMPILE", "nothing is compiled"},
        Conflict{Settings.CacheLimit == 0, "SPECRT_CACHE_LIMIT",
                 "no version is kept for the next run"}})
    if (C.Applies)
      throw CommandError(ExitUsage,
                         fmt::format("{}={} is set, with which {}: unset it to tune", C.Name,
                                     printable(Settings.Given.at(C.Name)), C.Why));
  return Settings;
}

std::string secondsText(double Seconds) { return fmt::format("{:.2f} s", Seconds); }

class Tuning {
public:
  explicit Tuning(const TuneOptions &Options)
      : Options(Options), Settings(settingsToTuneWith()), CacheDirectory(knownCacheDirectory()),
        Runs(Options.Command, Signals) {}

  int run();

private:
  enum class End { Decided, NothingHot, RunsUsed, TimeUsed, Interrupted };

  End tune();
  void measure();
  void readReport();
  void awaitServers();
  /// Returns the expected time of the final measurement, in seconds.
  double secondsToMeasure() const { return EnoughPairs * (FirstSeconds + LastSeconds); }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - Begin).count(); }
  bool isTimeFor(double Seconds) const {
    return Options.Seconds == 0 || elapsed() + Seconds <= Options.Seconds;
  }
  std::string headText(End How) const;
  std::string tableText() const;
  std::string measuredText() const;
  void writeReport() const;

  const TuneOptions &Options;
  const Config Settings;
  const std::string CacheDirectory;
  const Clock::time_point Begin = Clock::now();
  Interrupts Signals;
  ProgramRuns Runs;
  ProgressLine Line;
  std::optional<LoadedReport> Last;         ///< of the last tuning run
  unsigned NumRuns = 0;                     ///< completed tuning runs
  double FirstSeconds = 0, LastSeconds = 0; ///< of tuning runs
  Comparison Whole;
};

void Tuning::readReport() {
  std::error_code Ignored;
  if (!std::filesystem::exists(Runs.reportPath(), Ignored))
    throw CommandError(
        ExitNothing, fmt::format("{} made no report: it was not compiled with specrt-clang, or it "
                                 "ends without exit handlers (_exit)",
                                 printable(Runs.program())));
  Last = loadReport(Runs.reportPath());
}

/// Waits until the server has finished the requests of the last run.
void Tuning::awaitServers() {
  constexpr auto Longest = std::chrono::seconds(60);
  Clock::time_point Deadline = Clock::now() + Longest;
  if (Options.Seconds > 0) {
    const std::chrono::duration<double> Left(Options.Seconds - secondsToMeasure());
    Deadline = std::min(Deadline, Begin + std::chrono::duration_cast<Clock::duration>(Left));
  }
  Line.show(fmt::format("after run {}: waiting for the compile server", NumRuns));
  const bool IsDone =
      waitForServers(CacheDirectory, Deadline, [this] { return Signals.happened(); });
  if (!IsDone && !Signals.happened())
    Line.report(fmt::format("the compile server is still busy with what run {} has left", NumRuns));
}

Tuning::End Tuning::tune() {
  while (true) {
    const bool IsShown = Options.Show == "all" || (Options.Show == "first" && NumRuns == 0);
    Line.show(fmt::format("run {} of at most {}{}", NumRuns + 1, Options.Runs,
                          Last ? "; " + printable(Last->Content.Progress) : ""));
    if (IsShown)
      Line.clear();
    LastSeconds = Runs.run({.IsShown = IsShown, .IsReported = true});
    if (Signals.happened())
      return End::Interrupted;
    if (++NumRuns == 1)
      FirstSeconds = LastSeconds;
    readReport();
    const Report &R = Last->Content;
    Line.report(fmt::format("run {}: {}; {}", NumRuns, secondsText(LastSeconds),
                            R.HotRegions == 0 ? "no region became hot" : printable(R.Progress)));
    if (R.HotRegions == 0)
      return End::NothingHot;
    awaitServers();
    if (Signals.happened())
      return End::Interrupted;
    if (R.UndecidedRegions == 0)
      return End::Decided;
    if (NumRuns == Options.Runs)
      return End::RunsUsed;
    if (!isTimeFor(LastSeconds + secondsToMeasure()))
      return End::TimeUsed;
  }
}

void Tuning::measure() {
  constexpr size_t MostPairs = 9;
  constexpr double ShortSeconds = 2; // more pairs of short runs take little time
  double PairSeconds = FirstSeconds + LastSeconds;
  while (!Signals.happened() && isTimeFor(PairSeconds) &&
         (Whole.numPairs() < EnoughPairs ||
          (Whole.numPairs() < MostPairs && Whole.seconds() < ShortSeconds))) {
    const bool IsShown = Options.Show == "all";
    Line.show(fmt::format("measuring, pair {}", Whole.numPairs() + 1));
    if (IsShown)
      Line.clear();
    const double Original = Runs.run({.IsShown = IsShown, .IsOriginal = true});
    if (Signals.happened())
      return;
    const double Tuned = Runs.run({.IsShown = IsShown});
    if (Signals.happened())
      return;
    Whole.add(Original, Tuned);
    PairSeconds = Original + Tuned;
  }
}

std::string Tuning::headText(End How) const {
  std::string Why;
  switch (How) {
  case End::Decided:
  case End::NothingHot:
    break;
  case End::RunsUsed:
    Why = fmt::format(", stopped by --runs={}", Options.Runs);
    break;
  case End::TimeUsed:
    Why = fmt::format(", stopped by --seconds={}", Options.Seconds);
    break;
  case End::Interrupted:
    Why = ", interrupted";
    break;
  }
  const Report &R = Last->Content;
  const std::string Name = R.Program.substr(R.Program.rfind('/') + 1);
  return wrapped(
      "", fmt::format("{}: {} run{}{}; {}", printable(Name), NumRuns, NumRuns == 1 ? "" : "s", Why,
                      R.HotRegions == 0 ? "no region became hot" : printable(R.Progress)));
}

std::string Tuning::tableText() const {
  Table Out({{"REGION", false, 34, /*IsName=*/true},
             {"STATE"},
             {"CANDIDATE", false, 30},
             {"ORIGINAL", true},
             {"VERSION", true},
             {"GAIN", true}},
            LineWidth);
  std::vector<ReportedRegion> Hot = Last->Content.Regions;
  std::erase_if(Hot, [](const ReportedRegion &R) { return !R.Hot; });
  std::sort(Hot.begin(), Hot.end(), [](const ReportedRegion &A, const ReportedRegion &B) {
    return A.impactNs() > B.impactNs();
  });
  constexpr size_t MostRows = 20; // fits on a screen
  for (size_t I = 0; I < std::min(Hot.size(), MostRows); ++I) {
    const ReportedRegion &R = Hot[I];
    const auto MostHit = std::max_element(
        R.Versions.begin(), R.Versions.end(),
        [](const ReportedVersion &A, const ReportedVersion &B) { return A.Hits < B.Hits; });
    const std::string More =
        R.Versions.size() > 1 ? fmt::format(" and {} more", R.Versions.size() - 1) : "";
    Out.add({{printable(R.Title), Ink::Bold},
             {printable(R.State), inkOf(R.State)},
             {MostHit == R.Versions.end() ? "-" : printable(MostHit->Candidate) + More},
             {timeText(R.OriginalNs)},
             {timeText(R.BestNs)},
             {gainText(R.OriginalNs, R.BestNs)}});
  }
  if (Out.empty())
    return "";
  const std::string Rest =
      Hot.size() > MostRows
          ? fmt::format("and {} more, which specrt report shows\n", Hot.size() - MostRows)
          : "";
  return "\n" + Out.text() + Rest;
}

std::string Tuning::measuredText() const {
  const Comparison::Result Result = resultOf(Whole, Last->Content);
  Ink Colour = Ink::Plain;
  if (Result == Comparison::Result::Faster)
    Colour = Ink::Good;
  else if (Result == Comparison::Result::Slower)
    Colour = Ink::Bad;
  return "\n" + ink(Colour, "whole program: " + verdictText(Whole, Last->Content)) + "\n";
}

/// Writes the user's SPECRT_REPORT, as a run by hand does.
void Tuning::writeReport() const {
  if (Settings.Report.empty())
    return;
  const std::string &Text = Last->Text;
  const std::string Problem = writeFileAtomically(
      Settings.Report, Settings.Report.ends_with(".html") ? htmlReport(Text) : Text);
  if (!Problem.empty())
    fmt::print(stderr, "specrt: warning: {} {}\n", printable(Settings.Report), Problem);
}

int Tuning::run() {
  const End How = tune();
  if (!Last)
    throw CommandError(ExitNothing, "interrupted in the first run, before anything was decided");
  if (How != End::Interrupted && How != End::NothingHot)
    measure();
  Line.clear();
  fmt::print("{}{}{}", headText(How), tableText(), measuredText());
  writeReport();
  return How == End::NothingHot || Signals.happened() ? ExitNothing : ExitSuccess;
}

} // namespace

int tuneCommand(const TuneOptions &Options) { return Tuning(Options).run(); }

} // namespace specrt::tools
