//===- tests/e2e/cache_path_test.cpp - runs that start from a cache of others ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/e2e/warm_cache.h"

#include <sys/stat.h>

using namespace specrt::e2e;
using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

namespace {

/// Everything below a folder: names, times and sizes.
std::map<std::string, std::string> stateOf(const fs::path &Folder) {
  std::map<std::string, std::string> State;
  for (const auto &Entry : fs::recursive_directory_iterator(Folder))
    State[Entry.path()] =
        std::to_string(Entry.last_write_time().time_since_epoch().count()) + " " +
        (Entry.is_regular_file() ? std::to_string(Entry.file_size()) : std::string());
  return State;
}

/// A first run has filled the cache directory "site"; the own one is empty.
class CachePath : public WarmCache {
protected:
  CachePath() {
    fs::rename(Box.path("cache"), Box.path("site"));
    fs::remove_all(Box.path("site/reports"));
  }

  Environment with(const std::string &Path, const Environment &Extra = {}) const {
    Environment All = Extra;
    All["SPECRT_CACHE_PATH"] = Path;
    return All;
  }
  std::string site() const { return Box.path("site").string(); }
  void expectServed(const Outcome &Run) const {
    expectSame(Run, Plain);
    expectNoCompiler(Run);
    expectSpecialised(Run);
  }
  /// The directory is not used, and one line says why.
  void expectRefused(const Outcome &Run, const std::string &Why) const {
    expectSame(Run, Plain);
    EXPECT_GE(compiles(Run), 1);
    EXPECT_THAT(Run.Errors, HasSubstr(Why));
    EXPECT_EQ(std::count(Run.Errors.begin(), Run.Errors.end(), '\n'), 1) << Run.Errors;
  }
};

TEST_F(CachePath, ServesTheFirstRunOfAnEmptyCacheAndStaysAsItIs) {
  const auto Before = stateOf(site());
  expectServed(secondRun(with(site())));
  EXPECT_THAT(versionsIn(Box), IsEmpty());
  EXPECT_EQ(stateOf(site()), Before);
}

TEST_F(CachePath, MayHaveWhatOnlyOneOfItsDirectoriesKnows) {
  fs::create_directories(Box.path("versions-only"));
  fs::permissions(Box.path("versions-only"), fs::perms::owner_all);
  fs::rename(Box.path("site/versions"), Box.path("versions-only/versions"));
  expectServed(secondRun(with(site() + ":" + Box.path("nothing").string() + ":" +
                              Box.path("versions-only").string())));
}

TEST_F(CachePath, ServesProgramsOfTheSameNameInOtherFolders) {
  fs::create_directory(Box.path("bin"));
  fs::copy_file(SPECRT_STORY, Box.path("bin/story"));
  const Outcome Run = Box.run(Box.path("bin/story"), {"steady"}, with(site()));
  expectServed(Run);
  fs::rename(Box.path("bin/story"), Box.path("bin/other"));
  const Outcome Other = Box.run(Box.path("bin/other"), {"steady"}, with(site(), Synchronous));
  expectSame(Other, Plain);
  const auto Timeline = Other.region("product")["timeline"];
  ASSERT_FALSE(Timeline.empty());
  EXPECT_NE(Timeline[0]["event"], "known") << "another name is another program";
}

TEST_F(CachePath, ServesRunsThatWriteNothing) {
  const auto Before = stateOf(site());
  expectServed(secondRun(with(site(), {{"SPECRT_PROFILE", "read"}})));
  EXPECT_FALSE(fs::exists(Box.path("cache")));
  const Environment Homeless = {{"SPECRT_CACHE_DIR", ""},
                                {"XDG_CACHE_HOME", ""},
                                {"HOME", ""},
                                {"SPECRT_PROFILE", "read"},
                                {"SPECRT_COMPILE", "off"}};
  expectServed(secondRun(with(site(), Homeless)));
  EXPECT_EQ(stateOf(site()), Before);
}

TEST_F(CachePath, NewKnowledgeGoesToTheOwnCacheAndBothCountFromThenOn) {
  const auto Before = stateOf(site());
  const Outcome Expected = plainStory("new-values");
  const Outcome First = Box.story("new-values", with(site(), Synchronous));
  expectSame(First, Expected);
  EXPECT_GE(compiles(First), 1);
  EXPECT_THAT(First.Errors, IsEmpty());
  EXPECT_FALSE(versionsIn(Box).empty());
  EXPECT_EQ(stateOf(site()), Before);
  for (const char *Name : {"steady", "new-values"}) {
    const Outcome Again = Box.story(Name, with(site(), {{"SPECRT_COMPILE", "off"}}));
    expectSame(Again, plainStory(Name));
    expectNoCompiler(Again);
    EXPECT_GE(versionsRan(Again), 1u) << Name;
  }
}

TEST_F(CachePath, ThatOthersCouldWriteToIsNotUsed) {
  for (const mode_t Mode : {0777, 0775, 01777}) {
    chmod(site().c_str(), Mode);
    expectRefused(Box.story("steady", with(site(), Synchronous)), "site is not used: it and those");
    removeFolder(Box.path("cache"));
  }
  chmod(site().c_str(), 0755);
  fs::create_directory(Box.path("above"));
  fs::rename(site(), Box.path("above/site"));
  chmod(Box.path("above").c_str(), 0777);
  const std::string Below = Box.path("above/site").string();
  expectRefused(Box.story("steady", with(Below, Synchronous)), Below + " is not used: it and");
}

TEST_F(CachePath, OfAnotherUserIsNotUsed) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  constexpr uid_t Other = 12345;
  ASSERT_EQ(chown(site().c_str(), Other, Other), 0);
  expectRefused(Box.story("steady", with(site(), Synchronous)), "must belong to the user or root");
}

TEST_F(CachePath, ItsDamagedFilesStayAndAreNamed) {
  for (const auto &Entry : fs::directory_iterator(Box.path("site/versions")))
    if (Entry.path().extension() == ".so")
      fs::resize_file(Entry.path(), Entry.file_size() / 2);
  const auto Before = stateOf(site());
  const Outcome Run = Box.story("steady", with(site(), Synchronous));
  expectSame(Run, Plain);
  EXPECT_GE(compiles(Run), 1);
  EXPECT_THAT(Run.Errors, HasSubstr("could not be used"));
  EXPECT_EQ(stateOf(site()), Before);
}

TEST_F(CachePath, IsNotReadWhereProfilesAreNot) {
  const Outcome Run =
      secondRun(with(site(), {{"SPECRT_PROFILE", "off"}, {"SPECRT_COMPILE", "sync"}}));
  EXPECT_GE(compiles(Run), 1);
}

TEST_F(CachePath, ThatIsNotAbsoluteIsOneWarning) {
  const Outcome Run = Box.story("steady", with("site", Synchronous));
  expectRefused(Run, "SPECRT_CACHE_PATH=site is not understood (accepted: absolute paths");
}

} // namespace
