//===- tests/analysis/extrema_test.cpp - what fmin returns of equal zeros -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/rounding/extrema.h"
#include "tests/analysis/parsed_function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace specrt;

namespace {

class Extrema : public ParsedFunction {
protected:
  /// Of the minimum of \p X and \p Y, where %d comes from \p Before.
  OfEqual of(const std::string &X, const std::string &Y, const std::string &Before = "",
             const std::string &Flags = "") {
    Function *F = parse("declare double @llvm.minnum.f64(double, double)\n"
                        "declare double @llvm.sqrt.f64(double)\n"
                        "declare double @llvm.fabs.f64(double)\n"
                        "@table = internal constant [4 x double] zeroinitializer\n"
                        "define double @f(double %a, double %b, i32 %i, ptr %p, i1 %c) {\n" +
                        Before + "  %m = call " + Flags + " double @llvm.minnum.f64(double " + X +
                        ", double " + Y + ")\n  ret double %m\n}\n");
    for (const Instruction &I : instructions(*F))
      if (const IntrinsicInst *Found = asExtremum(I); Found && Found->getName() == "m")
        return whichOfEqual(*Found);
    ADD_FAILURE() << "no minimum";
    return OfEqual::Unsettled;
  }
};

TEST_F(Extrema, OfVariablesAreTheFirst) {
  EXPECT_EQ(of("%a", "%b"), OfEqual::First);
  EXPECT_EQ(of("%d", "%b", "  %d = load double, ptr %p\n"), OfEqual::First);
  EXPECT_EQ(of("%a", "%d", "  %d = fmul double %b, 0.0\n"), OfEqual::First);
  EXPECT_EQ(of("%a", "%d", "  %e = fneg double %b\n  %d = select i1 %c, double %e, double 1.0\n"),
            OfEqual::First);
  EXPECT_EQ(of("%a", "%d", "  %d = call double @llvm.sqrt.f64(double %b)\n"), OfEqual::First);
}

TEST_F(Extrema, OfConstantsAreWhatTheyAre) {
  EXPECT_EQ(of("%a", "0.0"), OfEqual::Second);
  EXPECT_EQ(of("%a", "-0.0"), OfEqual::Second);
  EXPECT_EQ(of("%a", "255.0"), OfEqual::Either);
  EXPECT_EQ(of("%a", "0x7FF8000000000000"), OfEqual::Unsettled);
}

TEST_F(Extrema, OfWhatCannotBeANaNAreUnsettled) {
  EXPECT_EQ(of("%a", "%d", "  %d = sitofp i32 %i to double\n"), OfEqual::Unsettled);
  EXPECT_EQ(of("%d", "%b", "  %d = call double @llvm.minnum.f64(double %a, double 1.0)\n"),
            OfEqual::Unsettled);
  EXPECT_EQ(of("%a", "%d", "  %d = fadd nnan double %a, %b\n"), OfEqual::Unsettled);
  EXPECT_EQ(of("%a", "%d", "  %d = select i1 %c, double %b, double 0.0\n"), OfEqual::Unsettled);
}

TEST_F(Extrema, OfWhatHasNoSignAreEither) {
  const std::string Fabs = "  %d = call double @llvm.fabs.f64(double %b)\n";
  EXPECT_EQ(of("%d", "0.0", Fabs), OfEqual::Either);
  EXPECT_EQ(of("%d", "-0.0", Fabs), OfEqual::Second);
  EXPECT_EQ(of("%a", "%d", Fabs), OfEqual::First);
  EXPECT_EQ(of("%e", "%d", Fabs + "  %e = fmul double %a, %a\n"), OfEqual::Either);
  EXPECT_EQ(of("%e", "%d", Fabs + "  %e = fmul double %a, %d\n"), OfEqual::First);
  EXPECT_EQ(of("%e", "%d", Fabs + "  %e = fadd double %d, %d\n"), OfEqual::Either);
  EXPECT_EQ(of("%e", "%d", Fabs + "  %e = fsub double %d, %d\n"), OfEqual::First);
  auto Loop = [](const std::string &From) {
    return "  br label %head\nhead:\n  %e = phi double [ " + From + ", %0 ], [ %m, %head ]\n" +
           "  %g = load double, ptr %p\n  %d = call double @llvm.fabs.f64(double %g)\n" +
           "  %m = call double @llvm.minnum.f64(double %e, double %d)\n" +
           "  br i1 %c, label %head, label %exit\nexit:\n";
  };
  auto OfLoop = [&](const std::string &From) {
    Function *F = parse("declare double @llvm.minnum.f64(double, double)\n"
                        "declare double @llvm.fabs.f64(double)\n"
                        "define double @f(double %a, ptr %p, i1 %c) {\n" +
                        Loop(From) + "  ret double %m\n}\n");
    for (const Instruction &I : instructions(*F))
      if (const IntrinsicInst *Found = asExtremum(I))
        return whichOfEqual(*Found);
    return OfEqual::Unsettled;
  };
  EXPECT_EQ(OfLoop("0.0"), OfEqual::Either);
  EXPECT_EQ(OfLoop("-0.0"), OfEqual::Unsettled);
  EXPECT_EQ(OfLoop("%a"), OfEqual::Unsettled);
}

TEST_F(Extrema, OfWhatMayBecomeConstantAreUnsettled) {
  EXPECT_EQ(of("%a", "%d", "  %d = load double, ptr @table\n"), OfEqual::Unsettled);
  const std::string Loop = "  br label %head\nhead:\n"
                           "  %k = phi i32 [ 0, %0 ], [ %l, %head ]\n"
                           "  %l = add i32 %k, 1\n  %e = sitofp i32 %k to double\n"
                           "  %d = fmul double %e, ";
  const std::string End = "\n  %done = icmp eq i32 %l, 9\n  br i1 %done, label %out, label %head\n"
                          "out:\n";
  EXPECT_EQ(of("%a", "%d", Loop + "0.5" + End), OfEqual::Unsettled);
  EXPECT_EQ(of("%a", "%d", Loop + "%b" + End), OfEqual::First);
}

TEST_F(Extrema, OfReductionsAreUnsettled) {
  Function *F = parse("declare double @llvm.minnum.f64(double, double)\n"
                      "define double @f(ptr %p, double %a) {\n  br label %head\nhead:\n"
                      "  %s = phi double [ %a, %0 ], [ %m, %head ]\n"
                      "  %d = load double, ptr %p\n"
                      "  %m = call double @llvm.minnum.f64(double %s, double %d)\n"
                      "  %done = fcmp olt double %d, 1.0\n"
                      "  br i1 %done, label %out, label %head\nout:\n  ret double %m\n}\n");
  for (const Instruction &I : instructions(*F))
    if (const IntrinsicInst *Found = asExtremum(I))
      EXPECT_EQ(whichOfEqual(*Found), OfEqual::Unsettled);
}

TEST_F(Extrema, OfFreeZerosAreFree) {
  EXPECT_EQ(of("%a", "%b", "", "nnan nsz"), OfEqual::Free);
  EXPECT_EQ(of("%a", "%b", "", "nnan"), OfEqual::Unsettled);
}

} // namespace
