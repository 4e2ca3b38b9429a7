//===- tools/tune/program_runs.cpp - runs a program again and again -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tune/program_runs.h"
#include "tools/command_error.h"
#include "tools/terminal.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <spawn.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace specrt::tools {
namespace {

namespace fs = std::filesystem;

/// The standard files of a program that is started.
class FileActions {
public:
  FileActions() { posix_spawn_file_actions_init(&Actions); }
  ~FileActions() { posix_spawn_file_actions_destroy(&Actions); }
  FileActions(const FileActions &) = delete;
  FileActions &operator=(const FileActions &) = delete;

  void open(int File, const std::string &Path, int Flags) {
    constexpr mode_t OfThisUser = 0600;
    posix_spawn_file_actions_addopen(&Actions, File, Path.c_str(), Flags, OfThisUser);
  }
  const posix_spawn_file_actions_t *get() const { return &Actions; }

private:
  posix_spawn_file_actions_t Actions{};
};

std::vector<char *> pointers(std::vector<std::string> &Strings) {
  std::vector<char *> Result;
  Result.reserve(Strings.size() + 1);
  for (std::string &S : Strings)
    Result.push_back(S.data());
  Result.push_back(nullptr);
  return Result;
}

/// Returns the offset of standard input if that is a file; otherwise -1.
off_t beginOfInput() {
  struct stat Status{};
  if (fstat(STDIN_FILENO, &Status) != 0 || !S_ISREG(Status.st_mode))
    return -1;
  return lseek(STDIN_FILENO, 0, SEEK_CUR);
}

/// Returns the last lines of a file, printable, each indented by two blanks.
std::string endOf(const std::string &Path) {
  constexpr std::streamoff MostBytes = 2000; // some 20 lines
  std::ifstream In(Path, std::ios::binary | std::ios::ate);
  const std::streamoff Size = In ? std::streamoff(In.tellg()) : 0;
  In.seekg(std::max<std::streamoff>(Size - MostBytes, 0));
  std::string Text, Line;
  if (Size > MostBytes)
    std::getline(In, Line); // the rest of a truncated line
  while (std::getline(In, Line))
    Text += "  " + printable(Line) + "\n";
  return Text;
}

} // namespace

ProgramRuns::ProgramRuns(std::vector<std::string> Command, Interrupts &Signals)
    : Command(std::move(Command)), Signals(Signals), InputBegin(beginOfInput()) {
  std::error_code Error;
  std::string Pattern = (fs::temp_directory_path(Error) / "specrt-tune-XXXXXX").string();
  if (Error || !mkdtemp(Pattern.data()))
    throw CommandError(ExitUsage, fmt::format("there is no temporary folder: {}",
                                              Error ? Error.message() : std::strerror(errno)));
  Folder = Pattern;
  ReportPath = Folder + "/report.json";
  ErrorPath = Folder + "/errors";
}

ProgramRuns::~ProgramRuns() {
  std::error_code Ignored;
  fs::remove_all(Folder, Ignored);
}

std::vector<std::string> ProgramRuns::environment(const RunTerms &Terms) const {
  // Regions are compiled after 2 ms instead of the default 20 ms, because tuning accepts compiles
  // that cost more than one run gains.
  std::vector<std::string> Variables = {"SPECRT_HOT=2"};
  for (char **E = environ; *E; ++E)
    if (std::string_view(*E).starts_with("SPECRT_HOT="))
      Variables.front() = *E;
    else if (const std::string Variable = *E;
             !Variable.starts_with("SPECRT_REPORT=") && !Variable.starts_with("SPECRT_DISABLE="))
      Variables.push_back(Variable);
  if (Terms.IsOriginal)
    Variables.emplace_back("SPECRT_DISABLE=1");
  if (Terms.IsReported)
    Variables.push_back("SPECRT_REPORT=" + ReportPath);
  return Variables;
}

pid_t ProgramRuns::start(const RunTerms &Terms) {
  FileActions Files;
  if (InputBegin < 0)
    Files.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  else
    lseek(STDIN_FILENO, InputBegin, SEEK_SET);
  if (!Terms.IsShown) {
    Files.open(STDOUT_FILENO, "/dev/null", O_WRONLY);
    Files.open(STDERR_FILENO, ErrorPath, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
  }
  std::vector<std::string> Arguments = Command, Variables = environment(Terms);
  pid_t Process = 0;
  const int Error = posix_spawnp(&Process, Command.front().c_str(), Files.get(), nullptr,
                                 pointers(Arguments).data(), pointers(Variables).data());
  if (Error != 0)
    throw CommandError(ExitUsage, fmt::format("{} cannot be started: {}",
                                              printable(Command.front()), std::strerror(Error)));
  return Process;
}

void ProgramRuns::throwFailure(int Status, const RunTerms &Terms) const {
  const std::string How = WIFEXITED(Status) ? fmt::format("exit status {}", WEXITSTATUS(Status))
                                            : fmt::format("signal {}, {}", WTERMSIG(Status),
                                                          sigdescr_np(WTERMSIG(Status)));
  const std::string Printed = Terms.IsShown ? "" : endOf(ErrorPath);
  throw CommandError(ExitNothing,
                     fmt::format("{} failed{}: {}{}", printable(Command.front()),
                                 Terms.IsOriginal ? " with SPECRT_DISABLE=1" : "", How,
                                 Printed.empty() ? ""
                                                 : "; the end of its standard error:\n" +
                                                       Printed.substr(0, Printed.size() - 1)));
}

double ProgramRuns::run(const RunTerms &Terms) {
  std::fflush(stdout); // the program may write to the same file
  std::error_code Ignored;
  fs::remove(ReportPath, Ignored);
  const auto Begin = std::chrono::steady_clock::now();
  const pid_t Process = start(Terms);
  Signals.setProgram(Process);
  // The process stays a zombie until no signal can be passed to it any more.
  siginfo_t Info{};
  while (waitid(P_PID, static_cast<id_t>(Process), &Info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
    continue;
  const std::chrono::duration<double> Seconds = std::chrono::steady_clock::now() - Begin;
  Signals.setProgram(0);
  int Status = 0;
  while (waitpid(Process, &Status, 0) < 0 && errno == EINTR)
    continue;
  if (Status != 0 && !Signals.happened())
    throwFailure(Status, Terms);
  return Seconds.count();
}

} // namespace specrt::tools
