//===- tests/e2e/bad_cache_test.cpp - caches that are of no use -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/e2e/warm_cache.h"
#include <fstream>
#include <gmock/gmock.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace specrt::e2e;
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

TEST_F(WarmCache, FlippedBytes) {
  forEachVersion([](const fs::path &File) {
    // The object comes first and is longer than what describes it.
    const auto Middle = static_cast<std::streamoff>(fs::file_size(File) / 2);
    std::fstream Stream(File, std::ios::in | std::ios::out | std::ios::binary);
    Stream.seekg(Middle);
    const int Byte = Stream.get();
    Stream.seekp(Middle);
    Stream.put(static_cast<char>(Byte ^ 0xcc));
  });
  expectRebuilt("checksum");
}

/// However many files there are: one line says how many, where, and what is wrong with one.
TEST_F(WarmCache, EverythingDamagedCostsOneLine) {
  size_t Damaged = 0;
  for (const auto &Entry : fs::recursive_directory_iterator(Box.path("cache"))) {
    const std::string Kind = Entry.path().extension();
    if (!Entry.is_regular_file() || (Kind != ".so" && Kind != ".json"))
      continue;
    fs::resize_file(Entry.path(), fs::file_size(Entry.path()) / 2);
    ++Damaged;
  }
  ASSERT_GE(Damaged, 3U);
  // Without its profile a run finds versions when it would compile them.
  const Outcome Second = secondRun(Synchronous);
  EXPECT_EQ(std::count(Second.Errors.begin(), Second.Errors.end(), '\n'), 1) << Second.Errors;
  EXPECT_THAT(Second.Errors, HasSubstr(" files in " + Box.path("cache").string()));
  EXPECT_THAT(Second.Errors, HasSubstr("is damaged (not JSON)"));
  expectSpecialised(Second);
  expectNoCompiler(secondRun());
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
  removeFolder(Box.path("cache/versions"));
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
    EXPECT_GT(Second.region(Function)["versions"][0]["hits"], 0) << Second.Report.dump(1);
}

/// As a full disk leaves it in the middle of an upgrade.
TEST(Compiler, ALibraryThatIsCutOffCostsOneLine) {
  Sandbox Box;
  const fs::path Library = SPECRT_LIBRARY, Compiler = "libspecrt-jit.so", Here = Box.path("lib");
  fs::create_directories(Here);
  fs::copy_file(Library, Here / Library.filename());
  fs::copy_file(Library.parent_path() / Compiler, Here / Compiler);
  fs::copy_file(Library.parent_path() / "specrt-server", Here / "specrt-server");
  fs::resize_file(Here / Compiler, fs::file_size(Here / Compiler) / 2);
  Environment There = Synchronous;
  There["LD_LIBRARY_PATH"] = Here;
  Outcome Run = Box.story("steady", There);
  expectSame(Run, plainStory("steady"));
  EXPECT_THAT(Run.Errors, HasSubstr((Here / Compiler).string() + " is incomplete"));
  EXPECT_EQ(std::count(Run.Errors.begin(), Run.Errors.end(), '\n'), 1) << Run.Errors;
}

TEST(Cache, NoHomeMeansNoCache) {
  Sandbox Box;
  Environment Homeless = Synchronous;
  Homeless["SPECRT_CACHE_DIR"] = "";
  Homeless["XDG_CACHE_HOME"] = "";
  Homeless["HOME"] = "";
  Outcome Run = Box.story("steady", Homeless);
  expectSame(Run, plainStory("steady"));
  EXPECT_THAT(Run.Errors, HasSubstr("nothing is kept between runs"));
  Homeless["SPECRT_PROFILE"] = "off";
  EXPECT_THAT(Box.story("steady", Homeless).Errors, IsEmpty());
}

TEST(Cache, ALimitOfNothingKeepsNothing) {
  Sandbox Box;
  Environment Nothing = Synchronous;
  Nothing["SPECRT_CACHE_LIMIT"] = "0";
  expectSame(Box.story("steady", Nothing), plainStory("steady"));
  EXPECT_TRUE(versionsIn(Box).empty());
}

} // namespace
