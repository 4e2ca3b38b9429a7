//===- tools/commands.cpp - the command line ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/commands.h"
#include "runtime/base/nearest.h"
#include "tools/command_error.h"
#include "tools/terminal.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <functional>
#include <unistd.h>

namespace specrt::tools {
namespace {

constexpr const char *Exits =
    "exit codes: 0 done; 1 nothing found, or something wrong was found; 2 "
    "wrong usage, or input that cannot be read";
constexpr const char *WhichReport =
    "a report (.json), or a program by path or name; without it the "
    "most recent report is used";

/// The parsed options, and the command that was chosen.
struct CommandLine {
  CLI::App App{"specrt - tunes programs, and looks at what libspecrt did for them, and why",
               "specrt"};
  TuneOptions Tune;
  ReportOptions Report;
  ExplainOptions Explain;
  CacheOptions Cache;
  ArchiveOptions Archive;
  EnvOptions Env;
  ServerOptions Server;
  ScopsOptions Scops;
  StructureOptions Structure;
  PropagateOptions Propagate;
  std::function<int()> Chosen;

  CommandLine();

private:
  CLI::App &add(CLI::App &To, const char *Name, const char *Help, std::function<int()> Command);
  void addTune();
  void addReport();
  void addExplain();
  void addCache();
  void addArchive(CLI::App &To);
  void addEnv();
  void addServer();
  void addScops();
  void addStructure();
  void addPropagate();
};

CLI::App &CommandLine::add(CLI::App &To, const char *Name, const char *Help,
                           std::function<int()> Command) {
  CLI::App &Sub = *To.add_subcommand(Name, Help);
  if (Command)
    Sub.callback([this, Command] { Chosen = Command; });
  return Sub;
}

CommandLine::CommandLine() {
  App.set_version_flag("--version", "specrt " SPECRT_VERSION_STRING, "Print the version and exit");
  App.set_help_flag("-h,--help", "Print this help and exit");
  App.require_subcommand(1);
  App.footer(Exits);
  addReport();
  addExplain();
  addTune();
  addCache();
  addEnv();
  addServer();
  addScops();
  addStructure();
  addPropagate();
}

void CommandLine::addTune() {
  CLI::App &Sub = add(App, "tune", "Run a program until its versions are chosen, and measure it",
                      [this] { return tuneCommand(Tune); });
  Sub.add_option("PROGRAM", Tune.Command, "the program and its arguments, behind --")->required();
  Sub.add_option("--runs", Tune.Runs, "The most runs, without those that measure")
      ->check(CLI::Range(1U, 10'000U))
      ->capture_default_str();
  Sub.add_option("--seconds", Tune.Seconds, "The most time; runs that have begun are not cut short")
      ->check(CLI::PositiveNumber);
  Sub.add_option("--show", Tune.Show, "Which runs' output to pass on")
      ->check(CLI::IsMember({"first", "all", "none"}))
      ->capture_default_str();
}

void CommandLine::addReport() {
  CLI::App &Sub =
      add(App, "report", "Show the regions of a program's last run, or compare two", nullptr);
  Sub.add_option("WHAT", Report.What, WhichReport);
  Sub.add_flag("--all", Report.All, "Show regions that never became hot, too");
  Sub.add_option("--sort", Report.Sort, "Order of the regions")
      ->check(CLI::IsMember(sortKeys()))
      ->capture_default_str();
  Sub.add_flag("--json", Report.Json, "Print the report as JSON");
  Sub.add_option("--html", Report.Html, "Write the report as a page to this file (-: print it)")
      ->type_name("FILE");
  Sub.add_option("--diff", Report.Diff, "Compare two reports, each as WHAT; with --json as JSON")
      ->expected(2)
      ->type_name("BEFORE AFTER");
  Sub.callback([this, &Sub] {
    for (const char *Other : {"WHAT", "--all", "--sort", "--html"})
      if (!Report.Diff.empty() && Sub.count(Other) > 0)
        throw CLI::ValidationError(std::string(Other) + " does not go with --diff BEFORE AFTER");
    Chosen = [this] { return reportCommand(Report); };
  });
}

void CommandLine::addExplain() {
  CLI::App &Sub = add(App, "explain", "Tell all that is known about one region",
                      [this] { return explainCommand(Explain); });
  Sub.add_option("REGION", Explain.Region, "a region's name, function or file:line; globs allowed");
  Sub.add_option("WHAT", Explain.What, WhichReport);
  Sub.add_flag("--list", Explain.List, "Print the names of the regions only");
  Sub.add_flag("--why", Explain.Why,
               "Tell which loops are parallel, vectorisable, tilable, and why");
  Sub.add_flag("--words", Explain.Words, "Print what the words of reports mean");
}

void CommandLine::addCache() {
  CLI::App &Sub = add(App, "cache", "Look after profiles, reports and compiled versions", nullptr);
  Sub.require_subcommand(1);
  auto AddFilters = [this](CLI::App &To) {
    To.add_option("--program", Cache.Program, "Only what belongs to this program (path or name)");
    To.add_option("--kind", Cache.Kind, "Only one kind of files")
        ->check(CLI::IsMember({"profiles", "reports", "versions", "rows"}));
  };
  add(Sub, "path", "Print the cache directory", cachePathCommand);
  CLI::App &List = add(Sub, "list", "List the files", [this] { return cacheListCommand(Cache); });
  AddFilters(List);
  List.add_flag("--all", Cache.All, "List the directories of SPECRT_CACHE_PATH, too");
  List.add_flag("--json", Cache.Json, "Print the list as JSON");
  AddFilters(add(Sub, "verify", "Check the files", [this] { return cacheVerifyCommand(Cache); }));
  CLI::App &Clear =
      add(Sub, "clear", "Remove the files", [this] { return cacheClearCommand(Cache); });
  AddFilters(Clear);
  Clear.add_flag("-y,--yes", Cache.Yes, "Do not ask");
  addArchive(Sub);
}

void CommandLine::addArchive(CLI::App &To) {
  CLI::App &Export = add(To, "export", "Write profiles and compiled versions to an archive",
                         [this] { return cacheExportCommand(Archive); });
  Export.add_option("FILE", Archive.File, "the archive (-: standard output)")->required();
  Export.add_option("PROGRAM", Archive.Programs, "programs by path or name; without them all");
  CLI::App &Import = add(To, "import", "Add what an archive has to the cache",
                         [this] { return cacheImportCommand(Archive); });
  Import.add_option("FILE", Archive.File, "the archive (-: standard input)")->required();
  Import
      .add_option("--as", Archive.As, "The program that the profile is for, where its path differs")
      ->type_name("PROGRAM");
  Import.add_flag("--foreign", Archive.Foreign,
                  "Also add what other processors or builds of libspecrt need");
}

void CommandLine::addEnv() {
  CLI::App &Sub = add(App, "env", "Show all settings, their values and where these come from",
                      [this] { return envCommand(Env); });
  Sub.add_flag("--long", Env.Long, "Show meanings and accepted values, too");
  Sub.add_flag("--json", Env.Json, "Print the settings as JSON");
}

void CommandLine::addServer() {
  CLI::App &Sub = add(App, "server", "Look after the processes that compile", nullptr);
  Sub.require_subcommand(1);
  CLI::App &Status = add(Sub, "status", "Show the compile servers of the cache directory",
                         [this] { return serverStatusCommand(Server); });
  Status.add_flag("--json", Server.Json, "Print them as JSON");
  add(Sub, "stop", "Stop them", serverStopCommand);
}

void CommandLine::addScops() {
  CLI::App &Sub = add(App, "scops", "Count regions that are Scops, with and without speculation",
                      [this] { return scopsCommand(Scops); });
  Sub.add_option("FILES", Scops.Files, "LLVM bitcode, or objects that embed it");
  Sub.add_option("--from", Scops.From, "Read names of files from this file, one per line")
      ->type_name("FILE");
  Sub.add_flag("--json", Scops.Json, "Print the numbers of each file as JSON");
}

void CommandLine::addStructure() {
  CLI::App &Sub = add(App, "structure", "Tell what the pattern of a sparse matrix is like",
                      [this] { return structureCommand(Structure); });
  Sub.add_option("FILE", Structure.File, "a Matrix Market file")->required();
  Sub.add_option("--svg", Structure.Svg, "Write a picture to this file (-: print it only)")
      ->type_name("FILE");
  Sub.add_flag("--json", Structure.Json, "Print the numbers as JSON");
}

void CommandLine::addPropagate() {
  CLI::App &Sub = add(App, "propagate", "Tell where loops leave zeros, for given zeros of arrays",
                      [this] { return propagateCommand(Propagate); });
  Sub.add_option("FILE", Propagate.File, "LLVM bitcode, or an object that embeds it")->required();
  Sub.add_option("REGION", Propagate.Region, "a function in it")->required();
  Sub.add_option("--structure", Propagate.Structures,
                 "ARRAY=FILE: the array may be nonzero where this Matrix Market file has entries")
      ->type_name("ARRAY=FILE")
      ->allow_extra_args(false);
  Sub.add_option("--zero", Propagate.Zeros, "The array is all zero before")
      ->type_name("ARRAY")
      ->allow_extra_args(false);
  Sub.add_option("--value", Propagate.Values, "SIZE=NUMBER: what a size is")
      ->type_name("SIZE=NUMBER")
      ->allow_extra_args(false);
  Sub.add_option("--nest", Propagate.Nest, "Which of its loop nests, from 0")
      ->capture_default_str();
  Sub.add_option("--output", Propagate.Outputs,
                 "ARRAY=FILE: write where the array may be nonzero afterwards to this file")
      ->type_name("ARRAY=FILE")
      ->allow_extra_args(false);
  Sub.add_flag("--equations", Propagate.Equations, "Print the equations and their solution, too");
  Sub.add_flag("--json", Propagate.Json, "Print the numbers as JSON");
}

std::vector<std::string> namesOf(const CLI::App &App) {
  std::vector<std::string> Names;
  for (const CLI::App *Sub : App.get_subcommands([](const CLI::App *) { return true; }))
    Names.push_back(Sub->get_name());
  return Names;
}

/// Returns the first argument that is no command although one is expected there; "" if there is
/// none.
std::string unknownCommand(const CLI::App &App, int Argc, char **Argv) {
  const CLI::App *At = &App;
  for (int I = 1; I < Argc; ++I) {
    std::string Word = Argv[I];
    std::vector<std::string> Names = namesOf(*At);
    if (Word.starts_with("-") || Names.empty())
      return "";
    if (std::find(Names.begin(), Names.end(), Word) == Names.end()) {
      std::string Nearest = nearestName(Word, Names);
      bool IsNear = 2 * editDistance(Word, Nearest) <= Word.size();
      return fmt::format("unknown command '{}'; {}", printable(Word),
                         IsNear ? fmt::format("did you mean '{}'?", Nearest)
                                : fmt::format("the commands are {}", fmt::join(Names, ", ")));
    }
    At = At->get_subcommand(Word);
  }
  return "";
}

int usageError(const CommandLine &Line, const CLI::ParseError &Error, int Argc, char **Argv) {
  if (Error.get_exit_code() == 0) { // --help, --version
    Line.App.exit(Error);
    return ExitSuccess;
  }
  std::string Unknown = unknownCommand(Line.App, Argc, Argv);
  std::string Message = Unknown.empty() ? printable(Error.what()) : Unknown;
  fmt::print(stderr, "specrt: error: {}\nTry 'specrt --help'.\n", Message);
  return ExitUsage;
}

} // namespace

int runCommandLine(int Argc, char **Argv) {
  setColour(wantsColour(STDOUT_FILENO));
  CommandLine Line;
  try {
    Line.App.parse(Argc, Argv);
    int Code = Line.Chosen();
    if (std::fflush(stdout) != 0 || std::ferror(stdout))
      throw CommandError(ExitUsage, "standard output cannot be written");
    return Code;
  } catch (const CLI::ParseError &Error) {
    return usageError(Line, Error, Argc, Argv);
  } catch (const CommandError &Error) {
    std::fflush(stdout);
    fmt::print(stderr, "specrt: error: {}\n", Error.what());
    return Error.code();
  } catch (const std::exception &Error) {
    fmt::print(stderr, "specrt: error: {}\n", Error.what());
    return ExitUsage;
  }
}

} // namespace specrt::tools
