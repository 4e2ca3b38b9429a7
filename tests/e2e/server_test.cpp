//===- tests/e2e/server_test.cpp - programs and the server that compiles for them ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/store_file.h"
#include "tests/e2e/warm_cache.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <set>
#include <thread>
#include <unistd.h>

using namespace specrt::e2e;
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr auto Moment = std::chrono::milliseconds(5);

/// The processes of servers for this sandbox's cache, those that compile among them.
std::set<pid_t> serversOf(const Sandbox &Box) {
  std::set<pid_t> Found;
  const std::string Cache = Box.path("cache");
  std::error_code Ignored;
  for (const auto &Entry : fs::directory_iterator("/proc", Ignored)) {
    const std::string Name = Entry.path().filename();
    if (Name.find_first_not_of("0123456789") != std::string::npos)
      continue;
    // A process may be gone by now, which a stream would throw for.
    const specrt::Descriptor File(open((Entry.path() / "cmdline").c_str(), O_RDONLY | O_CLOEXEC));
    char Words[4096];
    const ssize_t Size = read(File.get(), Words, sizeof(Words));
    const std::string Line(Words, static_cast<size_t>(std::max<ssize_t>(Size, 0)));
    if (Line.find("specrt-server") != std::string::npos && Line.find(Cache) != std::string::npos)
      Found.insert(std::atoi(Name.c_str()));
  }
  return Found;
}

/// Waits for at most so many seconds until there are no servers.
bool haveEnded(const Sandbox &Box, int Seconds) {
  const auto Until = std::chrono::steady_clock::now() + std::chrono::seconds(Seconds);
  while (!serversOf(Box).empty() && std::chrono::steady_clock::now() < Until)
    std::this_thread::sleep_for(Moment);
  return serversOf(Box).empty();
}

/// Does something to all servers of a sandbox, again and again, while it exists.
class Disturbance {
public:
  Disturbance(const Sandbox &Box, std::chrono::milliseconds Pause, int Signal)
      : Doing([this, &Box, Pause, Signal] {
          while (!Stop) {
            std::this_thread::sleep_for(Pause);
            for (const pid_t Server : serversOf(Box))
              Sent += kill(Server, Signal) == 0;
          }
        }) {}
  ~Disturbance() {
    Stop = true;
    Doing.join();
  }
  int sent() const { return Sent; }

private:
  std::atomic<bool> Stop{false};
  std::atomic<int> Sent{0};
  std::thread Doing;
};

TEST(Server, CompilesOutsideOfTheProgram) {
  Sandbox Box;
  const Outcome Run = Box.story("steady", Synchronous);
  expectSame(Run, plainStory("steady"));
  EXPECT_GT(versionsRan(Run), 0U);
  EXPECT_THAT(Run.Remarks, HasSubstr("llvm=0 jit=0"));
  EXPECT_FALSE(serversOf(Box).empty()) << "it waits for other programs";
}

TEST(Server, EndsWithoutWork) {
  Sandbox Box;
  Box.story("steady", Synchronous);
  EXPECT_FALSE(serversOf(Box).empty());
  EXPECT_TRUE(haveEnded(Box, 30));
  for (const auto &Entry : fs::directory_iterator(Box.path("cache")))
    EXPECT_FALSE(Entry.is_socket()) << Entry.path();
  const Outcome Next = Box.story("steady", Synchronous);
  EXPECT_THAT(Next.Errors, IsEmpty()) << "another one is started where one is needed";
}

TEST(Server, EndsWhenNobodyFindsItAnyMore) {
  Sandbox Box;
  Box.story("steady", Synchronous);
  EXPECT_FALSE(serversOf(Box).empty());
  removeFolder(Box.path("cache"));
  EXPECT_TRUE(haveEnded(Box, 5));
}

TEST(Server, ServesAProgramThatKeepsNothing) {
  Sandbox Box;
  Environment Nothing = Synchronous;
  Nothing["SPECRT_PROFILE"] = "off";
  const Outcome Run = Box.story("steady", Nothing);
  expectSame(Run, plainStory("steady"));
  EXPECT_GT(versionsRan(Run), 0U);
  EXPECT_FALSE(fs::exists(Box.path("cache")));
}

/// A program of one call of 0.1 s is over before its version is compiled.
TEST(Server, GoesOnWhenTheProgramHasEnded) {
  Sandbox Box;
  const Outcome Plain = plainStory("exit-during-compile");
  const Environment Soon = {
      {"SPECRT_HOT", "0"}, {"STORY_AFTER_REQUEST", "1"}, {"STORY_DELAY_MS", "20"}};
  expectSame(Box.story("exit-during-compile", Soon), Plain);
  EXPECT_LT(versionsIn(Box).size(), 3U) << "the program has waited for all of them";
  const auto Until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (versionsIn(Box).size() < 3 && std::chrono::steady_clock::now() < Until)
    std::this_thread::sleep_for(Moment);
  EXPECT_GE(versionsIn(Box).size(), 3U) << "candidates and their index";
}

/// Runs the story "large", some 0.3 s of calls, until the runs together have taken SPECRT_HOT.
TEST(Server, CompilesForShortProgramsWhenTheyHaveEnded) {
  Sandbox Box;
  const Outcome Plain = plainStory("large");
  const Environment Short = {{"SPECRT_HOT", "1000"}, {"SPECRT_COMPILE_PRIORITY", "idle"}};
  constexpr int MaxRuns = 50;
  int Runs = 0;
  const auto IsDeferred = [](const nlohmann::json &Region) {
    return Region.is_object() && Region.value("reason", "") == "is compiled after the run";
  };
  for (bool Deferred = false; !Deferred && Runs < MaxRuns; ++Runs) {
    EXPECT_TRUE(serversOf(Box).empty()) << "nothing was worth it so far";
    const Outcome Run = Box.story("large", Short);
    expectSame(Run, Plain);
    ASSERT_EQ(compiles(Run), 0) << "a compile beside the program";
    Deferred = IsDeferred(Run.region("product"));
  }
  EXPECT_GT(Runs, 1);
  ASSERT_LT(Runs, MaxRuns);
  EXPECT_FALSE(serversOf(Box).empty());
  EXPECT_TRUE(haveEnded(Box, 60)) << "ten seconds after the compile";
  const Outcome Next = Box.story("large", Synchronous);
  expectSame(Next, Plain);
  EXPECT_EQ(compiles(Next), 0) << "all candidates are in the store";
  EXPECT_GT(versionsRan(Next), 0U);
}

TEST(Server, CompilesNothingAfterwardsUnlessItMay) {
  Sandbox Box;
  const Environment Short = {
      {"SPECRT_HOT", "1000"}, {"SPECRT_AFTER_EXIT_MS", "0"}, {"SPECRT_COMPILE_PRIORITY", "idle"}};
  constexpr int EnoughRuns = 10; // of at least 0.15 s each
  for (int Run = 0; Run < EnoughRuns; ++Run)
    EXPECT_EQ(compiles(Box.story("large", Short)), 0);
  EXPECT_TRUE(serversOf(Box).empty());
  EXPECT_TRUE(versionsIn(Box).empty());
}

TEST(Server, ForgetsWhatItIsAskedToForget) {
  Sandbox Box;
  const Environment Soon = {{"SPECRT_HOT", "0"},
                            {"STORY_AFTER_REQUEST", "1"},
                            {"STORY_DELAY_MS", "20"},
                            {"SPECRT_AFTER_EXIT_MS", "0"}};
  EXPECT_GE(compiles(Box.story("exit-during-compile", Soon)), 1);
  EXPECT_TRUE(haveEnded(Box, 30));
  EXPECT_TRUE(versionsIn(Box).empty());
}

TEST(Server, MayBeKilledAtAnyTime) {
  const Outcome Plain = plainStory("steady");
  int Sent = 0;
  for (const int PauseMs : {1, 20, 60, 150}) {
    Sandbox Box;
    Outcome Run;
    {
      const Disturbance Kills(Box, std::chrono::milliseconds(PauseMs), SIGKILL);
      Run = Box.story("steady", {{"SPECRT_HOT", "0"}, {"SPECRT_COMPILE_PRIORITY", "normal"}});
      Sent += Kills.sent();
    }
    expectSame(Run, Plain);
    const Outcome Next = Box.story("steady", Synchronous);
    expectSame(Next, Plain);
    EXPECT_GT(versionsRan(Next), 0U) << Next.Errors;
  }
  EXPECT_GT(Sent, 0);
}

/// As by a debugger, or on a machine that has no time for it.
TEST(Server, ThatIsStoppedDelaysNoExit) {
  Sandbox Box;
  const Disturbance Stops(Box, Moment, SIGSTOP);
  const auto Begin = std::chrono::steady_clock::now();
  expectSame(Box.story("exit-during-compile", {{"SPECRT_HOT", "0"}, {"STORY_DELAY_MS", "100"}}),
             plainStory("exit-during-compile"));
  EXPECT_LT(std::chrono::steady_clock::now() - Begin, std::chrono::seconds(4));
  EXPECT_GT(Stops.sent(), 0);
  for (const pid_t Server : serversOf(Box)) // which would stay stopped for ever
    kill(Server, SIGKILL);
}

TEST(Server, MayBeStopped) {
  Sandbox Box;
  {
    const Disturbance Stops(Box, Moment, SIGSTOP);
    const auto Begin = std::chrono::steady_clock::now();
    Environment Patient = Synchronous;
    Patient["SPECRT_COMPILE_BUDGET_MS"] = "60000";
    const Outcome Run = Box.story("steady", Patient);
    expectSame(Run, plainStory("steady"));
    EXPECT_EQ(versionsRan(Run), 0U);
    EXPECT_THAT(Run.region("product")["reason"].get<std::string>(), HasSubstr("did not answer"));
    EXPECT_LT(std::chrono::steady_clock::now() - Begin, std::chrono::seconds(40));
    EXPECT_GT(Stops.sent(), 0);
  }
  for (const pid_t Server : serversOf(Box))
    kill(Server, SIGKILL);
  const Outcome Next = Box.story("steady", Synchronous);
  EXPECT_GT(versionsRan(Next), 0U) << "it was not the region's fault";
}

TEST(Server, ThatIsMissingCostsOneLine) {
  Sandbox Box;
  const fs::path From = fs::path(SPECRT_LIBRARY).parent_path();
  fs::create_directories(Box.path("lib"));
  for (const char *Name : {"libspecrt.so.0", "libspecrt-jit.so"})
    fs::copy(From / Name, Box.path("lib") / Name);
  Environment There = Synchronous;
  There["LD_LIBRARY_PATH"] = Box.path("lib");
  const Outcome Run = Box.story("steady", There);
  expectSame(Run, plainStory("steady"));
  EXPECT_THAT(Run.Errors, HasSubstr("specrt-server cannot be started"));
  EXPECT_EQ(std::count(Run.Errors.begin(), Run.Errors.end(), '\n'), 1) << Run.Errors;
}

} // namespace
