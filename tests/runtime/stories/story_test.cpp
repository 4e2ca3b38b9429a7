//===- tests/runtime/stories/story_test.cpp - runs each scenario in a process -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each test starts the host program with an environment of its own and looks at exit code, output
// and report; what happens inside is checked by the scenario itself.
//
//===----------------------------------------------------------------------===//
#include "tests/runtime/stories/story.h"

#include <chrono>
#include <gmock/gmock.h>
#include <sstream>
#include <sys/stat.h>

namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
namespace fs = std::filesystem;

/// The process that a scenario has printed.
pid_t compilerOf(const Outcome &O) {
  const pid_t Process = std::atoi(O.Output.c_str());
  EXPECT_GT(Process, 0) << O.Output;
  return Process;
}

TEST_F(Story, AColdRegionCostsNothing) {
  play("cold");
  EXPECT_EQ(report()["counters"]["compiles"], 0);
  EXPECT_EQ(report()["counters"]["compiler_asked"], false);
}

TEST_F(Story, TheFasterCandidateIsPublished) {
  play("winner");
  auto Region = report()["regions"][0];
  EXPECT_EQ(Region["name"], "main:7");
  EXPECT_EQ(Region["file"], "loop.c");
  EXPECT_EQ(Region["line"], 7);
  EXPECT_EQ(Region["state"], "specialised");
  auto Version = Region["versions"][0];
  EXPECT_EQ(Version["candidate"], "source-order");
  EXPECT_EQ(Version["guards"][0], "n == 5");
  EXPECT_GE(Version["hits"], 150);
  EXPECT_GT(Version["original_ns"], Version["ns"]);
  EXPECT_EQ(Region["retired"][0]["candidate"], "constants");
  EXPECT_EQ(Region["causes"][0]["kind"], "alias");
  EXPECT_EQ(Region["causes"][0]["line"], 7);
  EXPECT_EQ(Region["notes"], "a fake was not built\n");
  EXPECT_EQ(Region["note_codes"], nlohmann::json::array({"budget"}));
  EXPECT_THAT(Region["notes_advice"][0].get<std::string>(), HasSubstr("SPECRT_COMPILE_BUDGET_MS"));
  EXPECT_EQ(Region["arguments"][0]["name"], "n");
  EXPECT_EQ(Region["arguments"][0]["values"][0]["value"], "5");
  EXPECT_EQ(report()["counters"]["compiles"], 1);
}

TEST_F(Story, ASlowerCandidateIsRetired) {
  play("loser");
  auto Region = report()["regions"][0];
  EXPECT_EQ(Region["state"], "retired");
  EXPECT_THAT(Region["reason"].get<std::string>(), HasSubstr("does not pay"));
  EXPECT_TRUE(Region["versions"].empty());
}

TEST_F(Story, ARunningCallChangesOver) {
  play("osr");
  const auto Region = onlyRegion("rows:7");
  ASSERT_FALSE(Region.is_null());
  // On a busy machine an earlier one may have come too late.
  auto Osr = Region["on_stack_replacements"].back();
  EXPECT_EQ(Osr["candidate"], "contraction");
  EXPECT_EQ(Osr["taken"], true);
  EXPECT_EQ(Osr["iterations"], 10000);
  EXPECT_EQ(Osr["guards"][0], "n == 10000");
  EXPECT_GT(Osr["before_ns"], 0);
  // The profile keeps what the original would have needed.
  EXPECT_GT(Region["original_ns"].get<double>(),
            Osr["before_ns"].get<double>() + Osr["ns"].get<double>());
}
TEST_F(Story, ACallChangesOverThoughAVersionForWholeCallsComesFirst) {
  // No run finds a version for whole calls at its start.
  for (const char *Scenario : {"osr", "osr", "osr-after-another"}) {
    play(Scenario);
    forgetVersions();
  }
}
TEST_F(Story, AVersionThatComesTooLateIsMadeOnceMore) { play("osr-late"); }
TEST_F(Story, ACandidateThatIsFastInTheProbeDoesTheRest) {
  play("osr-fast-probe", {{"SPECRT_COMPILE", "sync"}});
  const auto Taken = onlyRegion("rows:7")["on_stack_replacements"];
  ASSERT_EQ(Taken.size(), 1u);
  EXPECT_EQ(Taken[0]["was_slow"], false);
}
TEST_F(Story, ACandidateThatIsSlowInTheProbeDoesNotDoTheRest) {
  play("osr-slow-probe", {{"SPECRT_COMPILE", "sync"}});
  const auto Region = onlyRegion("rows:7");
  ASSERT_EQ(Region["on_stack_replacements"].size(), 1u);
  EXPECT_EQ(Region["on_stack_replacements"][0]["was_slow"], true);
  ASSERT_EQ(Region["retired"].size(), 1u);
  EXPECT_EQ(Region["retired"][0]["reason"], "slower than the original in the rest of a call");
}
TEST_F(Story, ARunningCallThatMissesTheGuardsGoesOn) { play("osr-guarded"); }
TEST_F(Story, OnlyPromisingCandidatesTakeOver) { play("osr-unpromising"); }
TEST_F(Story, CallsThatEndSoonAreLeftAlone) { play("osr-too-short"); }
TEST_F(Story, CallsThatDoNotChangeOverServeTheNextRun) { play("osr-next-run"); }
TEST_F(Story, TheNextRunFindsWhatOneWasTooShortFor) {
  Outcome O = run({"osr-too-soon"});
  ASSERT_EQ(O.Code, 0) << O.Errors;
  ASSERT_TRUE(endsSoon(compilerOf(O)));
  play("osr-whole-call");
}
TEST_F(Story, OtherThreadsGoOnWithTheirSizes) { play("osr-threads"); }
TEST_F(Story, FurtherCallsGetVersionsOfTheirOwn) { play("osr-again"); }
TEST_F(Story, AnOriginalThatIsTimedIsNotHandedOver) {
  play("osr-in-trial", {{"SPECRT_COMPILE", "sync"}});
}
TEST_F(Story, TheNextRunBeginsWithAnotherCandidate) {
  nlohmann::json Retired;
  // On a busy machine the original may have taken longer.
  for (int Try = 0; Try < 5 && Retired.empty(); ++Try) {
    forgetAll();
    play("osr-slower");
    const auto Region = onlyRegion("rows:7");
    ASSERT_FALSE(Region.is_null());
    Retired = Region["retired"];
  }
  ASSERT_FALSE(Retired.empty());
  EXPECT_EQ(Retired[0]["reason"], "slower than the original in the rest of a call");
  play("osr-after-slower");
}
TEST_F(Story, AForkWhileARunningCallWaitsForItsVersion) { play("osr-fork"); }
TEST_F(Story, AGuardMissRunsTheOriginal) { play("guard-miss"); }
TEST_F(Story, NewValuesGetTheirVersion) { play("new-values"); }
TEST_F(Story, NewValuesGetTheirVersionHoweverSoonRegionsAreHot) {
  play("new-values", {{"SPECRT_HOT", "0"}});
}
TEST_F(Story, TheLeastUsefulVersionIsReplaced) {
  play("replacement", {{"SPECRT_MAX_VERSIONS", "2"}});
}
TEST_F(Story, AVersionThatStopsPayingIsRetired) { play("retire"); }
TEST_F(Story, EachBodyHasGuardsOfItsOwn) {
  play("own-guards");
  auto Guards = report()["regions"][0]["versions"][0]["guards"];
  ASSERT_EQ(Guards.size(), 4u);
  EXPECT_EQ(Guards[0], "n == 5");
  EXPECT_EQ(Guards[3], "-2 <= n <= 9223372036854775807");
}
TEST_F(Story, SlowGuardsDoNotPay) { play("slow-guards"); }
TEST_F(Story, GuardsCostWhatTheirCodeTakes) { play("many-guards"); }
TEST_F(Story, GuardsThatNeverHoldAreNamed) { play("impossible-guards"); }
TEST_F(Story, ValuesThatNeverCameBackAreForgotten) { play("moved-on"); }
TEST_F(Story, TheFirstCallDoesNotDecideForTheOthers) {
  play("first-is-special", {{"SPECRT_HOT", "20"}});
  const std::string Timeline = report()["regions"][0]["timeline"].dump();
  EXPECT_EQ(Timeline.find("trial-begin"), Timeline.rfind("trial-begin")) << Timeline;
}
TEST_F(Story, ATrialThatFewLongCallsMissIsGivenUp) {
  play("first-is-tried", {{"SPECRT_HOT", "20"}, {"SPECRT_COMPILE", "sync"}});
}
TEST_F(Story, VaryingSizesAreCompared) { play("varying"); }

TEST_F(Story, EveryCallIsInTheFiguresOnce) {
  auto SinceVersions = [](const nlohmann::json &Region) {
    return Region["hits"].get<uint64_t>() + Region["misses"].get<uint64_t>() +
           Region["trial_calls"].get<uint64_t>();
  };
  for (const char *Mode : {"background", "sync"}) {
    Outcome O = run({"figures", Box / "before.json"}, {{"SPECRT_COMPILE", Mode}});
    ASSERT_EQ(O.Code, 0) << O.Errors;
    uint64_t Fast = 0, Original = 0;
    std::istringstream(O.Output) >> Fast >> Original;
    auto Before = nlohmann::json::parse(readFile(Box / "before.json"))["regions"][0];
    auto After = report()["regions"][0];
    EXPECT_EQ(After["calls"], Fast + Original) << After.dump(1);
    EXPECT_EQ(After["calls"].get<uint64_t>() - Before["calls"].get<uint64_t>(), 400u);
    // Whatever is tried, or taken out, meanwhile.
    EXPECT_EQ(SinceVersions(After) - SinceVersions(Before), 400u) << After.dump(1);
    EXPECT_GE(After["hits"].get<uint64_t>() + After["trial_calls"].get<uint64_t>(), Fast);
    forgetAll();
  }
}
TEST_F(Story, SyncWaitsForTheVersions) { play("sync", {{"SPECRT_COMPILE", "sync"}}); }
TEST_F(Story, BackgroundDoesNotWait) { play("background"); }
TEST_F(Story, WhatNobodyWaitsForIsCompiledWithIdlePriority) {
  play("idle-priority", {{"SPECRT_COMPILE_PRIORITY", "idle"}});
}
TEST_F(Story, WhatACallWaitsForIsNot) {
  play("awaited", {{"SPECRT_COMPILE", "sync"}, {"SPECRT_COMPILE_PRIORITY", "idle"}});
}
TEST_F(Story, ACompileThatGetsNoProcessorIsNotGivenUp) {
  play("starved", {{"SPECRT_COMPILE_BUDGET_MS", "300"}, {"SPECRT_COMPILE_PRIORITY", "idle"}});
}
TEST_F(Story, SyncEndsWithItsBudget) {
  play("sync-budget", {{"SPECRT_COMPILE", "sync"}, {"SPECRT_COMPILE_BUDGET_MS", "100"}});
}
TEST_F(Story, CompilingOffNeverLoadsTheCompiler) {
  play("off", {{"SPECRT_COMPILE", "off"}});
  EXPECT_EQ(report()["regions"][0]["state"], "retired");
}

TEST_F(Story, DisabledDoesNothing) {
  play("disabled", {{"SPECRT_DISABLE", "1"}});
  EXPECT_FALSE(fs::exists(Box / "cache"));
  EXPECT_FALSE(fs::exists(Box / "report.json"));
}

TEST_F(Story, AMissingCompilerIsOneWarning) {
  Outcome O = run({"blocked"}, {{"LD_LIBRARY_PATH", FOLDER_WITHOUT_JIT}});
  EXPECT_EQ(O.Code, 0) << O.Errors;
  EXPECT_THAT(O.Output, HasSubstr("compiler not available"));
  EXPECT_THAT(O.Errors, HasSubstr("libspecrt-jit.so"));
  EXPECT_EQ(std::count(O.Errors.begin(), O.Errors.end(), '\n'), 1) << O.Errors;
}

TEST_F(Story, AMissingServerIsOneWarning) {
  Outcome O = run({"blocked"}, {{"LD_LIBRARY_PATH", FOLDER_WITHOUT_SERVER}});
  EXPECT_EQ(O.Code, 0) << O.Errors;
  EXPECT_THAT(O.Output, HasSubstr("compiler not available"));
  EXPECT_THAT(O.Errors, HasSubstr("specrt-server"));
  EXPECT_EQ(std::count(O.Errors.begin(), O.Errors.end(), '\n'), 1) << O.Errors;
}

TEST_F(Story, ACompilerThatDoesNotStartIsOneWarning) {
  Outcome O = run({"blocked"}, {{"LD_LIBRARY_PATH", FOLDER_WITH_START_ERROR}});
  EXPECT_EQ(O.Code, 0) << O.Errors;
  EXPECT_THAT(O.Output, HasSubstr("compiler not available"));
  EXPECT_THAT(O.Errors, HasSubstr("this processor is not supported"));
  EXPECT_EQ(std::count(O.Errors.begin(), O.Errors.end(), '\n'), 1) << O.Errors;
}

TEST_F(Story, ACompilerThatCrashesBlocksTheRegion) {
  Outcome O = run({"crash"});
  EXPECT_EQ(O.Code, 0) << O.Errors;
  EXPECT_THAT(O.Output, HasSubstr("crash"));
  EXPECT_THAT(O.Errors, HasSubstr("main:7"));
  EXPECT_EQ(std::count(O.Errors.begin(), O.Errors.end(), '\n'), 1) << O.Errors;
  EXPECT_EQ(onlyRegion("main:7")["state"], "blocked");
  EXPECT_EQ(onlyRegion("another:7")["state"], "specialised");
}

TEST_F(Story, AnotherServerFollowsOneThatWasKilled) { play("server-killed"); }

TEST_F(Story, AServerEndsWithItsCache) {
  play("winner");
  const std::vector<pid_t> Servers = serversIn(Box / "cache");
  ASSERT_FALSE(Servers.empty());
  fs::remove_all(Box / "cache");
  for (const pid_t Server : Servers)
    EXPECT_TRUE(endsWithin(6, Server)) << "without its cache it does not wait for ten seconds";
}

TEST_F(Story, ACompileErrorBlocksTheRegion) {
  Outcome O = run({"jit-error"});
  EXPECT_EQ(O.Code, 0) << O.Errors;
  EXPECT_THAT(O.Output, HasSubstr("the bitcode is damaged"));
  EXPECT_THAT(O.Errors, IsEmpty());
}

TEST_F(Story, ACompileThatNeverEndsIsGivenUpForEver) {
  for (const char *Mode : {"background", "sync"}) {
    SCOPED_TRACE(Mode);
    Environment Settings = {{"SPECRT_COMPILE", Mode}, {"SPECRT_COMPILE_BUDGET_MS", "100"}};
    auto Begin = std::chrono::steady_clock::now();
    Outcome O = run({"never-returns"}, Settings);
    // Four times the budget and a second, and no more for the other region and the child.
    EXPECT_LT(std::chrono::steady_clock::now() - Begin, std::chrono::seconds(6));
    EXPECT_EQ(O.Code, 0) << O.Errors;
    EXPECT_THAT(O.Output, HasSubstr("its compilation did not end"));
    EXPECT_EQ(std::count(O.Errors.begin(), O.Errors.end(), '\n'), 1) << O.Errors;
    EXPECT_EQ(onlyRegion("main:7")["state"], "blocked");
    EXPECT_EQ(onlyRegion("another:7")["state"], "specialised");
    Outcome Next = run({"never-again"}, Settings);
    EXPECT_EQ(Next.Code, 0) << Next.Errors;
    EXPECT_THAT(Next.Output, HasSubstr("its compilation did not end"));
    forgetAll();
  }
}

TEST_F(Story, OptionsCanBeSetBeforeTheFirstCall) { play("configure"); }

TEST_F(Story, EachUnknownOptionIsOneWarning) {
  Outcome O =
      run({"options"},
          {{"SPECRT_COMPILE", "sometimes"}, {"SPECRT_HTO", "3"}, {"SPECRT_REPORT", "report.txt"}});
  EXPECT_EQ(O.Code, 0) << O.Errors;
  EXPECT_THAT(O.Errors, HasSubstr("SPECRT_COMPILE=sometimes"));
  EXPECT_THAT(O.Errors, HasSubstr("background, sync or off"));
  EXPECT_THAT(O.Errors, HasSubstr("SPECRT_HOT"));
  EXPECT_THAT(O.Errors, HasSubstr(".json or .html"));
  EXPECT_EQ(std::count(O.Errors.begin(), O.Errors.end(), '\n'), 3) << O.Errors;
}

TEST_F(Story, AReportThatCannotBeWrittenIsOneWarning) {
  Outcome O = run({"cold"}, {{"SPECRT_REPORT", "/proc/no/such/report.json"}});
  EXPECT_EQ(O.Code, 0);
  EXPECT_EQ(std::count(O.Errors.begin(), O.Errors.end(), '\n'), 1) << O.Errors;
}

TEST_F(Story, InfoPrintsASummary) {
  Outcome O = run({"winner"}, {{"SPECRT_LOG", "info"}});
  EXPECT_EQ(O.Code, 0) << O.Errors;
  EXPECT_THAT(O.Errors, HasSubstr("versions"));
  EXPECT_THAT(O.Errors, HasSubstr("main:7"));
  EXPECT_THAT(O.Errors, HasSubstr("specialised"));
}

// What the parent's worker had on its stack is lost in the child; that is not a leak to report.
const Environment NoLeakCheck = {{"ASAN_OPTIONS", "detect_leaks=0"}};
TEST_F(Story, AForkedChildLearnsByItself) { play("fork-before", NoLeakCheck); }
TEST_F(Story, AForkedChildUsesWhatIsPublished) { play("fork-after", NoLeakCheck); }
TEST_F(Story, AChildForkedDuringACompileCompilesOtherRegions) { play("fork-during", NoLeakCheck); }

constexpr const char *WaysToExit[] = {"exit", "quick_exit", "_exit"};

TEST_F(Story, ExitDuringACompileKeepsTheExitCode) {
  for (const char *How : WaysToExit) {
    Outcome O = run({"exit-during", How, "60000"});
    EXPECT_EQ(O.Code, 7) << How << ": " << O.Errors;
    EXPECT_THAT(O.Errors, IsEmpty());
    // The next one must not share the compile, which goes on.
    forgetAll();
  }
}

TEST_F(Story, ACompileServesTheNextRunWhenItsProgramHasEnded) {
  for (const char *How : WaysToExit) {
    Outcome O = run({"exit-during", How, "500"});
    ASSERT_EQ(O.Code, 7) << How << ": " << O.Errors;
    ASSERT_TRUE(endsSoon(compilerOf(O))) << How;
    play("found");
    forgetAll();
  }
}

TEST_F(Story, WhatNothingKeepsIsNotCompiledWhenTheProgramHasEnded) {
  for (const char *How : WaysToExit) {
    // The budget must not end it.
    Outcome O = run({"exit-during", How, "60000"},
                    {{"SPECRT_PROFILE", "off"}, {"SPECRT_COMPILE_BUDGET_MS", "60000"}});
    EXPECT_EQ(O.Code, 7) << How << ": " << O.Errors;
    EXPECT_TRUE(endsSoon(compilerOf(O))) << How;
  }
}

TEST_F(Story, RegionsRunInSignalHandlers) { play("signals"); }
TEST_F(Story, ARegionThatBecomesHotInASignalHandlerGetsAVersion) { play("hot-in-handler"); }
TEST_F(Story, RegionsCallThemselves) { play("recursion"); }
TEST_F(Story, SixtyFourThreads) { play("threads"); }
TEST_F(Story, WhatThreadsCallAtOnceGetsNoThreadsOfItsOwn) {
  play("called-at-once");
  forgetVersions();
  play("called-at-once-before");
  EXPECT_THAT(std::string(report()["regions"][0]["notes"]), HasSubstr("several threads"));
}
TEST_F(Story, WhatThreadsCallInTurnMayGetSome) {
  cpu_set_t Allowed;
  if (sched_getaffinity(0, sizeof(Allowed), &Allowed) != 0 || CPU_COUNT(&Allowed) < 2)
    GTEST_SKIP() << "needs two processors";
  play("called-in-turn", {{"SPECRT_THREADS", "2"}});
}
TEST_F(Story, ACallThatNeverReturnsIsSurvived) { play("not-returning"); }
TEST_F(Story, LibrariesComeAndGoDuringCompiles) {
  // What one round compiles is of no use to the next one, which compiles again.
  Outcome O = run({"unload", TEST_PLUGIN}, {{"SPECRT_PROFILE", "write"}});
  EXPECT_EQ(O.Code, 0) << O.Errors;
  EXPECT_THAT(O.Errors, IsEmpty());
}
TEST_F(Story, UnregisteredAndForeignRegionsRunTheOriginal) {
  Outcome O = run({"unregistered"});
  EXPECT_EQ(O.Code, 0) << O.Errors;
  EXPECT_THAT(O.Errors, HasSubstr("compiled for another version of libspecrt"));
  EXPECT_EQ(std::count(O.Errors.begin(), O.Errors.end(), '\n'), 1) << O.Errors;
}

TEST_F(Story, TenThousandRegionsRegisterQuickly) {
  Outcome O = run({"many-regions"});
  EXPECT_EQ(O.Code, 0) << O.Errors;
  // The goal is 5 ms; sanitizers and a loaded machine need room.
  EXPECT_LT(std::atof(O.Output.c_str()), 50) << O.Output;
}

TEST_F(Story, AKernelThatIsCalledOnceDoesNotWaitForWhatNobodyMeasured) {
  for (int Run = 0; Run < 3; ++Run) {
    play("once", {{"SPECRT_THREADS", "1"}});
    forgetVersions();
  }
}

TEST_F(Story, TheOtherCandidatesAreTriedWhenCallsGoOn) {
  Environment E = {{"SPECRT_THREADS", "1"}};
  play("others", E);
  Outcome Second = run({"others", "second"}, E);
  EXPECT_EQ(Second.Code, 0) << Second.Errors;
}

TEST_F(Story, AKernelThatIsCalledOncePerRunFindsItsBestCandidate) {
  const Environment E = {{"SPECRT_THREADS", "1"}, {"SPECRT_HOT", "0.2"}};
  std::vector<std::string> Ran;
  for (int Run = 0; Run < 20; ++Run) {
    Outcome O = run({"few"}, E);
    ASSERT_EQ(O.Code, 0) << O.Errors;
    EXPECT_THAT(O.Errors, IsEmpty());
    Ran.push_back(O.Output.substr(0, O.Output.find('\n')));
  }
  // Every third run tries one that was not measured yet, the others use the best that is known, and
  // nothing is tried twice. A slow one loses so much that it takes some runs to make up for it.
  ASSERT_EQ(Ran.size(), 20u);
  EXPECT_EQ(Ran[0], "original");
  EXPECT_EQ(Ran[1], "half");
  EXPECT_EQ(Ran[2], "slow");
  EXPECT_EQ(std::count(Ran.begin(), Ran.end(), "original"), 1);
  EXPECT_EQ(std::count(Ran.begin(), Ran.end(), "slow"), 1);
  const auto Fast = std::find(Ran.begin(), Ran.end(), "fast");
  EXPECT_EQ(std::count(Fast, Ran.end(), "fast"), Ran.end() - Fast) << testing::PrintToString(Ran);
  EXPECT_EQ(Ran.back(), "fast");
}

TEST_F(Story, WhatLostInTheOnlyCallOfARunIsNotTriedAgain) {
  const Environment E = {{"SPECRT_THREADS", "1"}, {"SPECRT_HOT", "0.2"}};
  std::vector<std::string> Ran;
  for (int Run = 0; Run < 6; ++Run) {
    Outcome O = run({"far-slower"}, E);
    ASSERT_EQ(O.Code, 0) << O.Errors;
    Ran.push_back(O.Output.substr(0, O.Output.find('\n')));
    if (Run > 1)
      EXPECT_EQ(report()["regions"][0]["compiles"], 0) << Run;
  }
  EXPECT_THAT(Ran, testing::ElementsAre("original", "slow", "original", "original", "original",
                                        "original"));
  // Not only because the region has lost too much: that would pass with its losses.
  for (const auto &File : fs::directory_iterator(Box / "cache" / "profiles"))
    if (File.path().extension() == ".json")
      EXPECT_THAT(readFile(File.path()), HasSubstr("does not pay: original"));
}

TEST_F(Story, AVersionThatSlowsTheProgramDownIsTakenOut) {
  // One run takes it out, a second one for good. On a busy machine a run may decide otherwise.
  unsigned TakenOut = 0;
  for (int Run = 0; Run < 12 && TakenOut < 2; ++Run) {
    Outcome O = run({"costs-others"});
    ASSERT_EQ(O.Code, 0) << O.Errors;
    if (O.Output == "tried: slows down what runs between calls\n") {
      ++TakenOut;
    } else {
      forgetAll();
      TakenOut = 0;
    }
  }
  ASSERT_EQ(TakenOut, 2u);
  EXPECT_THAT(run({"costs-others"}).Output,
              MatchesRegex("did not pay in an earlier run \\(20..-..-..\\): slows down what runs "
                           "between calls; original .*, constants .*\n"));
  EXPECT_EQ(report()["regions"][0]["compiles"], 0);
}

TEST_F(Story, AnEarlierWinnerIsPublishedWithoutTrial) {
  play("winner");
  play("proven");
  EXPECT_EQ(report()["counters"]["compiles"], 0);
  forgetVersions();
  Outcome O = run({"proven", "compiled again"});
  EXPECT_EQ(O.Code, 0) << O.Errors;
}

TEST_F(Story, SettingsChangeWhileAnEarlierWinnerIsCompiled) {
  play("winner");
  forgetVersions();
  play("configure-during");
  auto Region = report()["regions"][0];
  EXPECT_EQ(Region["versions"].size(), 1u);
}

TEST_F(Story, SettingsChangeWhenAnEarlierWinnerIsReady) {
  play("winner");
  forgetVersions();
  play("configure-ready");
  auto Region = report()["regions"][0];
  EXPECT_EQ(Region["versions"].size(), 1u);
  ASSERT_GE(Region["retired"].size(), 3u);
  EXPECT_EQ(Region["retired"][0]["reason"], "the settings changed");
}

TEST_F(Story, WhatDidNotPayIsNotCompiledAgain) {
  play("loser");
  play("retired-before");
}

TEST_F(Story, TheProfileCanBeFlushed) {
  play("flush", {{"SPECRT_COMPILE", "off"}});
  EXPECT_TRUE(fs::exists(Box / "cache" / "profiles"));
}

TEST_F(Story, ProfilesOffLeavesNoFiles) {
  play("winner", {{"SPECRT_PROFILE", "off"}});
  EXPECT_FALSE(fs::exists(Box / "cache"));
}

} // namespace
