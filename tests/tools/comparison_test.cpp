//===- tests/tools/comparison_test.cpp - what specrt tune concludes from times ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tune/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace specrt::tools {
namespace {

using testing::HasSubstr;
using testing::Not;
using Result = Comparison::Result;

Comparison compare(const std::vector<std::pair<double, double>> &Pairs) {
  Comparison Whole;
  for (const auto &[Original, Tuned] : Pairs)
    Whole.add(Original, Tuned);
  return Whole;
}

/// One hot region that took all of the time.
Report reportWith(const std::vector<ReportedVersion> &Versions, const std::string &Reason = "") {
  ReportedRegion R;
  R.Name = R.Title = "f:1";
  R.Hot = true;
  R.Versions = Versions;
  R.Reason = Reason;
  Report Last;
  Last.Regions = {R};
  Last.HotRegions = 1;
  Last.ElapsedMs = Last.SpentMs = 1000;
  return Last;
}

ReportedVersion someVersion() {
  ReportedVersion V;
  V.Candidate = "constants";
  return V;
}

TEST(ComparisonTest, AGainIsOneOfTheMediansAndOfEachPair) {
  struct Case {
    std::vector<std::pair<double, double>> Pairs;
    Result Expected;
  };
  for (const Case &C : {Case{{}, Result::Unknown}, Case{{{1, 0.5}}, Result::Faster},
                        Case{{{1, 0.5}, {3, 0.4}, {1, 0.6}}, Result::Faster},
                        Case{{{1, 0.5}, {1, 0.5}, {1, 1.1}}, Result::Unsure},
                        Case{{{1, 1.5}, {1, 1.5}, {1, 1.6}}, Result::Slower},
                        Case{{{1, 1.5}, {1, 1.5}, {1, 0.9}}, Result::Unsure},
                        Case{{{1, 0.98}, {1, 0.98}, {1, 0.98}}, Result::Same},
                        Case{{{1, 1.02}, {1, 1.02}, {1, 0.9}}, Result::Same}})
    EXPECT_EQ(compare(C.Pairs).result(), C.Expected) << testing::PrintToString(C.Pairs);
}

TEST(ComparisonTest, MediansAreThoseOfEachKindOfRun) {
  const Comparison Odd = compare({{1, 0.5}, {9, 0.4}, {2, 0.1}});
  EXPECT_DOUBLE_EQ(Odd.original(), 2);
  EXPECT_DOUBLE_EQ(Odd.tuned(), 0.4);
  const Comparison Even = compare({{1, 0.5}, {3, 0.4}});
  EXPECT_DOUBLE_EQ(Even.original(), 2);
  EXPECT_DOUBLE_EQ(Even.tuned(), 0.45);
  EXPECT_DOUBLE_EQ(Even.seconds(), 4.9);
}

TEST(ComparisonTest, AProgramWithoutVersionsIsNotFaster) {
  const Comparison Whole = compare({{1, 0.5}});
  ASSERT_EQ(Whole.result(), Result::Faster);
  EXPECT_EQ(resultOf(Whole, reportWith({someVersion()})), Result::Faster);
  EXPECT_EQ(resultOf(Whole, reportWith({})), Result::Same);
  Report Replaced = reportWith({});
  ReportedReplacement Taken;
  Taken.Taken = true;
  Replaced.Regions[0].Replacements = {Taken};
  EXPECT_EQ(resultOf(Whole, Replaced), Result::Faster) << "its only call changed over";
}

TEST(ComparisonTest, TheVerdictSaysWhyNothingIsGained) {
  Report Nothing, Undecided = reportWith({someVersion()}), Small = reportWith({someVersion()});
  Undecided.UndecidedRegions = 1;
  Undecided.Progress = "of 1 hot region: 1 in trial";
  Small.SpentMs = 20;
  struct Case {
    Report Last;
    std::vector<std::pair<double, double>> Pairs;
    std::string Expected;
  };
  for (const Case &C :
       {Case{reportWith({someVersion()}),
             {{1, 0.42}, {1, 0.42}, {1, 0.42}},
             "1.00 s -> 420.00 ms (2.38x), medians of 3 runs each"},
        Case{reportWith({someVersion()}), {{1, 0.42}}, "1.00 s -> 420.00 ms (2.38x), one run each"},
        Case{Nothing,
             {},
             "no gain: no region became hot, that is, took the time that SPECRT_HOT says"},
        Case{reportWith({}), {}, "not measured"},
        Case{reportWith({}, "does not pay"),
             {{1, 1}},
             "1.00 s -> 1.00 s (1.00x), one run each; no gain: no version is in use; f:1: does not "
             "pay"},
        Case{Undecided,
             {{1, 1}},
             "1.00 s -> 1.00 s (1.00x), one run each; no gain: not all is decided yet: of 1 hot "
             "region: "
             "1 in trial"},
        Case{Small,
             {{1, 2}},
             "1.00 s -> 2.00 s (0.50x), one run each; slower: the hot regions take only 2.0 % of "
             "the "
             "program's time"},
        Case{Small,
             {{1, 2}, {1, 0.9}, {1, 2}},
             "1.00 s -> 2.00 s (0.50x), medians of 3 runs each; unsure: single runs differ by more "
             "than "
             "that"}})
    EXPECT_EQ(verdictText(compare(C.Pairs), C.Last), C.Expected);
}

} // namespace
} // namespace specrt::tools
