//===- tests/tools/glossary_test.cpp - every word of a report is explained --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/text.h"
#include "runtime/call/region_state.h"
#include "runtime/report/advice.h"
#include "specializer/strategies/table/candidates.h"
#include "tools/explain/glossary.h"
#include "tools/region_text.h"
#include "tools/terminal.h"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace specrt::tools {
namespace {

bool isExplained(std::string_view Word) {
  auto Rows = glossary();
  return std::any_of(Rows.begin(), Rows.end(),
                     [&](const GlossaryRow &Row) { return Row.Word && Word == Row.Word; });
}

TEST(Glossary, ExplainsStatesAndCandidates) {
  for (Phase P : {Phase::Cold, Phase::Profiling, Phase::Preparing, Phase::Compiling, Phase::Trial,
                  Phase::Specialised, Phase::Retired, Phase::Blocked})
    EXPECT_TRUE(isExplained(phaseName(P))) << phaseName(P);
  for (const CandidateKind &Kind : candidateKinds()) {
    std::string_view Name = Kind.Name;
    if (Kind.Parallel)
      Name.remove_suffix(std::string_view("-parallel").size());
    EXPECT_TRUE(isExplained(Name)) << Name;
  }
}

TEST(Glossary, KnowsNoCauseThatThereIsNot) {
  bool InCauses = false;
  size_t Causes = 0;
  for (const GlossaryRow &Row : glossary()) {
    if (!Row.Word)
      InCauses = std::string_view(Row.Meaning).starts_with("Causes");
    else if (InCauses) {
      EXPECT_NE(adviceForCause(Row.Word), nullptr) << Row.Word;
      ++Causes;
    }
  }
  EXPECT_EQ(Causes, 16u) << "advice.cpp has as many";
}

TEST(Advice, CodeOfTheSystemIsNotTheUsersToChange) {
  EXPECT_STREQ(adviceForCause("call", "heat.cpp", false), adviceForCause("call"));
  EXPECT_EQ(adviceForCause("nonsense", "/usr/include/c++/12/bits/stl_algobase.h", true), nullptr);
  for (const char *File : {"/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/vector",
                           "/opt/llvm/include/c++/v1/vector"})
    EXPECT_THAT(adviceForCause("call", File, false),
                testing::HasSubstr("code of the system's headers"));
}

TEST(Advice, IndicesFromDataAreNoProductsOfSizes) {
  const char *Kind = "non-affine access";
  EXPECT_STREQ(adviceForCause(Kind, "kmeans.cpp", true), adviceForCause(Kind));
  EXPECT_THAT(adviceForCause(Kind, "kmeans.cpp", false), testing::HasSubstr("as in A[B[i]]"));
}

TEST(Advice, TrialsSayHowFarTheyAre) {
  EXPECT_THAT(adviceForTrial(2, 5), testing::HasSubstr("trial: 2 of 5 have been measured"));
}

TEST(Glossary, TheDocumentationSaysTheSame) {
  std::ostringstream Page;
  Page << std::ifstream(SPECRT_DOCS "/tools.md").rdbuf();
  for (const GlossaryRow &Row : glossary())
    EXPECT_THAT(Page.str(), testing::HasSubstr(Row.Word ? "| `" + std::string(Row.Word) + "` | " +
                                                              Row.Meaning + " |\n"
                                                        : std::string(Row.Meaning) + ":\n"));
}

TEST(Glossary, FitsIntoATerminal) {
  std::istringstream Lines(glossaryText());
  for (std::string Line; std::getline(Lines, Line);)
    EXPECT_LE(columns(Line), LineWidth) << Line;
}

TEST(RegionText, SaysWhatToDoWhereRowsHaveNoTables) {
  ReportedRegion R;
  ReportedVersion &V = R.Versions.emplace_back();
  V.Candidate = "rows";
  V.Rows = "0 calls had a table, 9 none: each row waits for the one before it";
  V.RowsAdvice = "Number them otherwise.";
  EXPECT_THAT(versionsText(R), testing::HasSubstr("waits for the one before it\n"));
  EXPECT_THAT(versionsText(R), testing::HasSubstr("Number them otherwise."));
}

TEST(RegionText, OneCallIsNoCalls) {
  ReportedRegion R;
  R.Calls = R.SampledCalls = 1;
  R.Loops.push_back({.Line = 3, .Depth = 1, .Calls = 1, .Min = 1, .Max = 1, .Mean = 1});
  R.Pairs.push_back({.First = "A", .Second = "B", .Disjoint = 0, .Overlapping = 1, .Unknown = 0});
  R.Versions.push_back({.Candidate = "constants",
                        .Values = "",
                        .Reason = "",
                        .Advice = "",
                        .Rows = "",
                        .Guards = {},
                        .Hits = 1,
                        .Misses = 1});
  EXPECT_THAT(observedText(R),
              testing::HasSubstr("  1 call, timed in the original: no time known"));
  EXPECT_THAT(observedText(R), testing::HasSubstr("depth 1: 1 iteration\n"));
  EXPECT_THAT(observedText(R), testing::HasSubstr("overlapped in 1 call\n"));
  EXPECT_THAT(versionsText(R), testing::HasSubstr("1 hit, 1 miss"));
  R.Versions[0].Hits = R.Versions[0].Misses = 2;
  EXPECT_THAT(versionsText(R), testing::HasSubstr("2 hits, 2 misses"));
}

} // namespace
} // namespace specrt::tools
