//===- tests/e2e/cache_test.cpp - what a run compiled serves the next one -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/e2e/harness.h"
#include <chrono>
#include <csignal>
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

TEST_F(WarmCache, ServesWithoutTheCompilersLibrary) {
  // The key names the compiler's build: another folder with the same build is as good.
  fs::create_directories(Box.path("lib"));
  fs::path From = fs::path(SPECRT_LIBRARY).parent_path();
  for (const char *Name : {"libspecrt.so.0", "libspecrt.so", "libspecrt-parallel.so"})
    if (fs::exists(From / Name))
      fs::copy(From / Name, Box.path("lib") / Name);
  fs::create_symlink(From / "libspecrt-jit.so", Box.path("lib/libspecrt-jit.so"));
  Outcome Second = secondRun({{"LD_LIBRARY_PATH", Box.path("lib")}});
  expectNoCompiler(Second);
}

TEST_F(WarmCache, ProfilesReadOnlyLeaveTheFilesAlone) {
  auto Before = versionsIn(Box);
  expectNoCompiler(secondRun({{"SPECRT_PROFILE", "read"}}));
  EXPECT_EQ(versionsIn(Box), Before);
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
  Box.story("steady", There);
  Outcome Second = Box.story("steady", {{"SPECRT_CACHE_DIR", Box.path("noexec")}});
  umount2(Box.path("noexec").c_str(), MNT_DETACH);
  expectSame(Second, plainStory("steady"));
  EXPECT_EQ(compiles(Second), 0);
  EXPECT_THAT(Second.Errors, IsEmpty());
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
        Compiles[Region["name"]] += Region.value("compiles", 0);
    }
    EXPECT_FALSE(versionsIn(Box).empty());
    for (const auto &[Region, Count] : Compiles)
      EXPECT_LE(Count, 2) << Region << " in round " << Round;
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
