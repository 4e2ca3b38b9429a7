//===- tests/tools/region_text_test.cpp - what people read about a region ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/region_text.h"
#include "tools/why/why_text.h"

#include <gtest/gtest.h>

namespace specrt::tools {
namespace {

ReportedRegion regionWith(std::vector<ReportedReplacement> Replacements) {
  ReportedRegion R;
  R.Replacements = std::move(Replacements);
  return R;
}

/// Without the breaks of lines.
std::string told(const ReportedRegion &R) {
  std::string Text;
  for (char C : replacementsText(R))
    if (C != '\n' && (C != ' ' || Text.empty() || Text.back() != ' '))
      Text += C;
    else if (C == '\n')
      Text += ' ';
  return Text;
}

const ReportedReplacement Taken{.Candidate = "contraction",
                                .Iteration = 230,
                                .Iterations = 1400,
                                .BeforeNs = 2e8,
                                .Ns = 2e7,
                                .AtLeastNs = 7e8,
                                .AtMostNs = 7.2e8,
                                .Taken = true};

/// The verdict on the loop says "whose order counts".
TEST(RegionText, ASumWhoseOrderCountsIsNotSaidToBeFree) {
  Feedback Why;
  Why.From = "model";
  Why.Dependences = {{1, "ordered-reduction", "the sum of line 5"}};
  EXPECT_NE(whyText(Why).find("a reduction: in another order its result may differ"),
            std::string::npos);
  EXPECT_EQ(whyText(Why).find("may be done in another order"), std::string::npos);
  Why.Dependences[0].Role = "reduction";
  EXPECT_NE(whyText(Why).find("may be done in another order"), std::string::npos);
}

TEST(RegionText, CallsThatChangedOverAreOneLine) {
  EXPECT_EQ(replacementsText(ReportedRegion()), "");
  EXPECT_EQ(
      told(regionWith({Taken})),
      " running calls: one changed over to contraction at iteration 230 of 1,400: 200.00 ms in the "
      "original, then 20.00 ms instead of 700.00 ms to 720.00 ms ");
}

TEST(RegionText, OfSeveralThatChangedOverTheLastIsTold) {
  ReportedReplacement First = Taken, Unknown = Taken;
  First.Candidate = "source-order";
  Unknown.Iterations = 0;
  Unknown.AtLeastNs = 0;
  EXPECT_EQ(
      told(regionWith({First, Unknown, {.Candidate = "wavefront"}})),
      " running calls: 2 changed over, the last to contraction at iteration 230: 200.00 ms in the "
      "original, then 20.00 ms ");
}

TEST(RegionText, AVersionThatCameTooLateForItsCallIsTold) {
  EXPECT_EQ(told(regionWith({{.Candidate = "contraction"}})),
            " running calls: a version was made for the rest of one, which did not take it ");
}

} // namespace
} // namespace specrt::tools
