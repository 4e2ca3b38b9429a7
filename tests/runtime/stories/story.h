//===- tests/runtime/stories/story.h - a scenario in a process of its own -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_RUNTIME_STORIES_STORY_H
#define SPECRT_TESTS_RUNTIME_STORIES_STORY_H

#include "tests/runtime/stories/processes.h"
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using Environment = std::map<std::string, std::string>;
struct Outcome {
  int Code = -1;
  std::string Output, Errors;
};

inline std::string readFile(const std::filesystem::path &Path) {
  std::ifstream In(Path);
  return {std::istreambuf_iterator<char>(In), {}};
}

class Story : public testing::Test {
protected:
  std::filesystem::path Box;

  void SetUp() override {
    std::string Pattern = (std::filesystem::temp_directory_path() / "specrt-test-XXXXXX").string();
    Box = mkdtemp(Pattern.data());
  }
  void TearDown() override {
    endServers();
    std::filesystem::remove_all(Box);
  }

  Outcome run(std::vector<std::string> Arguments, const Environment &Extra = {}) {
    std::filesystem::path Out = Box / "stdout", Err = Box / "stderr";
    pid_t Child = fork();
    if (Child == 0) {
      freopen(Out.c_str(), "w", stdout);
      freopen(Err.c_str(), "w", stderr);
      setenv("SPECRT_CACHE_DIR", (Box / "cache").c_str(), 1);
      setenv("SPECRT_REPORT", (Box / "report.json").c_str(), 1);
      // For what the host shares with the fake compiler.
      setenv("TMPDIR", Box.c_str(), 1);
      // Beside other tests idle priority would be none.
      setenv("SPECRT_COMPILE_PRIORITY", "normal", 1);
      // Scenarios call regions for 10 ms and more, on any processor.
      setenv("SPECRT_HOT", "2", 1);
      // A child that starts its own worker is what we test.
      setenv("TSAN_OPTIONS", "die_after_fork=0", 0);
      for (const auto &[Name, Value] : Extra)
        setenv(Name.c_str(), Value.c_str(), 1);
      std::vector<char *> Argv = {const_cast<char *>(HOST_PROGRAM)};
      for (std::string &Argument : Arguments)
        Argv.push_back(Argument.data());
      Argv.push_back(nullptr);
      execv(Argv[0], Argv.data());
      _exit(127);
    }
    int Status = 0;
    waitpid(Child, &Status, 0);
    Outcome O;
    O.Code = WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status);
    O.Output = readFile(Out);
    O.Errors = readFile(Err);
    return O;
  }

  /// Runs a scenario that must succeed silently.
  void play(const std::string &Scenario, const Environment &Extra = {}) {
    Outcome O = run({Scenario}, Extra);
    EXPECT_EQ(O.Code, 0) << O.Errors;
    EXPECT_EQ(O.Errors, "");
  }

  /// Ends what still compiles for programs that have ended.
  void endServers() {
    for (const pid_t Server : serversIn(Box / "cache")) {
      kill(Server, SIGKILL);
      EXPECT_TRUE(endsSoon(Server));
    }
  }
  /// Removes what earlier runs compiled, but not what they learned.
  void forgetVersions() {
    endServers();
    std::filesystem::remove_all(Box / "cache" / "versions");
  }
  void forgetAll() {
    endServers();
    std::filesystem::remove_all(Box / "cache");
  }

  nlohmann::json report() { return nlohmann::json::parse(readFile(Box / "report.json")); }
  /// The one that is called so; null after a failure.
  nlohmann::json onlyRegion(const std::string &Name) {
    const nlohmann::json Report = report();
    nlohmann::json Found;
    int Count = 0;
    for (const nlohmann::json &Region : Report["regions"])
      if (Region["name"] == Name && ++Count == 1)
        Found = Region;
    EXPECT_EQ(Count, 1) << "regions called " << Name;
    return Found;
  }
};

#endif
