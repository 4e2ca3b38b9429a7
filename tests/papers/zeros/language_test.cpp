//===- tests/papers/zeros/language_test.cpp - language equations and their laws ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Specializing dense polyhedral programs on sparse inputs", section 5.2: abstraction, Arden's
// lemma and elimination, on equations as the paper prints them.
//
//===----------------------------------------------------------------------===//
#include "specializer/sparse/equations/language/components.h"
#include "specializer/sparse/equations/language/sparsity_system.h"

#include <gtest/gtest.h>

using namespace specrt;

namespace {

RegularExpression letter(char Name) {
  return RegularExpression::letter(static_cast<unsigned>(Name - 'a'));
}
std::string text(const RegularExpression &E) { return E.text(letterName); }

TEST(ZerosSection52, RegularExpressionsFollowTheLawsOfEmptyAndEpsilon) {
  const RegularExpression Empty, Epsilon = RegularExpression::epsilon();
  const RegularExpression A = letter('a'), B = letter('b');
  EXPECT_EQ(text(A | Empty), "a");
  EXPECT_TRUE((A * Empty).isEmpty());
  EXPECT_EQ(text(Epsilon * A), "a");
  EXPECT_TRUE(Empty.star().isEpsilon());
  EXPECT_TRUE(Epsilon.star().isEpsilon());
  EXPECT_EQ(text(A.star().star()), "a*");
  EXPECT_EQ(text(A | B | A), "a|b");
  EXPECT_EQ(text((A | B) * A.star()), "(a|b).a*");
}

/// Epsilon in Arden's A: of all solutions the least.
TEST(ZerosSection52, EpsilonInALoopAddsNothing) {
  EXPECT_EQ(text((letter('a') | RegularExpression::epsilon()).star()), "a*");
}

TEST(ZerosSection52, ComponentsComeAfterWhatTheyUse) {
  EXPECT_EQ(componentsInOrder({{1}, {2, 0}, {3}, {}}),
            (std::vector<std::vector<unsigned>>{{3}, {2}, {0, 1}}));
  EXPECT_TRUE(componentsInOrder({}).empty());
}

class Equations : public testing::Test {
protected:
  SparsityTerm read(unsigned Name, const char *Flow) const {
    return SparsityTerm::read(Name, isl::map(Context.get(), Flow));
  }
  void add(const char *Name, const char *Domain, SparsityTerm Value, bool IsLiveIn = false) {
    System.push_back({Name, isl::set(Context.get(), Domain), std::move(Value), IsLiveIn});
  }

  std::shared_ptr<isl_ctx> Context{isl_ctx_alloc(), isl_ctx_free};
  SparsitySystem System;
};

/// G1, as printed.
TEST_F(Equations, G1ExampleTwo) {
  const char *S = "{ S[i] }", *T = "{ T[t, i] }";
  add("S", S, read(2, "{ In[i] -> S[i] }"));
  add("T", T,
      SparsityTerm::unionOf(
          {read(1, "{ T[t, i] -> T[t + 1, i + 1] }"), read(1, "{ T[t, i] -> T[t + 1, i] }"),
           read(0, "{ S[i] -> T[t, i + 1] : t = 1 or i = 0 }"), read(0, "{ S[i] -> T[1, i] }")}));
  add("In", "{ In[i] }", {}, true);
  const SparsitySolution Solved = solve(System);
  const auto &ForS = Solved.Equations[0].Parts, &ForT = Solved.Equations[1].Parts;
  ASSERT_EQ(ForS.size(), 1u);
  EXPECT_EQ(System[ForS[0].Name].Name + "." + text(ForS[0].Path), "In.a");
  ASSERT_EQ(ForT.size(), 1u);
  EXPECT_EQ(System[ForT[0].Name].Name + "." + text(ForT[0].Path), "S.(d|e).(b|c)*");
}

/// A factor from outside restricts, and the equation stays linear; two factors of the component
/// make it one for iteration.
TEST_F(Equations, ProductsAreLinearWithOneUnknown) {
  add("X", "{ X[i] }",
      SparsityTerm::unionOf({read(1, "{ B[i] -> X[i] }"),
                             SparsityTerm::intersectionOf(
                                 {read(0, "{ X[i] -> X[i + 1] }"), read(1, "{ B[i] -> X[i] }")})}));
  add("B", "{ B[i] }", {}, true);
  EXPECT_FALSE(solve(System).Equations[0].NeedsIteration);
  System[0].Value =
      SparsityTerm::intersectionOf({read(0, "{ X[i] -> X[i + 1] }"), read(0, "{ X[i] -> X[2i] }")});
  EXPECT_TRUE(solve(System).Equations[0].NeedsIteration);
}

} // namespace
