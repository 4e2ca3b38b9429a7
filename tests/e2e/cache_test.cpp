//===- tests/e2e/cache_test.cpp - what a run compiled serves the next one -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/e2e/harness.h"
#include <chrono>
#include <csignal>
#include <cstddef>
#include <elf.h>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace specrt::e2e;
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

std::vector<fs::path> versionsIn(const Sandbox &Box) {
  std::vector<fs::path> Files;
  if (fs::exists(Box.path("cache/versions")))
    for (const auto &Entry : fs::directory_iterator(Box.path("cache/versions")))
      if (Entry.path().extension() == ".so")
        Files.push_back(Entry.path());
  return Files;
}

Outcome plainKernels() { return Sandbox().run(SPECRT_TWO_KERNELS_PLAIN, {}); }

/// A cache that a first run has filled.
class WarmCache : public testing::Test {
protected:
  Sandbox Box;
  Outcome Plain = plainStory("steady");

  WarmCache() {
    Outcome First = Box.story("steady", Synchronous);
    expectSame(First, Plain);
    EXPECT_GE(compiles(First), 1);
    EXPECT_FALSE(versionsIn(Box).empty());
  }

  Outcome secondRun(const Environment &Extra = {}) {
    Outcome Second = Box.story("steady", Extra);
    expectSame(Second, Plain);
    return Second;
  }
  static void expectNoCompiler(const Outcome &O) {
    EXPECT_EQ(compiles(O), 0) << O.Report.dump(1);
    EXPECT_THAT(O.Remarks, HasSubstr("llvm=0 jit=0"));
    EXPECT_THAT(O.Errors, IsEmpty());
  }
  static void expectSpecialised(const Outcome &O) {
    auto Region = O.region("product");
    ASSERT_TRUE(Region.is_object());
    EXPECT_EQ(Region["state"], "specialised") << Region.dump(2);
    ASSERT_FALSE(Region["versions"].empty());
    EXPECT_GT(Region["versions"][0]["hits"].get<long>(), 0);
  }
  /// Refused with one line, right results, and made anew.
  void expectRebuilt(const std::string &Why) {
    Outcome Second = secondRun(Synchronous);
    EXPECT_THAT(Second.Errors, HasSubstr(Why));
    EXPECT_THAT(Second.Errors, HasSubstr("removed"));
    expectSpecialised(Second);
    EXPECT_GE(compiles(Second), 1);
    expectNoCompiler(secondRun());
  }
  void forEachVersion(const std::function<void(const fs::path &)> &Change) {
    for (const fs::path &File : versionsIn(Box))
      Change(File);
  }
};

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
  for (const char *Name : {"libspecrt.so.0", "libspecrt-jit.so", "libspecrt-parallel.so"})
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

/// The one file with profiles.
fs::path profilePath(const Sandbox &Box) {
  for (const auto &Entry : fs::directory_iterator(Box.path("cache/profiles")))
    if (Entry.path().extension() == ".json")
      return Entry.path();
  return "";
}

/// What it knows of the region in Function; null when nothing.
nlohmann::json profileOf(const Sandbox &Box, const std::string &Function) {
  std::ifstream In(profilePath(Box));
  auto Profile = nlohmann::json::parse(In);
  for (const auto &Region : Profile["regions"])
    if (Region["name"].get<std::string>().starts_with(Function + ":"))
      return Region;
  return nullptr;
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

TEST_F(WarmCache, FlippedBytes) {
  forEachVersion([](const fs::path &File) {
    std::fstream Stream(File, std::ios::in | std::ios::out | std::ios::binary);
    Stream.seekp(3000);
    Stream.put('\xcc');
  });
  expectRebuilt("checksum");
}

TEST_F(WarmCache, Truncated) {
  forEachVersion([](const fs::path &File) { fs::resize_file(File, fs::file_size(File) / 2); });
  expectRebuilt("incomplete");
}

TEST_F(WarmCache, Emptied) {
  forEachVersion([](const fs::path &File) { fs::resize_file(File, 0); });
  expectRebuilt("incomplete");
}

TEST_F(WarmCache, ReplacedByALink) {
  forEachVersion([&](const fs::path &File) {
    fs::path Target = Box.path(File.filename());
    fs::rename(File, Target);
    fs::create_symlink(Target, File);
  });
  expectRebuilt("opened");
}

TEST_F(WarmCache, WritableByOthers) {
  forEachVersion([](const fs::path &File) { chmod(File.c_str(), 0666); });
  expectRebuilt("only the user can write");
}

TEST_F(WarmCache, OfAnotherOwner) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  forEachVersion([](const fs::path &File) { ASSERT_EQ(chown(File.c_str(), 12345, 12345), 0); });
  expectRebuilt("only the user can write");
}

TEST_F(WarmCache, AFolderOfAnotherOwnerIsNotUsed) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give folders away";
  ASSERT_EQ(chown(Box.path("cache").c_str(), 12345, 12345), 0);
  Outcome Second = secondRun(Synchronous);
  ASSERT_EQ(chown(Box.path("cache").c_str(), 0, 0), 0);
  EXPECT_EQ(std::count(Second.Errors.begin(), Second.Errors.end(), '\n'), 1) << Second.Errors;
  EXPECT_THAT(Second.Errors, HasSubstr("must belong to the user"));
  EXPECT_GE(compiles(Second), 1);
}

TEST_F(WarmCache, Removed) {
  fs::remove_all(Box.path("cache/versions"));
  Outcome Second = secondRun(Synchronous);
  expectSpecialised(Second);
  EXPECT_GE(compiles(Second), 1);
  EXPECT_THAT(Second.Errors, IsEmpty());
  expectNoCompiler(secondRun());
}

TEST(Cache, AFullDiskCostsOneLine) {
  Sandbox Box;
  fs::create_directories(Box.path("small"));
  if (mount("none", Box.path("small").c_str(), "tmpfs", 0, "size=16k,mode=0700") != 0)
    GTEST_SKIP() << "no rights to mount a small file system";
  Environment Small = Synchronous;
  Small["SPECRT_CACHE_DIR"] = Box.path("small");
  Outcome First = Box.story("steady", Small);
  Outcome Second = Box.story("steady", Small);
  umount(Box.path("small").c_str());
  expectSame(First, plainStory("steady"));
  expectSame(Second, First);
  EXPECT_THAT(First.Errors, HasSubstr("No space left"));
}

TEST(Cache, AReadOnlyFileSystemCostsOneLine) {
  Sandbox Box;
  fs::create_directories(Box.path("fixed"));
  if (mount("none", Box.path("fixed").c_str(), "tmpfs", MS_RDONLY, "mode=0700") != 0)
    GTEST_SKIP() << "no rights to mount a file system";
  Environment Fixed = Synchronous;
  Fixed["SPECRT_CACHE_DIR"] = Box.path("fixed");
  Outcome Run = Box.story("steady", Fixed);
  umount(Box.path("fixed").c_str());
  expectSame(Run, plainStory("steady"));
  EXPECT_THAT(Run.Errors, HasSubstr("Read-only file system"));
  EXPECT_EQ(std::count(Run.Errors.begin(), Run.Errors.end(), '\n'), 1) << Run.Errors;
}

TEST(Cache, ADirectoryWithoutExecutionServesFromACopy) {
  Sandbox Box;
  fs::create_directories(Box.path("noexec"));
  if (mount("none", Box.path("noexec").c_str(), "tmpfs", MS_NOEXEC, "mode=0700") != 0)
    GTEST_SKIP() << "no rights to mount a file system";
  Environment There = Synchronous;
  There["SPECRT_CACHE_DIR"] = Box.path("noexec");
  Box.run(SPECRT_TWO_KERNELS, {}, There);
  // Two regions, so that two copies exist at the same time.
  Outcome Second = Box.run(SPECRT_TWO_KERNELS, {}, {{"SPECRT_CACHE_DIR", Box.path("noexec")}});
  umount2(Box.path("noexec").c_str(), MNT_DETACH);
  expectSame(Second, plainKernels());
  EXPECT_EQ(compiles(Second), 0);
  EXPECT_THAT(Second.Errors, IsEmpty());
  for (const char *Function : {"product", "outer"})
    EXPECT_EQ(Second.region(Function)["versions"][0]["hits"], 200) << Second.Report.dump(1);
}

/// Two regions, and a first run that filled the cache for them.
class WarmKernels : public testing::Test {
protected:
  Sandbox Box;
  Outcome Plain = plainKernels();

  WarmKernels() {
    Outcome First = kernels({}, Synchronous);
    expectSame(First, Plain);
    EXPECT_EQ(First.region("product")["state"], "specialised");
    EXPECT_EQ(First.region("outer")["state"], "specialised");
  }
  Outcome kernels(const std::vector<std::string> &Arguments, const Environment &Extra = {}) {
    return Box.run(SPECRT_TWO_KERNELS, Arguments, Extra);
  }
};

TEST_F(WarmKernels, SettingsThatConcernVersionsReplaceThem) {
  // Versions for strict arithmetic serve from before main on; the program then allows more.
  Outcome Run = kernels({"configure", "fp", "finite"}, {{"SPECRT_COMPILE", "sync"}});
  expectSame(Run, Plain);
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
  EXPECT_EQ(compiles(kernels({}, {{"SPECRT_FP", "finite"}})), 0);
  Outcome Strict = kernels({}, {{"SPECRT_FP", "strict"}});
  EXPECT_EQ(compiles(Strict), 0);
  EXPECT_EQ(Strict.region("product")["versions"][0]["hits"], 200);
}

TEST_F(WarmKernels, OtherSettingsLeaveVersionsAlone) {
  Outcome Run = kernels({"configure", "log", "error"});
  expectSame(Run, Plain);
  EXPECT_THAT(Run.Remarks, HasSubstr("configure: ok"));
  EXPECT_EQ(compiles(Run), 0);
  EXPECT_EQ(Run.region("product")["versions"][0]["hits"], 200) << Run.Report.dump(1);
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

/// Everything that exists was measured, or what is in use is good enough.
bool isDecided(const nlohmann::json &Decision) {
  if (Decision["outcome"] == "won" &&
      Decision["original_ns"].get<double>() >= 3 * Decision["candidate_ns"].get<double>())
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
  while (Runs < 25 && (Decision.is_null() || !isDecided(Decision))) {
    Outcome O = Box.run(SPECRT_TWO_KERNELS, {"once"});
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
  // What is used from now on is the best that was seen, but for differences that cannot be seen.
  bool Won = Decision["outcome"] == "won";
  double Used = Decision[Won ? "candidate_ns" : "original_ns"];
  for (const auto &Candidate : Decision["trials"]["candidates"])
    if (Candidate["ns"] > 0) {
      EXPECT_GE(Candidate["ns"].get<double>(), 0.97 * Used) << Decision.dump(1);
    }
}

TEST(Cache, ForksAtEveryStageLeaveAGoodCache) {
  Sandbox Box;
  Outcome Plain = Sandbox().run(SPECRT_TWO_KERNELS_PLAIN, {"fork"});
  Outcome First = Box.run(SPECRT_TWO_KERNELS, {"fork"}, {{"SPECRT_HOT", "0.1"}});
  expectSame(First, Plain);
  EXPECT_THAT(First.Errors, IsEmpty());
  EXPECT_GE(compiles(First), 2);
  Outcome Second = Box.run(SPECRT_TWO_KERNELS, {}, {{"SPECRT_HOT", "0.1"}});
  EXPECT_EQ(compiles(Second), 0);
  EXPECT_THAT(Second.Errors, IsEmpty());
  EXPECT_EQ(Second.region("product")["versions"][0]["from_cache"], true);
}

TEST(Cache, NoHomeMeansNoCache) {
  Sandbox Box;
  Environment Homeless = Synchronous;
  Homeless["SPECRT_CACHE_DIR"] = "";
  Homeless["XDG_CACHE_HOME"] = "";
  Homeless["HOME"] = "";
  Outcome Run = Box.story("steady", Homeless);
  expectSame(Run, plainStory("steady"));
  EXPECT_THAT(Run.Errors, IsEmpty());
}

TEST(Cache, ALimitOfNothingKeepsNothing) {
  Sandbox Box;
  Environment Nothing = Synchronous;
  Nothing["SPECRT_CACHE_LIMIT"] = "0";
  expectSame(Box.story("steady", Nothing), plainStory("steady"));
  EXPECT_TRUE(versionsIn(Box).empty());
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
      Processes.emplace_back([&] { O = Box.story("steady"); });
    for (std::thread &P : Processes)
      P.join();
    std::map<std::string, int> Compiles;
    for (const Outcome &O : Outcomes) {
      expectSame(O, Plain);
      EXPECT_THAT(O.Errors, IsEmpty());
      for (const auto &Region : O.Report["regions"])
        Compiles[Region["function"]] += Region.value("compiles", 0);
    }
    EXPECT_FALSE(versionsIn(Box).empty());
    // Once for its one plan, in one of them; the others waited for it.
    EXPECT_EQ(Compiles["product"], 1) << "in round " << Round;
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
      fs::remove_all(Box.path("cache/versions"));
  }
}

} // namespace
