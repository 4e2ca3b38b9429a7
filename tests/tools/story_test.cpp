//===- tests/tools/story_test.cpp - specrt on reports of real runs --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/e2e/harness.h"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/stat.h>

using namespace specrt::e2e;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
namespace fs = std::filesystem;

namespace {

const Environment Synchronous = {{"SPECRT_COMPILE", "sync"}, {"SPECRT_HOT", "1"}};

class ToolsTest : public testing::Test {
protected:
  /// Runs specrt with this sandbox's cache.
  Outcome specrt(const std::vector<std::string> &Arguments, const Environment &Extra = {}) const {
    return Box.run(SPECRT_TOOL, Arguments, Extra);
  }
  std::string path(const std::string &Name) const { return Box.path(Name).string(); }
  std::string write(const std::string &Name, const std::string &Text) const {
    std::ofstream(Box.path(Name), std::ios::binary) << Text;
    return path(Name);
  }
  std::string read(const std::string &Path) const {
    std::ostringstream Text;
    Text << std::ifstream(Path, std::ios::binary).rdbuf();
    return Text.str();
  }
  std::vector<fs::path> filesIn(const std::string &Folder) const {
    std::vector<fs::path> Files;
    if (fs::exists(Box.path(Folder)))
      for (const auto &Entry : fs::directory_iterator(Box.path(Folder)))
        Files.push_back(Entry.path());
    std::sort(Files.begin(), Files.end());
    return Files;
  }
  /// Gives the only profile a large observation, "[]"; returns the path of its file.
  std::string addObservation() const {
    fs::create_directory(Box.path("cache/profiles/observations"));
    chmod(path("cache/profiles/observations").c_str(), 0700);
    std::string Program;
    for (const fs::path &File : filesIn("cache/profiles"))
      if (File.extension() == ".json" && File.stem().string().starts_with("story-"))
        Program = File.stem();
    return write(
        "cache/profiles/observations/" + Program + "-39347ff402b6c53d831154110e30ac6a.json", "[]");
  }
  size_t widestLine(const std::string &Text) const {
    size_t Widest = 0;
    std::istringstream Lines(Text);
    for (std::string Line; std::getline(Lines, Line);)
      Widest = std::max(Widest, Line.size());
    return Widest;
  }

  Sandbox Box;
};

TEST_F(ToolsTest, TheLastRunIsKeptAndShown) {
  Box.story("steady", Synchronous);
  ASSERT_EQ(filesIn("cache/reports").size(), 1u);
  for (const std::string &What : {std::string(), std::string("story"), std::string(SPECRT_STORY),
                                  filesIn("cache/reports")[0].string()}) {
    Outcome O = What.empty() ? specrt({"report"}) : specrt({"report", What});
    EXPECT_EQ(O.Status, 0) << O.Errors;
    EXPECT_THAT(O.Errors, IsEmpty());
    EXPECT_THAT(O.Output, ContainsRegex("product:32 +specialised +1 "));
    EXPECT_THAT(O.Output, HasSubstr("n == 61"));
    EXPECT_THAT(O.Output, HasSubstr("story.cpp:32"));
    EXPECT_THAT(O.Output, HasSubstr("never became hot"));
    EXPECT_LE(widestLine(O.Output), 100u);
  }
  EXPECT_THAT(specrt({"report", "--all"}).Output, HasSubstr("smooth:"));
  EXPECT_THAT(specrt({"report"}).Output, Not(HasSubstr("smooth:")));
}

/// The second run publishes what the first one measured. Which of both it measures itself depends
/// on how long its calls take.
TEST_F(ToolsTest, TimesOfAnEarlierRunAreToldAsSuch) {
  Box.story("steady", Synchronous);
  Environment Second = Synchronous;
  Second["SPECRT_LOG"] = "info";
  const Outcome Run = Box.story("steady", Second);
  const auto Region = Run.region("product");
  ASSERT_EQ(Region["state"], "specialised");
  const Outcome O = specrt({"report"});
  EXPECT_THAT(O.Output, ContainsRegex("\nregions took [^;]* of [^;]*;"));
  EXPECT_THAT(Run.Errors, ContainsRegex("specrt: regions took [^;]* of [^;]*; "));
  const bool IsEarlier = Region["original_is_earlier"] || Region["best_is_earlier"];
  for (const std::string &Text : {O.Output, Run.Errors})
    EXPECT_EQ(Text.find("* an earlier run measured it") != std::string::npos, IsEarlier) << Text;
  EXPECT_LE(Run.Report["total"]["spent_ms"], Run.Report["elapsed_ms"]);
}

TEST_F(ToolsTest, ReportsSayWhatIsOfAnEarlierRun) {
  const std::string File = write(
      "earlier.json",
      R"({"format": 1, "counters": {}, "regions": [{"name": "a:1", "state": "specialised", "hot": true, "original_ns": 5250000,
     "original_is_earlier": true, "best_ns": 1000000, "versions": [{"candidate": "constants",
     "ns": 1000000, "original_ns": 5250000, "original_is_earlier": true, "hits": 80}]}]})");
  const Outcome O = specrt({"report", File});
  EXPECT_EQ(O.Status, 0) << O.Errors;
  EXPECT_THAT(O.Output, ContainsRegex("5[.]25 ms[*] +1[.]00 ms +5[.]25x\n[*] an earlier run"));
  EXPECT_THAT(O.Output,
              HasSubstr("1.00 ms instead of 5.25 ms, which an earlier run measured (5.25x)"));
}

/// Nobody knows whether they are hot, and most of their reasons are the same.
TEST_F(ToolsTest, RegionsWhoseCallsAreNotSeenAreOneBlockPerReason) {
  std::string Regions;
  for (int I = 1; I <= 34; ++I)
    Regions += std::string(I > 1 ? "," : "") + R"({"name": "f:)" + std::to_string(I) +
               R"(", "state": "blocked", "unseen": true, "reason": ")" +
               (I > 30 ? "results are open" : "calls rand") + R"(", "advice": "do something"})";
  const std::string File =
      write("unseen.json", R"({"format": 1, "counters": {}, "regions": [)" + Regions + "]}");
  const Outcome O = specrt({"report", File});
  EXPECT_EQ(O.Status, 0) << O.Errors;
  EXPECT_THAT(O.Output, HasSubstr("34 regions are left as they are; whether that matters is not "
                                  "seen (--all shows each):\n"
                                  "  calls rand: f:1, f:2, f:3 and 27 more\n"
                                  "    -> do something\n"
                                  "  results are open: f:31, f:32, f:33 and 1 more\n"));
  EXPECT_EQ(O.Output.find("REGION"), std::string::npos);
  EXPECT_THAT(specrt({"report", "--all", File}).Output, ContainsRegex("f:34 +blocked"));
}

TEST_F(ToolsTest, CallsThatChangedOverAreTold) {
  Outcome Run = Box.story("once", {{"SPECRT_COMPILE", "sync"}, {"SPECRT_HOT", "1"}});
  ASSERT_FALSE(Run.region("product")["on_stack_replacements"].empty()) << Run.Report.dump(1);
  for (const std::vector<std::string> &Command :
       {std::vector<std::string>{"report"}, {"explain", "product"}}) {
    Outcome O = specrt(Command);
    EXPECT_EQ(O.Status, 0) << O.Errors;
    EXPECT_THAT(O.Output,
                ContainsRegex("running calls: one changed over to [a-z0-9-]+ at iteration "
                              "[0-9]+ of 2,400: "));
    EXPECT_LE(widestLine(O.Output), 100u);
  }
}

TEST_F(ToolsTest, NothingIsKeptWhenNothingIsHotOrNothingIsWritten) {
  Box.story("steady", {{"SPECRT_HOT", "1000000"}});
  EXPECT_THAT(filesIn("cache/reports"), IsEmpty());
  for (const char *Mode : {"off", "read"}) {
    Environment Settings = Synchronous;
    Settings["SPECRT_PROFILE"] = Mode;
    Box.story("steady", Settings);
    EXPECT_THAT(filesIn("cache/reports"), IsEmpty()) << Mode;
  }
  Outcome O = specrt({"report"});
  EXPECT_EQ(O.Status, 1);
  EXPECT_THAT(O.Errors, HasSubstr("there is no report"));
}

TEST_F(ToolsTest, AReportThatCannotBeKeptIsOneWarning) {
  fs::create_directories(Box.path("cache"));
  fs::permissions(Box.path("cache"), fs::perms::owner_all);
  write("cache/reports", "not a folder");
  Outcome Run = Box.story("steady", Synchronous);
  EXPECT_THAT(Run.Errors,
              HasSubstr("the report of this run is not kept: cannot open the directory"));
  EXPECT_EQ(std::count(Run.Errors.begin(), Run.Errors.end(), '\n'), 1) << Run.Errors;
}

TEST_F(ToolsTest, FilesThatAreNotOursAreNoReports) {
  Box.story("steady", Synchronous);
  write("cache/reports/notes.json", "{}");
  fs::last_write_time(Box.path("cache/reports/notes.json"),
                      fs::file_time_type::clock::now() + std::chrono::hours(1));
  Outcome O = specrt({"report"});
  EXPECT_EQ(O.Status, 0) << O.Errors;
  EXPECT_THAT(O.Output, HasSubstr("product:32"));
}

TEST_F(ToolsTest, AKeptReportCountsMostOfWhatNeverBecameHot) {
  Outcome Run = Box.run(SPECRT_MANY, {}, Synchronous);
  EXPECT_GE(Run.Report["regions"].size(), 41u) << "the report that was asked for has all";
  EXPECT_EQ(Run.Report["regions_omitted"], 0);
  ASSERT_EQ(filesIn("cache/reports").size(), 1u);
  auto Kept = nlohmann::json::parse(read(filesIn("cache/reports")[0].string()));
  size_t All = Run.Report["regions"].size();
  EXPECT_EQ(Kept["regions"].size() + Kept["regions_omitted"].get<size_t>(), All);
  EXPECT_LE(Kept["regions"].size(), 33u);
  EXPECT_THAT(specrt({"report"}).Output,
              AllOf(HasSubstr("hot:13"), HasSubstr(std::to_string(All - 1) + " regions were")));
}

TEST_F(ToolsTest, TheJsonReportTellsWhatHappenedWhen) {
  Outcome Run = Box.story("steady", Synchronous);
  nlohmann::json Region = Run.region("product");
  ASSERT_TRUE(Region.is_object());
  std::vector<std::string> Events;
  double Last = 0;
  for (const auto &E : Region["timeline"]) {
    EXPECT_GE(E["ms"].get<double>(), Last) << Region["timeline"].dump();
    Last = E["ms"];
    Events.push_back(E["event"]);
  }
  EXPECT_LE(Last, Run.Report["elapsed_ms"].get<double>());
  std::vector<std::string> Life = {"first-call",  "hot",         "compile-begin",
                                   "compile-end", "trial-begin", "published"};
  auto At = Events.begin();
  for (const std::string &Event : Life) {
    At = std::find(At, Events.end(), Event);
    EXPECT_NE(At, Events.end()) << Event << " is missing in " << Region["timeline"].dump();
  }
  EXPECT_EQ(Run.Report["settings"]["SPECRT_HOT"], "1");
  EXPECT_EQ(Run.Report["program"], fs::canonical(SPECRT_STORY).string());
  ASSERT_FALSE(Region["causes"].empty());
  for (const auto &Cause : Region["causes"])
    EXPECT_FALSE(Cause["advice"].get<std::string>().empty()) << Cause.dump();
}

TEST_F(ToolsTest, ASecondRunIsKnownFromTheFirst) {
  Box.story("steady", Synchronous);
  Outcome Second = Box.story("steady");
  Outcome O = specrt({"explain", "product:32"});
  EXPECT_THAT(O.Output, HasSubstr("known from an earlier run"));
}

TEST_F(ToolsTest, ExplainTellsAllAboutARegion) {
  Box.story("steady", Synchronous);
  for (const char *Name : {"product:32", "prod*", "product", "story.cpp:32"}) {
    Outcome O = specrt({"explain", Name});
    EXPECT_EQ(O.Status, 0) << Name << O.Errors;
    EXPECT_THAT(O.Output,
                AllOf(HasSubstr("Observed"), HasSubstr("n: 61"), HasSubstr("never overlapped"),
                      HasSubstr("Versions in use"), HasSubstr("Candidates not in use"),
                      HasSubstr("alias"), HasSubstr("__restrict"), HasSubstr("Timeline"),
                      HasSubstr("in use from now on")))
        << Name;
    EXPECT_LE(widestLine(O.Output), 100u);
  }
  EXPECT_THAT(specrt({"explain", "--list"}).Output, HasSubstr("\nproduct:32\n"));
  EXPECT_THAT(specrt({"explain", "--list", "story"}).Output, HasSubstr("product:32\n"));
}

TEST_F(ToolsTest, AnUnknownRegionSuggestsTheNearest) {
  Box.story("steady", Synchronous);
  Outcome O = specrt({"explain", "prodct:33"});
  EXPECT_EQ(O.Status, 1);
  EXPECT_THAT(O.Errors, HasSubstr("did you mean 'product:32'?"));
  EXPECT_THAT(O.Output, IsEmpty());
}

TEST_F(ToolsTest, ReasonsComeWithAdvice) {
  Outcome Run = Box.story(
      "steady", {{"SPECRT_REGIONS", "nothing"}, {"SPECRT_REPORT", path("excluded.json")}});
  EXPECT_EQ(Run.region("product"), nullptr) << "regions that were never observed are not reported";
  Environment NoJit = Synchronous;
  fs::create_directories(Box.path("lib"));
  fs::copy(SPECRT_LIBRARY, Box.path("lib/libspecrt.so.0"));
  NoJit["LD_LIBRARY_PATH"] = path("lib");
  NoJit["SPECRT_REPORT"] = path("nojit.json");
  Box.story("steady", NoJit);
  Outcome O = specrt({"report", path("nojit.json")});
  EXPECT_THAT(O.Output, AllOf(HasSubstr("blocked"), HasSubstr("compiler not available"),
                              HasSubstr("-> Install specrt-server, libspecrt-jit.so")));
}

TEST_F(ToolsTest, PagesComeFromTheProgramAndFromTheTool) {
  Outcome Run = Box.story(
      "steady",
      {{"SPECRT_COMPILE", "sync"}, {"SPECRT_HOT", "1"}, {"SPECRT_REPORT", path("run.html")}});
  EXPECT_THAT(Run.Errors, IsEmpty());
  EXPECT_EQ(specrt({"report", "--html", path("tool.html")}).Status, 0);
  std::string Printed = specrt({"report", "--html", "-"}).Output;
  EXPECT_EQ(Printed, read(path("tool.html")));
  for (const std::string &Page : {read(path("run.html")), Printed}) {
    EXPECT_THAT(Page, AllOf(HasSubstr("<!DOCTYPE html>"), HasSubstr("product:32"),
                            HasSubstr("</html>"), Not(HasSubstr("@SPECRT_REPORT@"))));
  }
  Outcome Nowhere = specrt({"report", "--html", path("no/such/folder.html")});
  EXPECT_EQ(Nowhere.Status, 2);
  EXPECT_THAT(Nowhere.Errors, HasSubstr("cannot be written"));
}

TEST_F(ToolsTest, InputThatIsNoReportIsNamedWithWhatIsWrong) {
  struct Case {
    std::string Path, Problem;
  };
  fs::create_directory(Box.path("folder.json"));
  for (const Case &C :
       {Case{path("missing.json"), "cannot be read"}, Case{write("empty.json", ""), "is empty"},
        Case{write("damaged.json", "{\"format\": 1,"), "is damaged"},
        Case{write("foreign.json", "{\"name\": \"package\"}"), "not a report"},
        Case{write("binary.json", std::string(300, '\xff')), "is damaged"},
        Case{path("folder.json"), "is a directory"}}) {
    Outcome O = specrt({"report", C.Path});
    EXPECT_EQ(O.Status, 2) << C.Path;
    EXPECT_THAT(O.Errors, AllOf(HasSubstr(C.Path), HasSubstr(C.Problem)));
    EXPECT_THAT(O.Output, IsEmpty());
    EXPECT_EQ(specrt({"explain", "f", C.Path}).Status, 2) << C.Path;
  }
}

TEST_F(ToolsTest, LargeObservationsBelongToTheirProfile) {
  Box.story("steady", Synchronous);
  auto Profile = [&] {
    auto List =
        nlohmann::json::parse(specrt({"cache", "list", "--kind", "profiles", "--json"}).Output);
    return List["entries"].at(0);
  };
  uint64_t Before = Profile()["bytes"];
  std::string File = addObservation();
  EXPECT_EQ(Profile()["bytes"], Before + 2);
  EXPECT_EQ(specrt({"cache", "verify"}).Status, 0);
  std::ofstream(File) << "{}";
  Outcome O = specrt({"cache", "verify"});
  EXPECT_EQ(O.Status, 1);
  EXPECT_THAT(O.Output, HasSubstr("wrong checksum"));
}

TEST_F(ToolsTest, TheCacheIsListedAndVerified) {
  Box.story("steady", Synchronous);
  EXPECT_EQ(specrt({"cache", "path"}).Output, path("cache") + "\n");
  Outcome List = specrt({"cache", "list"});
  EXPECT_THAT(List.Output, AllOf(HasSubstr("profiles"), HasSubstr("reports"), HasSubstr("versions"),
                                 HasSubstr("product:32")));
  auto Json = nlohmann::json::parse(specrt({"cache", "list", "--json"}).Output);
  EXPECT_GE(Json["entries"].size(), 3u);
  EXPECT_EQ(specrt({"cache", "verify"}).Status, 0);

  for (const char *Folder : {"cache/profiles", "cache/reports", "cache/versions"}) {
    fs::path Victim;
    for (const fs::path &File : filesIn(Folder))
      if (File.extension() == ".json" || File.extension() == ".so")
        Victim = File;
    ASSERT_FALSE(Victim.empty()) << Folder;
    std::string Before = read(Victim.string());
    std::ofstream(Victim, std::ios::binary) << Before.substr(0, Before.size() / 2);
    Outcome O = specrt({"cache", "verify"});
    EXPECT_EQ(O.Status, 1) << Folder;
    EXPECT_THAT(O.Output, HasSubstr(Victim.string() + " is ")) << Folder;
    std::ofstream(Victim, std::ios::binary) << Before;
    EXPECT_EQ(specrt({"cache", "verify"}).Status, 0) << Folder;
  }
}

TEST_F(ToolsTest, ClearingAsksAndSparesWhatIsNotOurs) {
  Box.story("steady", Synchronous);
  write("cache/profiles/notes.txt", "mine");
  write("cache/profiles/notes.json", "mine too");
  write("cache/mine", "still mine");
  Outcome Asked = specrt({"cache", "clear"}); // standard input is no terminal
  EXPECT_EQ(Asked.Status, 2);
  EXPECT_THAT(Asked.Errors, HasSubstr("--yes"));
  EXPECT_GE(filesIn("cache/reports").size(), 1u);

  std::string Observation = addObservation();
  write("cache/profiles/observations/notes.json", "mine as well");
  EXPECT_EQ(specrt({"cache", "clear", "--yes", "--program", "/no/such/program"}).Status, 0);
  EXPECT_TRUE(fs::exists(Observation));
  EXPECT_EQ(filesIn("cache/reports").size(), 1u);
  EXPECT_EQ(specrt({"cache", "clear", "--yes", "--kind", "reports"}).Status, 0);
  EXPECT_THAT(filesIn("cache/reports"), IsEmpty());
  EXPECT_EQ(specrt({"cache", "clear", "--yes", "--program", "story"}).Status, 0);
  EXPECT_EQ(filesIn("cache/profiles").size(), 3u) << "the files and the folder that are not ours";
  EXPECT_FALSE(fs::exists(Observation));
  EXPECT_FALSE(filesIn("cache/versions").empty()) << "no program owns them";
  EXPECT_EQ(specrt({"cache", "clear", "-y"}).Status, 0);
  EXPECT_THAT(filesIn("cache/versions"), IsEmpty());
  EXPECT_EQ(read(path("cache/mine")), "still mine");
  EXPECT_EQ(read(path("cache/profiles/notes.json")), "mine too");
  EXPECT_EQ(read(path("cache/profiles/observations/notes.json")), "mine as well");
  EXPECT_THAT(specrt({"cache", "list"}).Output, HasSubstr("0 files"));
}

TEST_F(ToolsTest, ACacheThatIsNotPrivateIsRefused) {
  Box.story("steady", Synchronous);
  chmod(path("cache").c_str(), 0777);
  Outcome O = specrt({"cache", "list"});
  EXPECT_EQ(O.Status, 2);
  EXPECT_THAT(O.Errors, HasSubstr("must belong to the user"));
  EXPECT_EQ(specrt({"report"}).Status, 2);
  EXPECT_EQ(specrt({"cache", "clear", "--yes"}).Status, 2);
  EXPECT_FALSE(filesIn("cache/profiles").empty());
}

TEST_F(ToolsTest, ACacheThatIsAFileIsAnError) {
  Environment Wrong = {{"SPECRT_CACHE_DIR", write("file", "not a folder")}};
  EXPECT_EQ(specrt({"cache", "list"}, Wrong).Status, 2);
  EXPECT_EQ(specrt({"report"}, Wrong).Status, 2);
  EXPECT_EQ(specrt({"cache", "list"}, {{"SPECRT_CACHE_DIR", path("nothing")}}).Status, 0);
}

/// Another directory in its place would be shown, or cleared.
TEST_F(ToolsTest, ACacheThatIsNotAnAbsolutePathIsAnError) {
  const Environment Home = {{"SPECRT_CACHE_DIR", ""}, {"XDG_CACHE_HOME", path("home")}};
  Box.story("steady", {{"SPECRT_CACHE_DIR", ""},
                       {"XDG_CACHE_HOME", path("home")},
                       {"SPECRT_COMPILE", "sync"},
                       {"SPECRT_HOT", "1"}});
  ASSERT_EQ(specrt({"report"}, Home).Status, 0);
  Environment Wrong = Home;
  Wrong["SPECRT_CACHE_DIR"] = "cache";
  for (const std::vector<std::string> &Command : {std::vector<std::string>{"cache", "clear", "-y"},
                                                  {"cache", "list"},
                                                  {"cache", "verify"},
                                                  {"cache", "path"},
                                                  {"report"},
                                                  {"explain", "*"}}) {
    const Outcome O = specrt(Command, Wrong);
    EXPECT_EQ(O.Status, 2) << O.Output;
    EXPECT_EQ(O.Errors, "specrt: error: SPECRT_CACHE_DIR=cache is not an absolute path\n");
    EXPECT_THAT(O.Output, IsEmpty());
  }
  EXPECT_EQ(specrt({"report"}, Home).Status, 0) << "nothing was removed";
}

TEST_F(ToolsTest, EnvTellsValuesAndSources) {
  Outcome O = specrt({"env"}, {{"SPECRT_HOT", "0.5"}});
  EXPECT_EQ(O.Status, 0) << O.Errors;
  EXPECT_THAT(O.Output, ContainsRegex("SPECRT_HOT +0.5 +environment"));
  EXPECT_THAT(O.Output, ContainsRegex("SPECRT_LOG +warning +default"));
  EXPECT_THAT(O.Output, HasSubstr("SPECRT_INSTRUMENT_FILTER"));
  Outcome Home = specrt(
      {"env"}, {{"SPECRT_CACHE_DIR", ""}, {"XDG_CACHE_HOME", "/xdg"}, {"HOME", "/home/somebody"}});
  EXPECT_THAT(Home.Output, ContainsRegex("SPECRT_CACHE_DIR +/xdg/specrt +XDG_CACHE_HOME"));
  auto Json = nlohmann::json::parse(specrt({"env", "--json"}).Output);
  EXPECT_GE(Json["settings"].size(), 13u);
  EXPECT_LE(widestLine(specrt({"env", "--long"}).Output), 100u);
}

TEST_F(ToolsTest, EnvWarnsLikeAProgramWould) {
  Outcome O = specrt({"env"}, {{"SPECRT_HOT", "soon"}, {"SPECRT_LOGG", "info"}});
  EXPECT_EQ(O.Status, 1);
  EXPECT_THAT(O.Errors, AllOf(HasSubstr("SPECRT_HOT=soon is not understood"),
                              HasSubstr("nearest known name is SPECRT_LOG")));
  EXPECT_THAT(O.Output, ContainsRegex("SPECRT_HOT +20 +default"));
}

TEST_F(ToolsTest, WrongUsageSaysWhatWasMeant) {
  Outcome O = specrt({"reprot"});
  EXPECT_EQ(O.Status, 2);
  EXPECT_THAT(O.Errors, HasSubstr("did you mean 'report'?"));
  EXPECT_THAT(specrt({"cache", "lst"}).Errors, HasSubstr("did you mean 'list'?"));
  EXPECT_THAT(specrt({"zzzzzz"}).Errors, HasSubstr("the commands are report"));
  EXPECT_EQ(specrt({}).Status, 2);
  EXPECT_EQ(specrt({"report", "--sort", "colour"}).Status, 2);
  EXPECT_EQ(specrt({"explain"}).Status, 2);
  EXPECT_EQ(specrt({"--version"}).Status, 0);
  EXPECT_THAT(specrt({"--version"}).Output, HasSubstr("specrt 0."));
  EXPECT_THAT(specrt({"--help"}).Output, HasSubstr("explain"));
  EXPECT_THAT(specrt({"cache", "clear", "--help"}).Output, HasSubstr("--yes"));
}

TEST_F(ToolsTest, NamesCannotDriveTheTerminal) {
  std::string Evil = write("evil.json", R"({"format": 1, "counters": {}, "regions": [
    {"name": "a\u001b[2Jb", "state": "blocked", "reason": "x\u0007y\nz", "hot": true}]})");
  for (const std::vector<std::string> &Arguments : {std::vector<std::string>{"report", Evil},
                                                    {"explain", "*", Evil},
                                                    {"explain", "--list", Evil}}) {
    Outcome O = specrt(Arguments);
    EXPECT_EQ(O.Status, 0) << O.Errors;
    EXPECT_EQ(O.Output.find_first_of("\033\007"), std::string::npos);
    EXPECT_THAT(O.Output, HasSubstr("a?[2Jb"));
  }
}

TEST_F(ToolsTest, TheSummaryAtExitNamesWhatBecameHot) {
  Environment Info = Synchronous;
  Info["SPECRT_LOG"] = "info";
  Outcome Run = Box.story("steady", Info);
  EXPECT_THAT(Run.Errors, ContainsRegex("specrt: product:32 +specialised"));
  EXPECT_THAT(Run.Errors, HasSubstr("called but never became hot"));
  EXPECT_THAT(Run.Errors, Not(HasSubstr("smooth")));
}

} // namespace
