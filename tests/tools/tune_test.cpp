//===- tests/tools/tune_test.cpp - specrt tune and report --diff on real runs ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/e2e/harness.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

using namespace specrt::e2e;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
namespace fs = std::filesystem;

namespace {

class TuneTest : public testing::Test {
protected:
  Outcome tune(std::vector<std::string> Options, const std::vector<std::string> &Command,
               const Environment &Extra = Synchronous) const {
    Options.insert(Options.begin(), "tune");
    Options.emplace_back("--");
    Options.insert(Options.end(), Command.begin(), Command.end());
    return Box.run(SPECRT_TOOL, Options, Extra);
  }
  /// A command that adds a line to the file "runs" and then does what \p Script says, with the
  /// number of the run in $run.
  std::vector<std::string> counted(const std::string &Script) const {
    return {"/bin/sh", "-c",
            "cd " + Box.path().string() + "; echo >>runs; run=$(wc -l <runs); " + Script};
  }
  size_t numRuns() const {
    const std::string Lines = Box.read("runs");
    return static_cast<size_t>(std::count(Lines.begin(), Lines.end(), '\n'));
  }
  static size_t count(const std::string &Text, const std::string &What) {
    size_t Found = 0;
    for (size_t At = Text.find(What); At != Text.npos; At = Text.find(What, At + 1))
      ++Found;
    return Found;
  }

  const std::string Steady = SPECRT_STORY " steady";
  /// Ends 0.1 s after a compile was requested, less than loading LLVM and compiling take. So this
  /// run decides nothing.
  const std::string Undecided =
      "STORY_AFTER_REQUEST=1 STORY_DELAY_MS=100 " SPECRT_STORY " exit-during-compile; [ $? = 7 ]";
  const Environment Background = {{"SPECRT_HOT", "0"}};
  Sandbox Box;
};

TEST_F(TuneTest, AProgramRunsUntilAllIsDecidedAndIsMeasured) {
  const Outcome O = tune({}, {SPECRT_STORY, "steady"});
  ASSERT_EQ(O.Report["total"]["hot_regions"], 1) << O.Errors;
  ASSERT_EQ(O.Report["total"]["undecided_regions"], 0);
  ASSERT_EQ(O.region("product")["state"], "specialised");
  EXPECT_GT(versionsRan(O), 0u);
  EXPECT_EQ(O.Status, 0) << O.Errors;
  EXPECT_THAT(O.Output, ContainsRegex("story: [0-9]+ runs?; the hot region is decided\n"));
  EXPECT_THAT(O.Output, ContainsRegex("product:32 +specialised +[a-z-]+ .*x\n"));
  EXPECT_THAT(O.Output, ContainsRegex("\nwhole program: .* -> .* \\([0-9.]+x\\), medians of [3-9] "
                                      "runs each"));
  EXPECT_THAT(O.Errors, ContainsRegex("specrt: run 1: [0-9.]+ s; "));
  EXPECT_TRUE(O.Output.starts_with(plainStory("steady").Output)) << "of the first run";
}

TEST_F(TuneTest, RunsAreMeasuredInTurnWithAndWithoutVersions) {
  const Outcome O =
      tune({"--show=none"}, counted("echo $run ${SPECRT_DISABLE:-0} >>disabled; exec " + Steady));
  ASSERT_EQ(O.Status, 0) << O.Errors;
  std::istringstream Lines(Box.read("disabled"));
  std::vector<bool> Disabled;
  for (unsigned Run = 0, Value = 0; Lines >> Run >> Value;)
    Disabled.push_back(Value == 1);
  const auto First = std::find(Disabled.begin(), Disabled.end(), true);
  const auto NumMeasured = std::distance(First, Disabled.end());
  ASSERT_GE(NumMeasured, 6);
  EXPECT_EQ(NumMeasured % 2, 0) << "the last run is one with versions, whose report is kept";
  for (auto Run = First; Run != Disabled.end(); ++Run)
    EXPECT_EQ(*Run, (Run - First) % 2 == 0);
}

TEST_F(TuneTest, ShowSaysWhichRunsPrint) {
  for (const char *Which : {"none", "first", "all"}) {
    const size_t Before = numRuns();
    const Outcome O = tune({"--show", Which}, counted("exec " + Steady));
    ASSERT_EQ(O.Status, 0) << O.Errors;
    const size_t Runs = numRuns() - Before;
    ASSERT_GE(Runs, 7u) << "one tuning run, three pairs";
    const std::map<std::string, size_t> Expected = {{"none", 0}, {"first", 1}, {"all", Runs}};
    EXPECT_EQ(count(O.Output, "constructed "), Expected.at(Which)) << Which;
  }
}

TEST_F(TuneTest, TheServerFinishesBetweenRuns) {
  const std::string Look =
      "{ ls cache/versions/*.so 2>/dev/null; " SPECRT_TOOL " server status --json; } >";
  // The second run interrupts the tuning, which ends the run as well.
  const Outcome O = tune({"--show=none"},
                         counted("if [ $run = 2 ]; then " + Look +
                                 "second; kill -INT $PPID; exec sleep 600; fi; " + Undecided +
                                 " && " + Look + "first"),
                         Background);
  ASSERT_EQ(numRuns(), 2u) << O.Errors;
  ASSERT_LT(count(Box.read("first"), ".so\n"), count(Box.read("second"), ".so\n"))
      << "the first run ended before the compile did";
  EXPECT_THAT(Box.read("second"), AllOf(HasSubstr("\"compiling\": 0"), HasSubstr("\"paused\": 0")));
  EXPECT_EQ(O.Status, 1);
  EXPECT_THAT(O.Output,
              AllOf(ContainsRegex("story: 1 run, interrupted; of [0-9]+ hot regions?: "),
                    HasSubstr("product:32"), HasSubstr("\nwhole program: not measured\n")));
}

TEST_F(TuneTest, InterruptingTheMeasurementKeepsTheSummary) {
  const Outcome O = tune({"--show=none"},
                         counted("if [ \"$SPECRT_DISABLE\" = 1 ]; then kill -INT $PPID; exec sleep "
                                 "600; fi; exec " +
                                 Steady));
  ASSERT_EQ(O.region("product")["state"], "specialised");
  EXPECT_EQ(O.Status, 1);
  EXPECT_THAT(O.Output, AllOf(ContainsRegex("product:32 +specialised"),
                              HasSubstr("\nwhole program: not measured\n")));
}

TEST_F(TuneTest, RunsAndSecondsBoundIt) {
  for (const auto &[Option, Measured] :
       std::map<std::string, std::string>{{"--runs=1", "whole program: .* -> "},
                                          {"--seconds=0.001", "whole program: not measured"}}) {
    const Sandbox Fresh;
    const std::string Folder = "cd " + Fresh.path().string() + "; echo >>runs; ";
    const Outcome O =
        Fresh.run(SPECRT_TOOL,
                  {"tune", "--show=none", Option, "--", "/bin/sh", "-c",
                   Folder + "[ $(wc -l <runs) = 1 ] || exec " + Steady + "; " + Undecided},
                  Background);
    ASSERT_GE(O.Report["total"]["undecided_regions"], 1) << O.Errors;
    EXPECT_EQ(O.Status, 0) << O.Errors;
    EXPECT_THAT(O.Output, HasSubstr("story: 1 run, stopped by " + Option + "; of "));
    EXPECT_THAT(O.Output, ContainsRegex(Measured));
  }
}

TEST_F(TuneTest, NothingIsTunedWhereNothingIsHot) {
  const Outcome O = tune({}, counted("exec " + Steady), {{"SPECRT_HOT", "1000000"}});
  EXPECT_EQ(numRuns(), 1u);
  EXPECT_EQ(O.Status, 1);
  EXPECT_THAT(O.Output, HasSubstr("whole program: no gain: no region became hot"));
}

TEST_F(TuneTest, SettingsWithWhichRunsDoNotLearnAreAnError) {
  ASSERT_EQ(tune({}, counted("exit 0")).Status, 1);
  ASSERT_EQ(numRuns(), 1u) << "without them it runs";
  for (const auto &[Name, Value] : Environment{{"SPECRT_DISABLE", "1"},
                                               {"SPECRT_PROFILE", "read"},
                                               {"SPECRT_COMPILE", "off"},
                                               {"SPECRT_CACHE_LIMIT", "0"},
                                               {"SPECRT_CACHE_DIR", "relative"}}) {
    const Outcome O = tune({}, counted("exit 0"), {{Name, Value}});
    EXPECT_EQ(O.Status, 2) << Name;
    EXPECT_TRUE(O.Errors.starts_with("specrt: error: " + Name + "=" + Value + " is ")) << O.Errors;
    EXPECT_EQ(std::count(O.Errors.begin(), O.Errors.end(), '\n'), 1) << O.Errors;
  }
  EXPECT_EQ(numRuns(), 1u);
}

TEST_F(TuneTest, AProgramThatFailsEndsTheTuning) {
  struct Case {
    std::vector<std::string> Command;
    int Status;
    std::string Error;
  };
  for (const Case &C :
       {Case{{"/bin/true"}, 1, "/bin/true made no report: it was not compiled with specrt-clang"},
        Case{{"/no/such/program"}, 2, "/no/such/program cannot be started: No such file"},
        Case{{SPECRT_STORY, "none"},
             1,
             "story failed: exit status 2; the end of its standard error:\n  unknown story\n"},
        Case{{"/bin/sh", "-c", "kill -SEGV $$"},
             1,
             "/bin/sh failed: signal 11, Segmentation fault\n"},
        Case{counted("[ \"$SPECRT_DISABLE\" = 1 ] && exit 5; exec " + Steady), 1,
             "/bin/sh failed with SPECRT_DISABLE=1: exit status 5\n"}}) {
    const Outcome O = tune({"--show=none"}, C.Command);
    EXPECT_EQ(O.Status, C.Status) << C.Error;
    EXPECT_THAT(O.Errors, AllOf(HasSubstr("specrt: error: "), HasSubstr(C.Error)));
    EXPECT_THAT(O.Output, IsEmpty());
  }
  EXPECT_GE(numRuns(), 2u) << "the last one was measured";
}

TEST_F(TuneTest, EachRunReadsTheSameInput) {
  Box.write("input", "given\n");
  const std::string Tune = SPECRT_TOOL " tune --show=none -- ";
  const std::vector<std::string> Program = counted("cat >>seen; exec " + Steady);
  const Outcome O = Box.run(
      "/bin/sh", {"-c", Tune + "sh -c '" + Program.back() + "' <" + Box.path("input").string()},
      Synchronous);
  ASSERT_EQ(O.Status, 0) << O.Errors;
  ASSERT_GE(numRuns(), 7u);
  EXPECT_EQ(count(Box.read("seen"), "given\n"), numRuns());
}

TEST_F(TuneTest, TwoReportsAreCompared) {
  const std::string Before = Box.path("before.json").string();
  Box.story("steady", {{"SPECRT_HOT", "1000000"}, {"SPECRT_REPORT", Before}});
  const Outcome Run = Box.story("steady", Synchronous);
  ASSERT_EQ(Run.region("product")["state"], "specialised");
  const Outcome O = Box.run(SPECRT_TOOL, {"report", "--diff", Before, "story"});
  EXPECT_EQ(O.Status, 0) << O.Errors;
  EXPECT_THAT(O.Output, ContainsRegex("\nwhole program: .* -> .*, "));
  EXPECT_THAT(O.Output, ContainsRegex("product:32 +before +[a-z]+ +original"));
  EXPECT_THAT(O.Output, ContainsRegex("after +specialised +[a-z-]+ +[0-9.]+x"));
  const auto Json = nlohmann::json::parse(
      Box.run(SPECRT_TOOL, {"report", "--diff", Before, "story", "--json"}).Output);
  EXPECT_EQ(Json["regions"][0]["after"]["state"], "specialised");
}

TEST_F(TuneTest, WrongUsageOfDiffIsOneLine) {
  const std::string File =
      Box.write("some.json", R"({"format": 1, "counters": {}, "regions": []})");
  ASSERT_EQ(Box.run(SPECRT_TOOL, {"report", "--diff", File, File}).Status, 0);
  struct Case {
    std::vector<std::string> Arguments;
    int Status;
    std::string Error;
  };
  for (const Case &C :
       {Case{{"--diff", File, "missing.json"}, 2, "missing.json cannot be read"},
        Case{{"--diff", File, "missing"}, 1, "there is no report of missing"},
        Case{{"--diff", File}, 2, "--diff"}, Case{{"--diff", File, File, File}, 2, "--diff"},
        Case{{"--diff", File, File, "--html", "-"}, 2, "--html does not go with --diff"},
        Case{{"--diff", File, File, "--all"}, 2, "--all does not go with --diff"},
        Case{{"--diff", File, File, "--sort", "name"}, 2, "--sort does not go with --diff"},
        Case{{File, "--diff", File, File}, 2, "WHAT does not go with --diff"}}) {
    std::vector<std::string> Arguments = {"report"};
    Arguments.insert(Arguments.end(), C.Arguments.begin(), C.Arguments.end());
    const Outcome O = Box.run(SPECRT_TOOL, Arguments);
    EXPECT_EQ(O.Status, C.Status) << O.Errors;
    EXPECT_THAT(O.Errors, HasSubstr(C.Error));
    EXPECT_THAT(O.Output, IsEmpty());
  }
}

} // namespace
