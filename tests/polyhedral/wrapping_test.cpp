//===- tests/polyhedral/wrapping_test.cpp - integers that stay in their types, or may not ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/model/wrapping.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace specrt;

namespace {

/// A loop with a counter %i of type \p Type up to \p Last, in which \p Inside computes %at from %a.
bool mayLoopWrap(const std::string &Type, const std::string &Last, const std::string &Inside) {
  const std::string Text = formatv(R"(
    define void @f(ptr %a, {0} %n, {0} range({0} 0, 100) %m, ptr %p) {{
    entry:
      br label %loop
    loop:
      %i = phi {0} [ 0, %entry ], [ %next, %loop ]
      {2}
      store double 0.0, ptr %at
      %next = add {0} %i, 1
      %again = icmp slt {0} %next, {1}
      br i1 %again, label %loop, label %exit
    exit:
      ret void
    })",
                                   Type, Last, Inside);
  LLVMContext Context;
  SMDiagnostic Problem;
  std::unique_ptr<Module> M = parseAssemblyString(Text, Problem, Context);
  if (!M) {
    Problem.print("wrapping_test", errs());
    ADD_FAILURE() << "no module";
    return true;
  }
  PassBuilder Builder;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  Builder.registerModuleAnalyses(MAM);
  Builder.registerCGSCCAnalyses(CGAM);
  Builder.registerFunctionAnalyses(FAM);
  Builder.registerLoopAnalyses(LAM);
  Builder.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  Function &F = *M->getFunction("f");
  return mayWrap(F, FAM.getResult<ScalarEvolutionAnalysis>(F));
}

const char *const Plain = "%at = getelementptr double, ptr %a, i64 %i";

TEST(Wrapping, ConstantBoundsStayFarFromTheEnds) {
  EXPECT_FALSE(mayLoopWrap("i64", "1000", Plain));
  EXPECT_FALSE(mayLoopWrap("i64", "1000",
                           "%x = mul i64 %i, 1000\n %y = sub i64 %x, 500\n"
                           "%at = getelementptr double, ptr %a, i64 %y"));
  EXPECT_FALSE(mayLoopWrap("i32", "1000", "%at = getelementptr double, ptr %a, i32 %i"));
}

TEST(Wrapping, UnknownBoundsMayBeAnything) {
  EXPECT_TRUE(mayLoopWrap("i64", "%n", Plain));
  EXPECT_TRUE(mayLoopWrap("i32", "%n", "%at = getelementptr double, ptr %a, i32 %i"));
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

TEST(Wrapping, NegativeNumbersAreLargeWhenExtendedByZeros) {
  const std::string Extended = "%x = sub i32 %i, 5\n %z = zext i32 %x to i64\n"
                               "%at = getelementptr double, ptr %a, i64 %z";
  EXPECT_TRUE(mayLoopWrap("i32", "1000", Extended));
}

} // namespace
