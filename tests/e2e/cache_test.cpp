//===- tests/e2e/cache_test.cpp - what a run compiled serves the next one ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/reasons.h"
#include "tests/e2e/warm_cache.h"
#include <chrono>
#include <cstddef>
#include <elf.h>
#include <fstream>
#include <gmock/gmock.h>

using namespace specrt::e2e;
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

TEST_F(WarmCache, TheSecondRunNeedsNoCompiler) {
  Outcome Second = secondRun();
  expectNoCompiler(Second);
  expectSpecialised(Second);
}

TEST_F(WarmCache, EvenTheFirstCallIsSpecialised) {
  Outcome Second = secondRun();
  auto Region = Second.region("product");
  // 400 calls: each a hit, none of the original's.
  EXPECT_EQ(Region["versions"][0]["hits"].get<long>(), 400) << Region.dump(2);
}

/// The profile says how long loading took; where that is more than a run's calls gain, they run the
/// original.
TEST_F(WarmCache, AVersionThatTakesLongToLoadIsLeftOut) {
  EXPECT_GT(profileOf(Box, "product")["decisions"][0]["load_ns"].get<double>(), 0);
  const fs::path File = profilePath(Box);
  std::ifstream In(File);
  auto Profile = nlohmann::json::parse(In);
  for (auto &Region : Profile["regions"])
    for (auto &Decision : Region["decisions"])
      Decision["load_ns"] = 1e9; // 400 calls gain some 20 ms
  std::ofstream(File) << Profile;
  const Outcome Second = secondRun();
  EXPECT_EQ(versionsRan(Second), 0U);
  EXPECT_THAT(Second.region("product")["reason"].get<std::string>(),
              HasSubstr("loading its version does not pay: that takes 1.00 s"));
}

TEST_F(WarmCache, StillKnowsWhyTheSourceAsItIsCannotBeTransformed) {
  Outcome Second = secondRun();
  auto Causes = Second.region("product")["causes"];
  ASSERT_FALSE(Causes.empty());
  EXPECT_EQ(Causes[0]["kind"], "alias") << Causes.dump(1);
}

TEST_F(WarmCache, ServesWhenNothingMayBeCompiled) {
  Outcome Second = secondRun({{"SPECRT_COMPILE", "off"}});
  expectNoCompiler(Second);
  expectSpecialised(Second);
}

TEST_F(WarmCache, ServesWithACompilerThatCannotBeOpened) {
  // The key names the compiler's build: another folder with the same build is as good. This copy of
  // it says that it is for another processor, which the loader refuses.
  fs::create_directories(Box.path("lib"));
  fs::path From = fs::path(SPECRT_LIBRARY).parent_path();
  for (const char *Name :
       {"libspecrt.so.0", "libspecrt-jit.so", "libspecrt-parallel.so", "specrt-server"})
    fs::copy(From / Name, Box.path("lib") / Name);
  {
    std::fstream Stream(Box.path("lib/libspecrt-jit.so"),
                        std::ios::in | std::ios::out | std::ios::binary);
    Stream.seekp(offsetof(Elf64_Ehdr, e_machine));
    Stream.put('\x7f');
  }
  const Environment There = {{"LD_LIBRARY_PATH", Box.path("lib")}};
  Outcome Second = secondRun(There);
  expectNoCompiler(Second);
  expectSpecialised(Second);
  // Without a cache the same library costs one line.
  Environment Cold = There;
  Cold["SPECRT_CACHE_DIR"] = Box.path("other");
  Outcome Without = Box.story("steady", Cold);
  expectSame(Without, Plain);
  EXPECT_THAT(Without.Errors, HasSubstr("libspecrt-jit.so"));
}

/// Everything below a folder: names, contents and times.
std::map<std::string, std::string> stateOf(const fs::path &Folder) {
  std::map<std::string, std::string> State;
  for (const auto &Entry : fs::recursive_directory_iterator(Folder)) {
    if (!Entry.is_regular_file())
      continue;
    std::ifstream In(Entry.path(), std::ios::binary);
    std::string Bytes{std::istreambuf_iterator<char>(In), {}};
    State[Entry.path()] =
        std::to_string(Entry.last_write_time().time_since_epoch().count()) + " " + Bytes;
  }
  return State;
}

TEST_F(WarmCache, ProfilesReadOnlyLeaveTheFilesAlone) {
  const Environment ReadOnly = {{"SPECRT_PROFILE", "read"}};
  forEachVersion([](const fs::path &File) { // so old that a use would be noted
    fs::last_write_time(File, fs::file_time_type::clock::now() - std::chrono::hours(48));
  });
  auto Before = stateOf(Box.path("cache"));
  expectNoCompiler(secondRun(ReadOnly));
  EXPECT_EQ(stateOf(Box.path("cache")), Before);
  // Nor are bad files removed, or made anew.
  forEachVersion([](const fs::path &File) { fs::resize_file(File, fs::file_size(File) / 2); });
  Before = stateOf(Box.path("cache"));
  Environment Sync = Synchronous;
  Sync.insert(ReadOnly.begin(), ReadOnly.end());
  Outcome Run = secondRun(Sync);
  EXPECT_THAT(Run.Errors, HasSubstr("is not used"));
  EXPECT_GE(compiles(Run), 1);
  EXPECT_EQ(stateOf(Box.path("cache")), Before);
}

TEST_F(WarmCache, AMissingVersionDoesNotCostTheOthersWhenNothingMayBeCompiled) {
  Sandbox Sizes;
  Outcome Expected = plainStory("new-values");
  expectSame(Sizes.story("new-values", Synchronous), Expected);
  Outcome Second = Sizes.story("new-values", {{"SPECRT_COMPILE", "off"}});
  size_t All = Second.region("product")["versions"].size();
  ASSERT_GE(All, 2u) << Second.region("product").dump(1);
  // Of the first plan, the file of the winner and that of all candidates.
  std::string Plan = Second.region("product")["versions"][All - 1]["values"];
  size_t Removed = 0;
  for (const fs::path &File : versionsIn(Sizes)) {
    std::ifstream In(File, std::ios::binary);
    std::string Bytes{std::istreambuf_iterator<char>(In), {}};
    if (Bytes.find('"' + Plan + '"') != std::string::npos)
      Removed += fs::remove(File);
  }
  ASSERT_GE(Removed, 1u);
  Outcome Third = Sizes.story("new-values", {{"SPECRT_COMPILE", "off"}});
  expectSame(Third, Expected);
  EXPECT_EQ(Third.region("product")["versions"].size(), All - 1);
  expectNoCompiler(Third);
}

TEST_F(WarmCache, RegionsThatOnlyTheCacheServesStayInUse) {
  constexpr uint64_t Day = 86400;
  uint64_t Fresh = profileOf(Box, "product")["last_used"];
  std::ifstream In(profilePath(Box));
  auto Profile = nlohmann::json::parse(In);
  for (auto &Region : Profile["regions"])
    Region["last_used"] = Fresh - 20 * Day;
  std::ofstream(profilePath(Box)) << Profile;
  expectNoCompiler(secondRun());
  EXPECT_GE(profileOf(Box, "product")["last_used"].get<uint64_t>(), Fresh) << "noted once a day";
}

TEST_F(WarmCache, ProfilesOffMeansNoVersions) {
  Outcome Second = secondRun({{"SPECRT_PROFILE", "off"}, {"SPECRT_COMPILE", "sync"}});
  EXPECT_GE(compiles(Second), 1);
}

TEST_F(WarmCache, AnotherFloatingPointModeIsAnotherVersion) {
  Outcome Fast = Box.story("steady", {{"SPECRT_FP", "finite"}, {"SPECRT_COMPILE", "sync"}});
  EXPECT_EQ(Fast.Status, 0);
  EXPECT_GE(compiles(Fast), 1);
}

/// Did a stored version run, whatever became of it on a busy machine? Where it took that machine
/// longer to load the version than these few calls gain, the region says so.
testing::AssertionResult isServedFromCache(const nlohmann::json &Region) {
  const std::string Why = Region.value("reason", "");
  if (Why.starts_with(specrt::words(specrt::Reason::StartDoesNotPay)))
    return testing::AssertionSuccess() << Why;
  for (const char *Kind : {"versions", "retired"})
    for (const auto &Version : Region[Kind])
      if (Version["from_cache"] == true && Version["hits"] > 0)
        return testing::AssertionSuccess();
  return testing::AssertionFailure() << Region.dump(1);
}

/// Two regions, and a first run that filled the cache for them.
class WarmKernels : public testing::Test {
protected:
  Sandbox Box;
  Outcome Plain = plainKernels();

  WarmKernels() {
    EXPECT_TRUE(areSpecialised(warmUntil([] { return true; })));
  }

  static bool areSpecialised(const Outcome &Run) {
    return Run.region("product")["state"] == "specialised" &&
           Run.region("outer")["state"] == "specialised";
  }
  /// Fills the cache until both regions have versions and \p HasSucceeded says so. On a busy
  /// machine the original may win a trial: another cache, another trial. Returns the first run.
  Outcome warmUntil(const std::function<bool()> &HasSucceeded) {
    Outcome First;
    for (int Try = 0; Try < 12; ++Try) {
      removeFolder(Box.path("cache"));
      First = kernels({}, Synchronous);
      expectSame(First, Plain);
      if (areSpecialised(First) && HasSucceeded())
        break;
    }
    return First;
  }
  Outcome kernels(const std::vector<std::string> &Arguments, const Environment &Extra = {}) {
    return Box.run(SPECRT_TWO_KERNELS, Arguments, Extra);
  }
};

TEST_F(WarmKernels, SettingsThatConcernVersionsReplaceThem) {
  // Versions for strict arithmetic serve from before main on; the program then allows more.
  Outcome Run;
  warmUntil([&] {
    Run = kernels({"configure", "fp", "finite"}, {{"SPECRT_COMPILE", "sync"}});
    expectSame(Run, Plain);
    return areSpecialised(Run);
  });
  EXPECT_THAT(Run.Errors, IsEmpty());
  EXPECT_THAT(Run.Remarks, HasSubstr("configure: ok"));
  EXPECT_THAT(Run.Remarks, HasSubstr("already run")) << "afterwards it is too late";
  EXPECT_EQ(compiles(Run), 2) << "one winner each, for the new mode";
  for (const char *Function : {"product", "outer"}) {
    auto Region = Run.region(Function);
    ASSERT_EQ(Region["versions"].size(), 1u) << Region.dump(1);
    EXPECT_EQ(Region["versions"][0]["from_cache"], false);
    EXPECT_GT(Region["versions"][0]["hits"], 0);
    ASSERT_EQ(Region["retired"].size(), 1u);
    EXPECT_EQ(Region["retired"][0]["reason"], "the settings changed");
    EXPECT_EQ(Region["retired"][0]["from_cache"], true);
    EXPECT_EQ(Region["retired"][0]["hits"], 0);
  }
  // What was compiled was stored as made for that mode, and the other mode kept its own.
  for (const char *Mode : {"finite", "strict"}) {
    Outcome Stored = kernels({}, {{"SPECRT_FP", Mode}, {"SPECRT_COMPILE", "off"}});
    for (const char *Function : {"product", "outer"})
      EXPECT_TRUE(isServedFromCache(Stored.region(Function))) << Mode;
  }
}

TEST_F(WarmKernels, OtherSettingsLeaveVersionsAlone) {
  Outcome Run = kernels({"configure", "log", "error"});
  expectSame(Run, Plain);
  EXPECT_THAT(Run.Remarks, HasSubstr("configure: ok"));
  EXPECT_TRUE(isServedFromCache(Run.region("product")));
}

TEST_F(WarmKernels, AreSwitchedOff) {
  Outcome Run = kernels({"configure", "disable", "1"});
  expectSame(Run, Plain);
  EXPECT_TRUE(Run.Report.is_null() || Run.region("product").is_null() ||
              Run.region("product")["versions"].empty())
      << Run.Report.dump(1);
}

TEST_F(WarmKernels, RegisteringDoesNotWaitForTheLoader) {
  Outcome Run = kernels({"register", TEST_PLUGIN});
  expectSame(Run, Plain);
  EXPECT_EQ(compiles(Run), 0);
}

} // namespace
