//===- tests/tools/archive/shipping_test.cpp - a program is fast from its first run ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/e2e/harness.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace specrt::e2e;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
namespace fs = std::filesystem;

namespace {

/// A machine where the program has run, in "cache", and one where it has not, in "other".
class Shipping : public testing::Test {
protected:
  Shipping() {
    First = Box.story("steady", Synchronous);
    EXPECT_GE(compiles(First), 1);
  }

  std::string path(const std::string &Name) const { return Box.path(Name).string(); }
  Environment there(Environment Extra = {}) const {
    Extra["SPECRT_CACHE_DIR"] = path("other");
    return Extra;
  }
  Outcome specrt(const std::vector<std::string> &Arguments, const Environment &Extra = {}) const {
    return Box.run(SPECRT_TOOL, Arguments, Extra);
  }
  void exportAll() const {
    const Outcome O = specrt({"cache", "export", path("a.tar")});
    ASSERT_EQ(O.Status, 0) << O.Errors;
    EXPECT_THAT(O.Output, ContainsRegex("^1 profile, [1-9][0-9]* compiled versions? exported to "));
  }
  void expectServed(const Outcome &Run) const {
    expectSame(Run, plainStory("steady"));
    EXPECT_EQ(compiles(Run), 0) << Run.Report.dump(1);
    EXPECT_EQ(Run.Report["counters"]["compiler_asked"], false);
    EXPECT_GE(versionsRan(Run), 1u) << Run.Report.dump(1);
    EXPECT_THAT(Run.Errors, IsEmpty());
  }
  size_t filesIn(const std::string &Folder) const {
    size_t Count = 0;
    if (fs::exists(Box.path(Folder)))
      for (const auto &Entry : fs::recursive_directory_iterator(Box.path(Folder)))
        Count += Entry.is_regular_file();
    return Count;
  }

  Sandbox Box;
  Outcome First;
};

TEST_F(Shipping, ExportedAndImportedItServesTheFirstRun) {
  exportAll();
  const Outcome O = specrt({"cache", "import", path("a.tar")}, there());
  EXPECT_EQ(O.Status, 0) << O.Errors;
  EXPECT_THAT(O.Errors, IsEmpty());
  EXPECT_THAT(O.Output, ContainsRegex("^1 profile, [1-9][0-9]* compiled versions? imported into "));
  expectServed(Box.story("steady", there()));
  EXPECT_EQ(specrt({"cache", "verify"}, there()).Status, 0);
}

TEST_F(Shipping, ThePackageServesRunsThatWriteNothing) {
  exportAll();
  const Environment Package = {{"SPECRT_CACHE_DIR", path("package")}};
  ASSERT_EQ(specrt({"cache", "import", "--foreign", path("a.tar")}, Package).Status, 0);
  const Environment ReadOnly = {{"SPECRT_CACHE_PATH", path("package")},
                                {"SPECRT_PROFILE", "read"},
                                {"SPECRT_COMPILE", "off"}};
  expectServed(Box.story("steady", there(ReadOnly)));
  EXPECT_FALSE(fs::exists(Box.path("other")));
}

TEST_F(Shipping, TheSameCacheGivesTheSameBytes) {
  exportAll();
  const std::string Bytes = Box.read("a.tar");
  for (const std::vector<std::string> &Programs :
       {std::vector<std::string>{}, {"story"}, {SPECRT_STORY}, {"story", SPECRT_STORY}}) {
    std::vector<std::string> Command = {"cache", "export", path("b.tar")};
    Command.insert(Command.end(), Programs.begin(), Programs.end());
    EXPECT_EQ(specrt(Command).Status, 0);
    EXPECT_EQ(Box.read("b.tar"), Bytes);
  }
  EXPECT_EQ(Bytes.find(path("")), std::string::npos) << "no path of the cache";
  // Through another cache, too.
  ASSERT_EQ(specrt({"cache", "import", path("a.tar")}, there()).Status, 0);
  ASSERT_EQ(specrt({"cache", "export", path("c.tar")}, there()).Status, 0);
  EXPECT_EQ(Box.read("c.tar"), Bytes);
}

TEST_F(Shipping, AProgramMayHaveAnotherPathThere) {
  exportAll();
  fs::create_directory(Box.path("bin"));
  fs::copy_file(SPECRT_STORY, Box.path("bin/story"));
  const Outcome O = specrt({"cache", "import", "--as", path("bin/story"), path("a.tar")}, there());
  ASSERT_EQ(O.Status, 0) << O.Errors;
  expectServed(Box.run(path("bin/story"), {"steady"}, there()));
  const Outcome Nowhere = specrt({"cache", "import", "--as", "no/program", path("a.tar")}, there());
  EXPECT_EQ(Nowhere.Status, 2);
  EXPECT_THAT(Nowhere.Errors, HasSubstr("needs an absolute path"));
}

TEST_F(Shipping, AnArchiveThatIsBadIsOneLineAndNothingElse) {
  exportAll();
  const std::string Bytes = Box.read("a.tar");
  std::string Damaged = Bytes;
  Damaged[Damaged.size() / 2] ^= 1;
  struct Case {
    std::string File, Why;
  };
  fs::create_directory(Box.path("folder"));
  for (const Case &Each : {Case{path("missing"), "cannot be read: No such file"},
                           Case{path("folder"), "Is a directory"},
                           Case{Box.write("empty", ""), "is no archive of a cache"},
                           Case{Box.write("text", "text"), "is no archive of a cache"},
                           Case{Box.write("cut", Bytes.substr(0, Bytes.size() / 2)), "damaged"},
                           Case{Box.write("damaged", Damaged), "(wrong checksum)"}}) {
    const Outcome O = specrt({"cache", "import", Each.File}, there());
    EXPECT_EQ(O.Status, 2) << Each.File;
    EXPECT_THAT(O.Errors, AllOf(StartsWith("specrt: error: " + Each.File), HasSubstr(Each.Why)));
    EXPECT_EQ(std::count(O.Errors.begin(), O.Errors.end(), '\n'), 1) << O.Errors;
    EXPECT_THAT(O.Output, IsEmpty());
    EXPECT_EQ(filesIn("other"), 0u) << Each.File;
  }
}

TEST_F(Shipping, NothingToExportOrNowhereToIsAnError) {
  EXPECT_EQ(specrt({"cache", "export", path("b.tar"), "unknown"}).Status, 1);
  EXPECT_EQ(specrt({"cache", "export", path("b.tar")}, there()).Status, 1);
  EXPECT_FALSE(fs::exists(Box.path("b.tar")));
  const Outcome O = specrt({"cache", "export", path("no/such/folder.tar")});
  EXPECT_EQ(O.Status, 2);
  EXPECT_THAT(O.Errors, HasSubstr("cannot be written"));
  EXPECT_EQ(specrt({"cache", "export"}).Status, 2);
}

TEST_F(Shipping, AllDirectoriesAreListedWhenAskedFor) {
  fs::rename(Box.path("cache"), Box.path("site"));
  fs::create_directory(Box.path("open"));
  chmod(path("open").c_str(), 0777);
  const Environment Path = {
      {"SPECRT_CACHE_PATH", path("site") + ":" + path("missing") + ":" + path("open")}};
  EXPECT_THAT(specrt({"cache", "list"}, Path).Output, Not(HasSubstr("product:32")));
  const Outcome O = specrt({"cache", "list", "--all"}, Path);
  EXPECT_EQ(O.Status, 0);
  EXPECT_THAT(O.Output, AllOf(HasSubstr("product:32"), HasSubstr("in " + path("site")),
                              HasSubstr(path("missing") + " does not exist"),
                              HasSubstr(path("open") + " is not used: it and those above")));
  const auto Json =
      nlohmann::json::parse(specrt({"cache", "list", "--all", "--json"}, Path).Output);
  ASSERT_EQ(Json["further"].size(), 3u);
  EXPECT_GE(Json["further"][0]["entries"].size(), 2u);
  EXPECT_THAT(Json["further"][0]["problems"], IsEmpty());
  EXPECT_EQ(Json["further"][1]["problems"].size(), 1u);
  EXPECT_EQ(Json["further"][2]["problems"].size(), 1u);
  EXPECT_THAT(specrt({"env"}, Path).Output, HasSubstr("SPECRT_CACHE_PATH"));
}

} // namespace
