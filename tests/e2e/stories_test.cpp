//===- tests/e2e/stories_test.cpp - a program's life with libspecrt, told as stories ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/e2e/harness.h"
#include <fstream>
#include <gmock/gmock.h>
#include <sys/stat.h>

using namespace specrt::e2e;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

TEST(Cold, ARegionIsProfiledCompiledTriedAndSpecialised) {
  Sandbox Box;
  Outcome Run = Box.story("steady", Synchronous);
  expectSame(Run, plainStory("steady"));
  auto Region = Run.region("product");
  ASSERT_TRUE(Region.is_object()) << Run.Errors;
  EXPECT_EQ(Region["state"], "specialised") << Region.dump(2);
  ASSERT_FALSE(Region["versions"].empty());
  EXPECT_GT(Region["versions"][0]["hits"].get<long>(), 0);
  EXPECT_GE(compiles(Run), 1);
  EXPECT_THAT(Run.Errors, IsEmpty());
}

TEST(SecondRun, VersionsArePreparedFromTheProfile) {
  Sandbox Box;
  Box.story("steady", Synchronous);
  Outcome Second = Box.story("steady");
  expectSame(Second, plainStory("steady"));
  auto Region = Second.region("product");
  ASSERT_TRUE(Region.is_object());
  EXPECT_EQ(Region["state"], "specialised") << Region.dump(2);
  EXPECT_EQ(compiles(Second), 0);
  ASSERT_FALSE(Region["versions"].empty());
  EXPECT_TRUE(Region["versions"][0]["from_cache"]);
  EXPECT_GT(Region["versions"][0]["hits"].get<long>(), 0);
}

/// What a run compiles in the background, while its only call goes on, the next one begins with; on
/// a busy machine it takes some runs more.
TEST(SecondRun, AKernelThatIsCalledOnceGains) {
  Sandbox Box;
  const Environment Normal = {{"SPECRT_COMPILE_PRIORITY", "normal"}};
  Outcome Plain = plainStory("once");
  bool Found = false;
  for (int Run = 0; Run < 6 && !Found; ++Run) {
    Outcome O = Box.story("once", Normal);
    expectSame(O, Plain);
    auto Region = O.region("product");
    ASSERT_TRUE(Region.is_object());
    for (const auto &E : Region["timeline"])
      Found |= compiles(O) == 0 && (E["event"] == "trial-begin" || E["event"] == "published");
  }
  EXPECT_TRUE(Found);
}

/// The on-stack replacement of a run's only call of product.
void expectOsr(const Outcome &Run) {
  auto Region = Run.region("product");
  ASSERT_TRUE(Region.is_object()) << Run.Errors;
  ASSERT_EQ(Region["on_stack_replacements"].size(), 1u) << Region.dump(2);
  auto Osr = Region["on_stack_replacements"][0];
  EXPECT_TRUE(Osr["taken"]) << Region.dump(2);
  EXPECT_GT(Osr["iteration"], 0);
  EXPECT_EQ(Osr["iterations"], 2400);
  EXPECT_GT(Osr["ns"], 0);
  EXPECT_FALSE(Osr["guards"].empty());
  EXPECT_EQ(Region["calls"], 1);
  std::vector<std::string> Events;
  for (auto &E : Region["timeline"])
    Events.push_back(E["event"]);
  EXPECT_THAT(Events, Contains("handed-over"));
}

TEST(OnStackReplacement, AKernelThatIsCalledOnceGainsInItsFirstCall) {
  for (const char *Threads : {"1", "2"}) {
    Sandbox Box;
    Environment E = Synchronous;
    E["SPECRT_THREADS"] = Threads;
    Outcome Run = Box.story("once", E);
    expectSame(Run, plainStory("once"));
    expectOsr(Run);
    EXPECT_THAT(Run.Errors, IsEmpty());
  }
}

/// How many calls of product changed over.
long replacements(const Outcome &Run) {
  auto Region = Run.region("product");
  return std::count_if(Region["on_stack_replacements"].begin(),
                       Region["on_stack_replacements"].end(),
                       [](const auto &Osr) { return Osr["taken"] == true; });
}

/// When it comes depends on how busy the machine is: on a slow one a call may be over before.
TEST(OnStackReplacement, InTheBackgroundTheResultIsTheSame) {
  Outcome Plain = plainStory("once");
  long Seen = 0;
  for (int I = 0; I < 4 && Seen == 0; ++I) {
    Outcome Run = Sandbox().story("once");
    expectSame(Run, Plain);
    Seen += replacements(Run);
  }
  EXPECT_GT(Seen, 0);
}

TEST(OnStackReplacement, OverlappingArraysGiveTheSameResult) {
  Outcome Run = Sandbox().story("once-overlapping", Synchronous);
  expectSame(Run, plainStory("once-overlapping"));
  EXPECT_FALSE(Run.region("product")["on_stack_replacements"].empty())
      << "no version was made for the rest";
}

TEST(OnStackReplacement, OtherThreadsHaveOtherSizes) {
  Outcome Plain = plainStory("at-the-same-time");
  long Seen = 0;
  for (int I = 0; I < 2; ++I)
    for (const Environment &E : {Synchronous, Environment{{"SPECRT_HOT", "0"}}}) {
      Outcome Run = Sandbox().story("at-the-same-time", E);
      expectSame(Run, Plain);
      Seen += replacements(Run);
    }
  EXPECT_GT(Seen, 0);
}

TEST(OnStackReplacement, TheProcessEndsInTheMiddle) {
  Outcome Plain = plainStory("exit-in-call");
  EXPECT_EQ(Plain.Status, 7);
  for (int Delay = 0; Delay < 400; Delay += 30)
    expectSame(Sandbox().story("exit-in-call", {{"STORY_DELAY_MS", std::to_string(Delay)}}), Plain);
}

TEST(OnStackReplacement, NothingIsAskedWhenNothingIsCompiled) {
  for (const char *Name : {"SPECRT_DISABLE", "SPECRT_COMPILE"}) {
    Outcome Run =
        Sandbox().story("once", {{Name, Name == std::string("SPECRT_DISABLE") ? "1" : "off"}});
    expectSame(Run, plainStory("once"));
    EXPECT_THAT(Run.Remarks, HasSubstr("llvm=0 jit=0"));
  }
}

TEST(GuardMiss, TheOriginalRunsAndTheMissIsCounted) {
  Sandbox Box;
  Outcome Run = Box.story("guard-miss", Synchronous);
  expectSame(Run, plainStory("guard-miss"));
  auto Region = Run.region("product");
  ASSERT_FALSE(Region["versions"].empty()) << Region.dump(2);
  EXPECT_GE(Region["versions"][0]["misses"].get<long>(), 1);
}

TEST(Overlap, OverlappingArraysRunTheOriginalAndHalvesOfABufferDoNot) {
  Sandbox Box;
  Outcome Run = Box.story("overlap", Synchronous);
  expectSame(Run, plainStory("overlap"));
  auto Region = Run.region("product");
  ASSERT_FALSE(Region["versions"].empty()) << Region.dump(2);
  EXPECT_GE(Region["versions"][0]["misses"].get<long>(), 1);
}

TEST(NewValues, RecurringSizesGetVersionsWithinTheLimit) {
  Sandbox Box;
  Environment Limited = Synchronous;
  Limited["SPECRT_MAX_VERSIONS"] = "2";
  Outcome Run = Box.story("new-values", Limited);
  expectSame(Run, plainStory("new-values"));
  auto Region = Run.region("product");
  ASSERT_TRUE(Region.is_object());
  EXPECT_GE(Region["versions"].size(), 1u) << Region.dump(2);
  EXPECT_LE(Region["versions"].size(), 2u) << Region.dump(2);
}

TEST(Threads, ResultsAreTheSame) {
  Outcome Plain = plainStory("threads");
  Sandbox Box;
  expectSame(Box.story("threads"), Plain);
  expectSame(Box.story("threads", Synchronous), Plain);
  expectSame(Box.story("threads", {{"SPECRT_HOT", "0"}}), Plain);
}

TEST(Fork, TheChildGoesOnWithWhatExists) {
  Sandbox Box;
  expectSame(Box.story("fork"), plainStory("fork"));
  expectSame(Box.story("fork", Synchronous), plainStory("fork"));
}

TEST(Fork, DuringACompile) {
  Outcome Plain = plainStory("fork-during-compile");
  for (int I = 0; I < 20; ++I)
    expectSame(Sandbox().story("fork-during-compile", {{"SPECRT_HOT", "0"}}), Plain);
}

TEST(Exit, AtAnyMomentOfACompileKeepsTheExitCode) {
  Outcome Plain = plainStory("exit-during-compile");
  EXPECT_EQ(Plain.Status, 7);
  for (int Delay = 0; Delay < 150; Delay += 3)
    expectSame(Sandbox().story("exit-during-compile",
                               {{"SPECRT_HOT", "0"}, {"STORY_DELAY_MS", std::to_string(Delay)}}),
               Plain);
}

TEST(Exit, OnAThreadThatIsNotTheMainOne) {
  Outcome Plain = plainStory("exit-on-thread");
  for (int Delay = 30; Delay < 90; Delay += 10)
    expectSame(Sandbox().story("exit-on-thread",
                               {{"SPECRT_HOT", "0"}, {"STORY_DELAY_MS", std::to_string(Delay)}}),
               Plain);
}

/// In the second run the first parallel loop comes after the destructors of TBB.
TEST(Exit, RegionsMayBeCalledAfterEveryDestructor) {
  Sandbox Box;
  Environment Two = Synchronous;
  Two["SPECRT_THREADS"] = "2";
  Outcome Run = Box.story("large", Two);
  expectSame(Run, plainStory("large"));
  auto Region = Run.region("product");
  ASSERT_FALSE(Region["versions"].empty()) << Region.dump(2);
  for (const char *Threads : {"1", "2"}) {
    Two["SPECRT_THREADS"] = Threads;
    expectSame(Box.story("large-at-the-end", Two), plainStory("large-at-the-end"));
  }
}

TEST(Signals, RegionsRunInHandlers) {
  Outcome Plain = plainStory("signals");
  Sandbox Box;
  expectSame(Box.story("signals"), Plain);
  expectSame(Box.story("signals"), Plain); // second run
}

TEST(Disabled, NothingHappensAndLlvmIsNeverLoaded) {
  Sandbox Box;
  Outcome Run = Box.story("steady", {{"SPECRT_DISABLE", "1"}});
  expectSame(Run, plainStory("steady"));
  EXPECT_THAT(Run.Remarks, HasSubstr("llvm=0 jit=0"));
  EXPECT_FALSE(std::filesystem::exists(Box.path("cache")));
  EXPECT_THAT(Run.Errors, IsEmpty());
}

TEST(MissingJit, TheOriginalRunsAndOneLineSaysWhy) {
  Sandbox Box;
  std::filesystem::create_directories(Box.path("lib"));
  std::filesystem::copy(SPECRT_LIBRARY, Box.path("lib/libspecrt.so.0"));
  std::filesystem::copy(std::filesystem::path(SPECRT_LIBRARY).parent_path() / "specrt-server",
                        Box.path("lib/specrt-server"));
  Environment Elsewhere = Synchronous;
  Elsewhere["LD_LIBRARY_PATH"] = Box.path("lib");
  Outcome Run = Box.story("steady", Elsewhere);
  expectSame(Run, plainStory("steady"));
  EXPECT_THAT(Run.Errors, HasSubstr("libspecrt-jit.so"));
  EXPECT_EQ(std::count(Run.Errors.begin(), Run.Errors.end(), '\n'), 1) << Run.Errors;
  EXPECT_EQ(Run.region("product")["state"], "blocked");
}

TEST(Profile, UnreadableContentIsReportedOnceAndIgnored) {
  Sandbox Box;
  Box.story("steady", Synchronous);
  int Damaged = 0;
  for (auto &Entry : std::filesystem::recursive_directory_iterator(Box.path("cache")))
    if (Entry.path().extension() == ".json") {
      std::ofstream(Entry.path()) << "{ this is not a profile";
      ++Damaged;
    }
  ASSERT_GE(Damaged, 1);
  Outcome Run = Box.story("steady", Synchronous);
  expectSame(Run, plainStory("steady"));
  EXPECT_EQ(std::count(Run.Errors.begin(), Run.Errors.end(), '\n'), 1) << Run.Errors;
  EXPECT_THAT(Run.Errors, HasSubstr("profile"));
}

TEST(Profile, ACacheDirectoryThatCannotExistIsReportedOnce) {
  Sandbox Box;
  std::ofstream(Box.path("file")) << "not a directory";
  Environment Nowhere = Synchronous;
  Nowhere["SPECRT_CACHE_DIR"] = Box.path("file") / "cache";
  Outcome Run = Box.story("steady", Nowhere);
  expectSame(Run, plainStory("steady"));
  EXPECT_EQ(std::count(Run.Errors.begin(), Run.Errors.end(), '\n'), 1) << Run.Errors;
}

TEST(Options, UnknownValuesAndNamesGetOneWarningEach) {
  Sandbox Box;
  Outcome Run = Box.story("steady", {{"SPECRT_COMPILE", "sometimes"}, {"SPECRT_HTO", "3"}});
  expectSame(Run, plainStory("steady"));
  EXPECT_THAT(Run.Errors, HasSubstr("SPECRT_COMPILE"));
  EXPECT_THAT(Run.Errors, HasSubstr("background"));
  EXPECT_THAT(Run.Errors, HasSubstr("SPECRT_HOT"));
  EXPECT_EQ(std::count(Run.Errors.begin(), Run.Errors.end(), '\n'), 2) << Run.Errors;
}

TEST(Processes, TwoAtOnceShareAProfile) {
  Sandbox Box;
  Outcome Plain = plainStory("steady");
  Outcome Other;
  Environment Quiet = Synchronous;
  std::thread Second([&] {
    Environment E = Synchronous;
    E["SPECRT_REPORT"] = Box.path("second.json");
    Other = Sandbox().run(SPECRT_STORY, {"steady"},
                          {{"SPECRT_COMPILE", "sync"}, {"SPECRT_CACHE_DIR", Box.path("cache")}});
  });
  Outcome First = Box.story("steady", Quiet);
  Second.join();
  expectSame(First, Plain);
  expectSame(Other, Plain);
  expectSame(Box.story("steady"), Plain);
}

TEST(Strictness, EveryModeOfCompilationGivesTheSameBits) {
  Outcome Plain = plainStory("steady");
  for (const char *Mode : {"off", "sync", "background"})
    for (const char *Threads : {"1", "2"})
      expectSame(Sandbox().story("steady", {{"SPECRT_COMPILE", Mode}, {"SPECRT_THREADS", Threads}}),
                 Plain);
}

} // namespace
