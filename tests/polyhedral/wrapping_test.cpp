//===- tests/polyhedral/wrapping_test.cpp - integers that stay in their types, or may not ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/model/wrapping.h"
#include "tests/specializer/analysed_module.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace specrt;

namespace {

/// A loop with a counter %i of type \p Type up to \p Last, in which \p Inside computes %at from %a,
/// and ends in block \p Latch.
bool mayLoopWrap(const std::string &Type, const std::string &Last, const std::string &Inside,
                 const char *Latch = "loop") {
  const std::string Text = formatv(R"(
    define void @f(ptr %a, {0} %n, {0} range({0} 0, 100) %m, ptr %p) {{
    entry:
      br label %loop
    loop:
      %i = phi {0} [ 0, %entry ], [ %next, %{3} ]
      {2}
      store double 0.0, ptr %at
      %next = add {0} %i, 1
      %again = icmp slt {0} %next, {1}
      br i1 %again, label %loop, label %exit
    exit:
      ret void
    })",
                                   Type, Last, Inside, Latch);
  AnalysedModule Code(Text);
  Function *F = Code.function("f");
  return !F || mayWrap(*F, Code.of<ScalarEvolutionAnalysis>(*F));
}

const char *const Plain = "%at = getelementptr double, ptr %a, i64 %i";
const char *const PlainInt = "%at = getelementptr double, ptr %a, i32 %i";

TEST(Wrapping, ConstantBoundsStayFarFromTheEnds) {
  EXPECT_FALSE(mayLoopWrap("i64", "1000", Plain));
  EXPECT_FALSE(mayLoopWrap("i64", "1000",
                           "%x = mul i64 %i, 1000\n %y = sub i64 %x, 500\n"
                           "%at = getelementptr double, ptr %a, i64 %y"));
  EXPECT_FALSE(mayLoopWrap("i32", "1000", PlainInt));
}

TEST(Wrapping, UnknownBoundsMayBeAnything) {
  EXPECT_TRUE(mayLoopWrap("i64", "%n", Plain));
  EXPECT_TRUE(mayLoopWrap("i32", "%n", PlainInt));
  EXPECT_FALSE(mayLoopWrap("i64", "%m", Plain)) << "its range is known";
}

TEST(Wrapping, LargeFactorsReachTheEnds) {
  EXPECT_TRUE(mayLoopWrap("i64", "1000",
                          "%x = mul i64 %i, 9007199254740992\n"
                          "%at = getelementptr double, ptr %a, i64 %x"));
  // Within 64 bits, not within 32.
  EXPECT_TRUE(mayLoopWrap("i32", "100000",
                          "%x = mul i32 %i, 100000\n"
                          "%at = getelementptr double, ptr %a, i32 %x"));
  EXPECT_TRUE(mayLoopWrap("i64", "100000",
                          "%x = mul i64 %i, 100000\n %t = trunc i64 %x to i32\n"
                          "%at = getelementptr double, ptr %a, i32 %t"));
}

TEST(Wrapping, WhatIsComparedCountsToo) {
  const std::string Compared = "%x = add i64 %i, %n\n %c = icmp eq i64 %x, 7\n"
                               "%s = select i1 %c, double 1.0, double 2.0\n"
                               "store double %s, ptr %p\n";
  EXPECT_TRUE(mayLoopWrap("i64", "1000", Compared + Plain));
}

TEST(Wrapping, WhatChoosesBetweenBranchesCountsToo) {
  const std::string Chosen = "%x = mul i32 %i, 100000\n"
                             "switch i32 %x, label %after [i32 1410065408, label %rare]\n"
                             "rare:\n store double 1.0, ptr %p\n br label %after\n"
                             "after:\n";
  EXPECT_TRUE(mayLoopWrap("i32", "100000", Chosen + PlainInt, "after"));
  EXPECT_FALSE(mayLoopWrap("i32", "1000", Chosen + PlainInt, "after"));
}

TEST(Wrapping, NegativeNumbersAreLargeWhenExtendedByZeros) {
  const std::string Extended = "%x = sub i32 %i, 5\n %z = zext i32 %x to i64\n"
                               "%at = getelementptr double, ptr %a, i64 %z";
  EXPECT_TRUE(mayLoopWrap("i32", "1000", Extended));
}

} // namespace
