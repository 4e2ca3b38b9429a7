//===- tests/e2e/harness.cpp - runs the story program and reads what it reports ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/e2e/harness.h"
#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace specrt::e2e {
namespace {

std::string readFile(const std::filesystem::path &Path) {
  std::ifstream In(Path, std::ios::binary);
  std::ostringstream Text;
  Text << In.rdbuf();
  return Text.str();
}

/// The environment of this process without any SPECRT_ variable, plus \p Extra, which comes instead
/// of what has the same name.
std::vector<std::string> environmentWith(const Environment &Extra) {
  std::vector<std::string> Result;
  for (char **E = environ; *E; ++E) {
    const std::string Variable = *E;
    if (!Variable.starts_with("SPECRT_") && !Extra.contains(Variable.substr(0, Variable.find('='))))
      Result.push_back(Variable);
  }
  for (const auto &[Name, Value] : Extra)
    Result.push_back(Name + "=" + Value);
  return Result;
}

std::vector<char *> pointers(std::vector<std::string> &Strings) {
  std::vector<char *> Result;
  for (std::string &S : Strings)
    Result.push_back(S.data());
  Result.push_back(nullptr);
  return Result;
}

int spawn(const std::string &Program, std::vector<std::string> Arguments, const Environment &Extra,
          const std::filesystem::path &Out, const std::filesystem::path &Err) {
  Arguments.insert(Arguments.begin(), Program);
  std::vector<std::string> Variables = environmentWith(Extra);
  std::vector<char *> Argv = pointers(Arguments), Envp = pointers(Variables);
  pid_t Child = fork();
  if (Child == 0) {
    dup2(open(Out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
    dup2(open(Err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
    // What the test's own parent left open counts against limits on files.
    close_range(3, ~0U, 0);
    execve(Program.c_str(), Argv.data(), Envp.data());
    _exit(127);
  }
  int Status = 0;
  waitpid(Child, &Status, 0);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status);
}

} // namespace

nlohmann::json Outcome::region(const std::string &Function) const {
  if (Report.is_object())
    for (const auto &Region : Report.value("regions", nlohmann::json::array()))
      if (Region.value("function", "") == Function)
        return Region;
  return nullptr;
}

Sandbox::Sandbox() {
  std::string Template = std::filesystem::temp_directory_path() / "specrt-e2e-XXXXXX";
  Root = mkdtemp(Template.data());
}

void removeFolder(const std::filesystem::path &Folder) {
  constexpr int MostTries = 100;
  constexpr useconds_t PauseUs = 20'000;
  std::error_code Problem;
  for (int Try = 0; Try < MostTries; ++Try) {
    std::filesystem::remove_all(Folder, Problem);
    if (!Problem)
      return;
    usleep(PauseUs);
  }
}

Sandbox::~Sandbox() { removeFolder(Root); }

Outcome Sandbox::run(const std::string &Program, const std::vector<std::string> &Arguments,
                     const Environment &Extra) const {
  static std::atomic<int> Runs{0};
  std::string Tag = std::to_string(++Runs);
  // Beside other tests idle priority would be none.
  Environment Variables = {{"SPECRT_CACHE_DIR", path("cache")},
                           {"SPECRT_COMPILE_PRIORITY", "normal"},
                           {"SPECRT_HOT", "2"}, // stories take 10 ms and more, on any processor
                           {"SPECRT_REPORT", path("report" + Tag + ".json")}};
  for (const auto &[Name, Value] : Extra)
    Variables[Name] = Value;
  Outcome Result;
  Result.Status = spawn(Program, Arguments, Variables, path("out" + Tag), path("err" + Tag));
  std::istringstream Lines(readFile(path("out" + Tag)));
  for (std::string Line; std::getline(Lines, Line);)
    (Line.rfind('#', 0) == 0 ? Result.Remarks : Result.Output) += Line + "\n";
  Result.Errors = readFile(path("err" + Tag));
  std::string Report = readFile(Variables["SPECRT_REPORT"]);
  Result.Report = nlohmann::json::parse(Report, nullptr, /*allow_exceptions=*/false);
  if (Result.Report.is_discarded())
    Result.Report = nullptr;
  return Result;
}

std::string Sandbox::write(const std::string &Name, const std::string &Text) const {
  std::ofstream(path(Name), std::ios::binary) << Text;
  return path(Name).string();
}

std::string Sandbox::read(const std::string &Name) const { return readFile(path(Name)); }

Outcome Sandbox::story(const std::string &Name, const Environment &Extra) const {
  return run(SPECRT_STORY, {Name}, Extra);
}

Outcome plainStory(const std::string &Name) { return Sandbox().run(SPECRT_STORY_PLAIN, {Name}); }

const Environment Synchronous = {{"SPECRT_COMPILE", "sync"}, {"SPECRT_HOT", "1"}};

void expectSame(const Outcome &With, const Outcome &Without) {
  EXPECT_EQ(With.Status, Without.Status) << With.Errors;
  EXPECT_EQ(With.Output, Without.Output) << With.Errors;
}

int compiles(const Outcome &O) {
  return O.Report.is_object() ? O.Report["counters"].value("compiles", -1) : -1;
}

unsigned versionsRan(const nlohmann::json &Region) {
  unsigned Ran = Region.value("trial_calls", 0L) > 0;
  for (const auto &Version : Region["versions"])
    Ran += Version.value("hits", 0L) > 0;
  // Of a candidate that lost its trial the report keeps the time it took.
  for (const auto &Lost : Region["retired"])
    Ran += Lost.value("hits", 0L) > 0 || Lost.value("ns", 0.0) > 0;
  if (Region.contains("on_stack_replacements"))
    for (const auto &Osr : Region["on_stack_replacements"])
      Ran += Osr.value("taken", false);
  return Ran;
}

unsigned versionsRan(const Outcome &O) {
  unsigned Ran = 0;
  if (O.Report.is_object())
    for (const auto &Region : O.Report["regions"])
      Ran += versionsRan(Region);
  return Ran;
}

} // namespace specrt::e2e
