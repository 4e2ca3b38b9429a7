//===- tests/e2e/cache_processes_test.cpp - one cache for many processes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/e2e/warm_cache.h"
#include <csignal>
#include <gmock/gmock.h>
#include <regex>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace specrt::e2e;
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// Runs that may be spent on others than the best known candidate: TrialRecord::MaxAttempts.
constexpr int MaxAttempts = 16;

/// Everything that exists was measured, or what is in use is good enough, or later runs have tried
/// often enough.
bool isDecided(const nlohmann::json &Decision) {
  if (Decision["outcome"] == "won" &&
      Decision["original_ns"].get<double>() >= 3 * Decision["candidate_ns"].get<double>())
    return true;
  if (Decision["trials"]["attempts"] == MaxAttempts)
    return true;
  for (const auto &Candidate : Decision["trials"]["candidates"])
    if (Candidate["ns"] == 0)
      return false;
  return Decision["trials"]["complete"];
}

TEST(Cache, AProgramThatCallsItsKernelOncePerRunFindsTheBestCandidate) {
  Sandbox Box;
  Outcome Plain = Sandbox().run(SPECRT_TWO_KERNELS_PLAIN, {"once"});
  int Runs = 0;
  nlohmann::json Decision;
  // Every third run is an attempt; the first ones make the decision.
  while (Runs < 3 * (MaxAttempts + 1) && (Decision.is_null() || !isDecided(Decision))) {
    // On a busy machine compiles get no processor otherwise, and threads are timed by the wall.
    Outcome O = Box.run(SPECRT_TWO_KERNELS, {"once"},
                        {{"SPECRT_COMPILE_PRIORITY", "normal"}, {"SPECRT_THREADS", "1"}});
    expectSame(O, Plain);
    EXPECT_THAT(O.Errors, IsEmpty());
    ++Runs;
    nlohmann::json Known = profileOf(Box, "transposed");
    ASSERT_TRUE(Known.is_object());
    if (!Known["decisions"].empty()) {
      Decision = Known["decisions"][0];
      EXPECT_LE(Decision["trials"]["attempts"].get<int>(), (Runs + 2) / 3);
    }
  }
  ASSERT_TRUE(Decision.is_object() && isDecided(Decision)) << Decision.dump(1);
  // What is used from now on is the best that was seen, but for the 5 % either way by which single
  // calls scatter.
  bool Won = Decision["outcome"] == "won";
  double Used = Decision[Won ? "candidate_ns" : "original_ns"];
  for (const auto &Candidate : Decision["trials"]["candidates"])
    if (Candidate["ns"] > 0) {
      EXPECT_GE(Candidate["ns"].get<double>(), 0.9 * Used) << Decision.dump(1);
    }
}

TEST(Cache, ForksAtEveryStageLeaveAGoodCache) {
  Sandbox Box;
  Outcome Plain = Sandbox().run(SPECRT_TWO_KERNELS_PLAIN, {"fork"});
  Outcome First = Box.run(SPECRT_TWO_KERNELS, {"fork"}, {{"SPECRT_HOT", "0.1"}});
  expectSame(First, Plain);
  EXPECT_THAT(First.Errors, IsEmpty());
  EXPECT_GE(compiles(First), 1) << "forks met compiles";
  Outcome Second = Box.run(SPECRT_TWO_KERNELS, {}, Synchronous);
  EXPECT_THAT(Second.Errors, IsEmpty());
  EXPECT_EQ(Second.region("product")["versions"][0]["from_cache"], true);
}

/// How often a test is repeated that looks for rare interleavings.
int repetitions(int Usual) {
  const char *Asked = std::getenv("STRESS_REPETITIONS");
  return Asked ? std::atoi(Asked) : Usual;
}

TEST(Cache, SixteenColdProcessesCompileOnce) {
  Outcome Plain = plainStory("steady");
  for (int Round = 0; Round < repetitions(2); ++Round) {
    Sandbox Box;
    std::vector<Outcome> Outcomes(16);
    std::vector<std::thread> Processes;
    for (Outcome &O : Outcomes)
      Processes.emplace_back([&] { O = Box.story("steady", {{"SPECRT_LOG", "debug"}}); });
    for (std::thread &P : Processes)
      P.join();
    // How long compiles for its one plan took: different numbers are different compiles. Some
    // processes have found the first of the candidates in the cache already.
    const std::regex Line("product:[0-9]+: [0-9]+ candidates for .* in ([0-9.]+) ms");
    std::set<std::string> Compiles;
    for (const Outcome &O : Outcomes) {
      expectSame(O, Plain);
      if (std::smatch Found; std::regex_search(O.Errors, Found, Line))
        Compiles.insert(Found[1]);
    }
    EXPECT_FALSE(versionsIn(Box).empty());
    EXPECT_THAT(Compiles, testing::SizeIs(1)) << "in round " << Round;
    expectSame(Box.story("steady"), Plain);
  }
}

TEST(Cache, ProcessesKilledAtRandomLeaveAGoodCache) {
  Outcome Plain = plainStory("steady");
  Sandbox Box;
  for (int Round = 0; Round < repetitions(12); ++Round) {
    pid_t Child = fork();
    if (Child == 0) {
      setenv("SPECRT_CACHE_DIR", Box.path("cache").c_str(), 1);
      setenv("SPECRT_COMPILE", "sync", 1);
      setenv("SPECRT_HOT", "1", 1);
      if (!freopen("/dev/null", "w", stdout))
        _exit(126);
      execl(SPECRT_STORY, SPECRT_STORY, "steady", nullptr);
      _exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + 37 * Round % 400));
    kill(Child, SIGKILL);
    waitpid(Child, nullptr, 0);
    Outcome Next = Box.story("steady", Synchronous);
    expectSame(Next, Plain);
    EXPECT_THAT(Next.Errors, IsEmpty());
    if (Round % 3 == 2)
      removeFolder(Box.path("cache/versions"));
  }
}

} // namespace
