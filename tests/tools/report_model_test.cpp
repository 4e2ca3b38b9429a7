//===- tests/tools/report_model_test.cpp - reports, and what is none ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/report_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace specrt::tools {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char *Good = R"({"format": 1, "version": "0.1.0", "program": "/bin/p", "pid": 7,
  "written": 100, "elapsed_ms": 12.5, "settings": {"SPECRT_HOT": "0"}, "threads": 2,
  "counters": {"compiles": 3},
  "regions": [{"name": "f:1", "function": "f", "file": "a.c", "line": 1, "state": "specialised",
    "reason": "", "advice": "", "hot": true, "calls": 10, "hits": 6, "misses": 1,
    "original_ns": 200.0, "best_ns": 100.0, "times": {"min_ns": 90, "histogram": []},
    "versions": [{"candidate": "contraction", "plan": "0=5", "values": "n == 5", "guards": ["n == 5"],
                  "hits": 6, "misses": 1, "original_ns": 200.0, "ns": 100.0}],
    "retired": [], "causes": [{"kind": "alias", "message": "m", "file": "a.c", "line": 2,
                               "speculative": true, "advice": "restrict"}],
    "arguments": [{"name": "n", "calls": 3, "min": "5", "max": "6",
                   "values": [{"value": "6", "count": 1}, {"value": "5", "count": 2}]}],
    "on_stack_replacements": [{"candidate": "contraction", "iteration": 230, "iterations": 1000,
                               "taken": true, "before_ns": 200.0, "ns": 20.0,
                               "original_at_least_ns": 700.0, "original_at_most_ns": 720.0}],
    "timeline": [{"ms": 1.5, "event": "hot"}, {"ms": 2.0, "event": "published", "text": "t"}]}]})";

TEST(ReportModel, TakesAReportApart) {
  Report R;
  ASSERT_EQ(parseReport(Good, R), "");
  EXPECT_EQ(R.Program, "/bin/p");
  EXPECT_EQ(R.Compiles, 3u);
  EXPECT_EQ(R.Settings.at("SPECRT_HOT"), "0");
  ASSERT_EQ(R.Regions.size(), 1u);
  const ReportedRegion &F = R.Regions[0];
  EXPECT_EQ(F.place(), "a.c:1");
  EXPECT_EQ(F.Hits, 6u);
  EXPECT_EQ(F.MinNs, 90);
  EXPECT_EQ(F.Versions.at(0).Values, "n == 5");
  EXPECT_EQ(F.Causes.at(0).Line, 2u);
  EXPECT_EQ(F.Arguments.at(0).Values.at(0).first, "5") << "the most frequent first";
  EXPECT_EQ(F.Timeline.at(1).Text, "t");
  EXPECT_EQ(F.Replacements.at(0).Candidate, "contraction");
  EXPECT_EQ(F.Replacements.at(0).Iteration, 230u);
  EXPECT_EQ(F.Replacements.at(0).AtMostNs, 720);
  EXPECT_TRUE(F.Replacements.at(0).Taken);
  EXPECT_FALSE(F.isCold());
}

/// Calls \p Check with the report in which each number in turn is each of \p Values.
template <typename F> void replaceNumbers(json &Root, json &Node, const json &Values, F Check) {
  for (json &Child : Node) {
    if (Child.is_structured())
      replaceNumbers(Root, Child, Values, Check);
    if (!Child.is_number())
      continue;
    json Kept = Child;
    for (const json &Value : Values) {
      Child = Kept.is_number_float() ? json(Value.get<double>()) : Value;
      Check(Root);
    }
    Child = Kept;
  }
}

TEST(ReportModel, TakesEveryNumberThatARunMayWrite) {
  json Root = json::parse(Good);
  json &Region = Root["regions"][0];
  Region["trip_counts"] = {
      {{"line", 1}, {"depth", 1}, {"calls", 2}, {"min", 3}, {"max", 4}, {"mean", 3.5}}};
  Region["zeros"] = {{{"array", "A"}, {"words", 64}, {"zero", 63}}};
  Region["alias_pairs"] = {{{"disjoint", 1}, {"overlapping", 2}, {"unknown", 3}}};
  Region["retired"] = {{{"ns", 1.5}, {"compile_ms", 2.5}}};
  Root["format"] = "kept"; // the only number whose value means something to the reader
  int Checked = 0;
  replaceNumbers(Root, Root, {0, INT64_MAX, uint64_t{1} << 63, UINT64_MAX}, [&](json Changed) {
    Changed["format"] = 1;
    Report R;
    EXPECT_EQ(parseReport(Changed.dump(), R), "") << Changed.dump(1);
    ++Checked;
  });
  EXPECT_GT(Checked, 100);
}

TEST(ReportModel, AReportOfAnOlderLibraryIsUnderstood) {
  Report R;
  EXPECT_EQ(parseReport(R"({"format": 1, "counters": {}, "regions": [
                            {"name": "f:1", "state": "profiling"}]})",
                        R),
            "");
  EXPECT_TRUE(R.Regions.at(0).isCold());
}

TEST(ReportModel, SaysWhatIsWrong) {
  struct Case {
    const char *Text, *Problem;
  };
  for (const Case &C : {
           Case{"", "is empty"},
           Case{"{", "not JSON"},
           Case{"[]", "not a report"},
           Case{R"({"name": "package.json"})", "not a report"},
           Case{R"({"format": "specrt-profile", "version": 1, "regions": []})", "not a report"},
           Case{R"({"format": 2, "counters": {}, "regions": []})", "newer"},
           Case{R"({"format": 1, "counters": {}, "regions": {}})", "damaged"},
           Case{R"({"format": 1, "counters": {}, "regions": [7]})", "damaged"},
           Case{R"({"format": 1, "counters": {}, "regions": [{"name": "f"}]})", "damaged"},
           Case{R"({"format": 1, "counters": {}, "regions": [
                   {"name": "f", "state": "hot", "calls": "many"}]})",
                "damaged"},
           Case{R"({"format": 1, "counters": {}, "regions": [
                   {"name": "f", "state": "hot", "versions": [{"guards": [1]}]}]})",
                "damaged"},
           Case{R"({"format": 1, "counters": {}, "settings": {"A": 1}, "regions": []})", "damaged"},
       }) {
    Report R;
    EXPECT_THAT(parseReport(C.Text, R), HasSubstr(C.Problem)) << C.Text;
  }
}

TEST(ReportModel, CutOffAnywhereItIsDamagedAndNothingElse) {
  std::string Text = Good;
  for (size_t Length = 1; Length < Text.size(); ++Length) {
    Report R;
    EXPECT_THAT(parseReport(Text.substr(0, Length), R), HasSubstr("damaged")) << Length;
  }
}

} // namespace
} // namespace specrt::tools
