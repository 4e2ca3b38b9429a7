//===- tests/tools/report_diff_test.cpp - specrt report --diff ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/diff/report_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace specrt::tools {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct RegionOf {
  std::string Name, Function = "f";
  double OriginalNs = 100, BestNs = 0;
  uint64_t Calls = 10;
  bool Hot = true;
};

ReportedRegion region(const RegionOf &Of) {
  ReportedRegion R;
  R.Name = R.Title = Of.Name;
  R.Function = Of.Function;
  R.File = "f.c";
  R.OriginalNs = Of.OriginalNs;
  R.BestNs = Of.BestNs;
  R.Calls = Of.Calls;
  R.Hot = Of.Hot;
  R.State = Of.BestNs > 0 ? "specialised" : "profiling";
  if (Of.BestNs > 0) {
    ReportedVersion Seldom, Often;
    Seldom.Candidate = "constants";
    Often.Candidate = "contraction";
    Often.Hits = 9;
    R.Versions = {Seldom, Often};
  }
  return R;
}

LoadedReport report(const std::vector<RegionOf> &Regions, double ElapsedMs = 1000) {
  LoadedReport Loaded;
  Loaded.Path = "some.json";
  Loaded.Content.ElapsedMs = ElapsedMs;
  for (const RegionOf &R : Regions)
    Loaded.Content.Regions.push_back(region(R));
  return Loaded;
}

std::vector<std::string> pairsOf(const LoadedReport &Before, const LoadedReport &After) {
  std::vector<std::string> Names;
  for (const RegionPair &P : pairRegions(Before.Content, After.Content))
    Names.push_back((P.Before ? P.Before->Name : "-") + " " + (P.After ? P.After->Name : "-"));
  return Names;
}

TEST(ReportDiffTest, RegionsAreMatchedByNameThenByFunction) {
  struct Case {
    std::vector<RegionOf> Before, After;
    std::vector<std::string> Pairs;
  };
  for (const Case &C :
       {Case{{{.Name = "f:1"}}, {{.Name = "f:1"}}, {"f:1 f:1"}},
        // The only one of its function has moved.
        Case{{{.Name = "f:1"}}, {{.Name = "f:7"}}, {"f:1 f:7"}},
        Case{{{.Name = "f:1"}}, {{.Name = "g:1", .Function = "g"}}, {"f:1 -", "- g:1"}},
        // Which of the two is it?
        Case{{{.Name = "f:1"}}, {{.Name = "f:7"}, {.Name = "f:9"}}, {"- f:7", "- f:9", "f:1 -"}},
        Case{{{.Name = "f:1"}, {.Name = "f:5"}},
             {{.Name = "f:1"}, {.Name = "f:6"}},
             {"f:1 f:1", "f:5 f:6"}},
        // Nothing is known of what never became hot.
        Case{{{.Name = "f:1", .Hot = false}}, {{.Name = "f:1", .Hot = false}}, {}},
        Case{{{.Name = "f:1", .Hot = false}}, {{.Name = "f:1"}}, {"f:1 f:1"}}})
    EXPECT_THAT(pairsOf(report(C.Before), report(C.After)),
                testing::UnorderedElementsAreArray(C.Pairs));
}

TEST(ReportDiffTest, WhatLostMostTimeComesFirst) {
  const LoadedReport Before = report({{.Name = "faster", .Function = "a"},
                                      {.Name = "lost-little", .Function = "b", .Calls = 1},
                                      {.Name = "lost-much", .Function = "c"},
                                      {.Name = "gone", .Function = "d", .OriginalNs = 1e9}});
  const LoadedReport After =
      report({{.Name = "faster", .Function = "a", .BestNs = 10},
              {.Name = "lost-little", .Function = "b", .OriginalNs = 900, .Calls = 1},
              {.Name = "lost-much", .Function = "c", .OriginalNs = 200, .Calls = 100}});
  EXPECT_THAT(pairsOf(Before, After), ElementsAre("lost-much lost-much", "lost-little lost-little",
                                                  "faster faster", "gone -"));
}

TEST(ReportDiffTest, TheTextTellsStateVersionGainAndTime) {
  const LoadedReport Before = report({{.Name = "f:1", .OriginalNs = 400, .BestNs = 100}}, 1000);
  const LoadedReport After = report({{.Name = "f:1", .OriginalNs = 400}}, 2000);
  const std::string Text = diffText(Before, After);
  EXPECT_THAT(Text, HasSubstr("whole program: 1.00 s -> 2.00 s, 2.00x slower\n"));
  EXPECT_THAT(Text, ContainsRegex("f:1 +before +specialised +contraction +4[.]00x +100 ns\n"));
  EXPECT_THAT(Text, ContainsRegex("\n +after +profiling +original +- +400 ns +4[.]00x slower\n"));
  EXPECT_THAT(Text, Not(HasSubstr("earlier run")));
  EXPECT_THAT(diffText(After, Before), HasSubstr("4.00x faster"));
  EXPECT_THAT(diffText(After, After), HasSubstr("same\n"));
  EXPECT_THAT(diffText(report({}), report({})), HasSubstr("no region became hot in either run\n"));
}

TEST(ReportDiffTest, TimesOfAnEarlierRunAreMarked) {
  LoadedReport Before = report({{.Name = "f:1", .OriginalNs = 400, .BestNs = 100}});
  Before.Content.Regions[0].BestIsEarlier = true;
  const std::string Text = diffText(Before, report({{.Name = "f:1"}}));
  EXPECT_THAT(Text, HasSubstr("100 ns*"));
  EXPECT_THAT(Text, HasSubstr("* an earlier run measured it\n"));
}

TEST(ReportDiffTest, LinesFit) {
  constexpr size_t LineWidth = 100;
  const std::string Long(90, 'x');
  ReportedVersion V;
  V.Candidate = "isl-schedule-parallel";
  LoadedReport Before = report({{.Name = Long, .OriginalNs = 1.5e9, .BestNs = 1.5e6}});
  Before.Content.Regions[0].Versions = {V};
  std::istringstream Lines(diffText(Before, report({{.Name = Long, .OriginalNs = 1.5e9}})));
  for (std::string Line; std::getline(Lines, Line);)
    EXPECT_LE(Line.size(), LineWidth) << Line;
}

TEST(ReportDiffTest, TheJsonHasBothSides) {
  const auto Json = nlohmann::json::parse(
      diffJson(report({{.Name = "f:1", .OriginalNs = 400, .BestNs = 100, .Calls = 1000}}),
               report({{.Name = "f:1", .OriginalNs = 400, .Calls = 1000},
                       {.Name = "g:1", .Function = "g"}})));
  EXPECT_EQ(Json["before"]["path"], "some.json");
  EXPECT_EQ(Json["after"]["elapsed_ms"], 1000);
  ASSERT_EQ(Json["regions"].size(), 2u);
  const auto &Both = Json["regions"][0], &New = Json["regions"][1];
  EXPECT_EQ(Both["before"]["candidate"], "contraction");
  EXPECT_EQ(Both["before"]["ns"], 100);
  EXPECT_EQ(Both["before"]["gain"], 4);
  EXPECT_EQ(Both["after"]["candidate"], nullptr);
  EXPECT_EQ(Both["after"]["ns"], 400);
  EXPECT_NEAR(Both["added_ms"], 0.3, 1e-9);
  EXPECT_EQ(New["before"], nullptr);
}

} // namespace
} // namespace specrt::tools
