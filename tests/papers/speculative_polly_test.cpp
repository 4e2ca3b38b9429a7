//===- tests/papers/speculative_polly_test.cpp - golden loops of speculative Polly ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Doerfert, Hammacher, Streit, Hack: "SPolly: Speculative Optimizations in the Polyhedral Model",
// IMPACT 2013, sections 3 and 4: the loops a static optimiser rejects are specialised from recorded
// values, and every original cause of rejection is listed.
//
//===--------------------------------------------------------------------------------------------===//

#include "tests/e2e/harness.h"
#include <gmock/gmock.h>

using namespace specrt::e2e;

namespace {

class SpeculativePolly : public testing::Test {
protected:
  static void SetUpTestSuite() {
    Sandbox Box;
    Plain = Sandbox().run(SPECRT_FIGURES_PLAIN, {});
    Run = Box.run(SPECRT_FIGURES, {}, {{"SPECRT_COMPILE", "sync"}, {"SPECRT_HOT", "1"}});
  }

  /// A version for recorded values ran, whether it won or not, and \p Kind is listed at \p Line.
  static void expectSpecialised(const std::string &Function, const std::string &Kind, int Line) {
    nlohmann::json Region = Run.region(Function);
    ASSERT_TRUE(Region.is_object()) << Function << "\n" << Run.Errors;
    EXPECT_TRUE(Region["state"] == "specialised" || Region["state"] == "retired") << Region.dump(2);
    EXPECT_GT(versionsRan(Region), 0u) << Region.dump(2);
    bool Listed = false;
    for (const auto &Cause : Region["causes"])
      Listed |= Cause["kind"] == Kind && Cause["line"] == Line;
    EXPECT_TRUE(Listed) << Kind << " at line " << Line << " not in\n" << Region.dump(2);
  }

  static Outcome Plain, Run;
};
Outcome SpeculativePolly::Plain, SpeculativePolly::Run;

TEST_F(SpeculativePolly, ResultsAreIdentical) {
  EXPECT_EQ(Run.Status, 0) << Run.Errors;
  EXPECT_EQ(Run.Output, Plain.Output);
}
TEST_F(SpeculativePolly, Figure2aPossibleAliasing) { expectSpecialised("figure2a", "alias", 12); }
TEST_F(SpeculativePolly, Figure2bNonAffineAccess) {
  expectSpecialised("figure2b", "non-affine access", 19);
}
TEST_F(SpeculativePolly, QuadraticBound) {
  expectSpecialised("quadratic_bound", "non-affine bound", 24);
}
TEST_F(SpeculativePolly, BoundInAStructField) {
  expectSpecialised("field_bound", "non-affine bound", 34);
}

} // namespace
