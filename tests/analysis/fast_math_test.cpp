//===- tests/analysis/fast_math_test.cpp - what -ffast-math leaves open ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop bodies as the plugin meets them, each with its answer.
//
//===----------------------------------------------------------------------===//
#include "analysis/rounding/fast_math.h"
#include "tests/analysis/parsed_function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/TargetSelect.h"
#include <gmock/gmock.h>

using namespace llvm;
using namespace specrt;
using testing::HasSubstr;

namespace {

const char *const Reordered = "may be reordered";
const char *const Fused = "are fused";
const char *const Settled = "";

struct Body {
  const char *Name;
  /// %x, %y: elements i of two arrays. %r: a number that the loop carries, %next of the iteration
  /// before. %v is stored to element i of %a, the first of which is read as %y. FAST: flags.
  const char *Text;
  const char *Plain; ///< why it is open without fused multiply-adds
  const char *Fma;   ///< and with them
  const char *Bound = "%n";
};

void PrintTo(const Body &B, std::ostream *Out) { *Out << B.Name; }

class FastMath : public ParsedFunction, public testing::WithParamInterface<Body> {
protected:
  static void SetUpTestSuite() {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  }

  std::string whyOpen(const Body &B, const std::string &Flags, bool WithFma, bool ForLTO = false) {
    std::string Text = B.Text;
    for (size_t At = 0; (At = Text.find("FAST", At)) != std::string::npos;)
      Text.replace(At, 4, Flags);
    Function *F = parse("target triple = \"x86_64-unknown-linux-gnu\"\n"
                        "declare double @llvm.maxnum.f64(double, double)\n"
                        "declare double @llvm.fabs.f64(double)\n"
                        "declare double @llvm.sqrt.f64(double)\n"
                        "declare double @llvm.fmuladd.f64(double, double, double)\n"
                        "define double @f(ptr %a, ptr %b, double %s, double %t, i64 %n) #0 {\n"
                        "entry:\n  %st = fmul " +
                        Flags +
                        " double %s, %t\n  br label %loop\n"
                        "loop:\n  %i = phi i64 [0, %entry], [%j, %loop]\n"
                        "  %r = phi double [0.0, %entry], [%next, %loop]\n"
                        "  %pa = getelementptr double, ptr %a, i64 %i\n"
                        "  %pb = getelementptr double, ptr %b, i64 %i\n"
                        "  %x = load double, ptr %pb\n  %y = load double, ptr %pa\n" +
                        Text +
                        "  store double %v, ptr %pa\n"
                        "  %j = add nuw nsw i64 %i, 1\n  %c = icmp eq i64 %j, " +
                        B.Bound +
                        "\n  br i1 %c, label %exit, label %loop\n"
                        "exit:\n  ret double %next\n}\n"
                        "attributes #0 = { \"target-features\"=\"" +
                        (WithFma ? "+avx2,+fma" : "+sse2") + "\" }\n");
    if (!F)
      return "no function";
    SmallVector<const Instruction *> Code;
    for (const Instruction &I : instructions(*F))
      if (Loops->getLoopFor(I.getParent()))
        Code.push_back(&I);
    const OpenResult Open = findOpenResult(
        Code, [&](const Function &) { return LoopsOfFunction{*Loops, *SE}; },
        Flags == "fast" || Flags == "contract", ForLTO);
    return Open ? Open.Why : "";
  }
};

TEST_P(FastMath, IsToldFromFlags) {
  const Body &B = GetParam();
  for (bool WithFma : {false, true}) {
    SCOPED_TRACE(WithFma ? "with fused multiply-adds" : "without fused multiply-adds");
    const char *Expected = WithFma ? B.Fma : B.Plain;
    const std::string Why = whyOpen(B, "fast", WithFma);
    if (*Expected)
      EXPECT_THAT(Why, HasSubstr(Expected));
    else
      EXPECT_EQ(Why, "");
    EXPECT_EQ(whyOpen(B, "", WithFma), "");
    EXPECT_EQ(whyOpen(B, "nnan ninf", WithFma), "");
  }
}

#define KEEP "  %next = fadd double %s, 0.0\n"

const Body Bodies[] = {
    {"Product", KEEP "  %v = fmul FAST double %x, %s\n", Settled, Settled},
    {"SumOfElements", KEEP "  %v = fadd FAST double %x, %y\n", Settled, Settled},
    {"ProductAndSum",
     "  %next = load double, ptr %b\n  %p = fmul FAST double %x, %s\n"
     "  %v = fadd FAST double %p, %y\n",
     Settled, Settled},
    {"DifferenceFromProduct",
     "  %next = load double, ptr %b\n  %p = fmul FAST double %x, %s\n"
     "  %v = fsub FAST double %y, %p\n",
     Settled, Settled},
    {"ProductComputedBefore",
     "  %next = load double, ptr %b\n"
     "  %p = fmul FAST double %st, %x\n  %v = fadd FAST double %p, %y\n",
     Settled, Settled},
    {"SumOfProductComputedBefore", KEEP "  %v = fadd FAST double %st, %y\n", Settled, Settled},
    {"ProductUsedTwice",
     "  %next = load double, ptr %b\n  %p = fmul FAST double %x, %s\n"
     "  %q = fadd FAST double %p, %y\n  store double %p, ptr %pb\n"
     "  %v = fadd double %q, 0.0\n",
     Reordered, Fused},
    {"SumOfProducts",
     "  %next = load double, ptr %b\n  %p = fmul FAST double %x, %s\n"
     "  %q = fmul FAST double %y, %t\n  %v = fadd FAST double %p, %q\n",
     Settled, Fused},
    {"CommonFactor",
     "  %next = load double, ptr %b\n  %p = fmul FAST double %x, %s\n"
     "  %q = fmul FAST double %y, %s\n  %v = fadd FAST double %p, %q\n",
     Reordered, Fused},
    {"Twice",
     "  %next = load double, ptr %b\n  %p = fmul FAST double %x, 2.0\n"
     "  %v = fadd FAST double %p, %y\n",
     Reordered, Fused},
    {"CounterAsFactor",
     "  %next = load double, ptr %b\n  %w = sitofp i64 %i to double\n"
     "  %p = fmul FAST double %x, %w\n  %v = fadd FAST double %p, %y\n",
     Settled, Settled},
    {"CounterOfShortLoopAsFactor",
     "  %next = load double, ptr %b\n  %w = sitofp i64 %i to double\n"
     "  %p = fmul FAST double %x, %w\n  %v = fadd FAST double %p, %y\n",
     Reordered, Fused, "100"},
    {"SumOfThree", KEEP "  %p = fadd FAST double %x, %y\n  %v = fadd FAST double %p, %s\n",
     Reordered, Reordered},
    {"ProductOfThree", KEEP "  %p = fmul FAST double %x, %y\n  %v = fmul FAST double %p, %s\n",
     Reordered, Reordered},
    {"SumThroughSign",
     KEEP "  %p = fadd FAST double %x, %y\n  %q = fneg FAST double %p\n"
          "  %v = fadd FAST double %q, %s\n",
     "two zeros", "two zeros"},
    {"Reduction", "  %next = fadd FAST double %r, %x\n  %v = fadd double %s, 0.0\n", Reordered,
     Reordered},
    {"DotProduct",
     "  %p = fmul FAST double %x, %y\n  %next = fadd FAST double %r, %p\n"
     "  %v = load double, ptr %pa\n",
     Reordered, Reordered},
    {"ConversionToLess",
     KEEP "  %q = fptrunc double %x to float\n  %w = fpext float %q to double\n"
          "  %v = fmul FAST double %w, %s\n",
     "conversions", "conversions"},
    {"Division", KEEP "  %v = fdiv FAST double %x, %y\n", "reciprocals", "reciprocals"},
    {"Root", KEEP "  %v = call FAST double @llvm.sqrt.f64(double %x)\n", "approximated",
     "approximated"},
    {"MultiplyAdd",
     KEEP "  %v = call FAST double @llvm.fmuladd.f64(double %x, double %s, double %y)\n", Settled,
     Settled},
    {"MultiplyAddOfFactor",
     KEEP "  %v = call FAST double @llvm.fmuladd.f64(double %x, double %s, double %x)\n", Reordered,
     Reordered},
    {"Maximum", KEEP "  %v = call FAST double @llvm.maxnum.f64(double %x, double %y)\n",
     "two zeros", "two zeros"},
    {"OppositeOfSum", KEEP "  %p = fadd FAST double %x, %s\n  %v = fneg FAST double %p\n",
     "two zeros", "two zeros"},
    {"Comparison",
     KEEP "  %p = fsub FAST double %x, %s\n  %c1 = fcmp FAST ogt double %p, %t\n"
          "  %v = select i1 %c1, double %x, double %t\n",
     Reordered, Reordered},
    {"ElementBefore",
     KEEP "  %k = add i64 %i, -1\n  %pk = getelementptr double, ptr %a, i64 %k\n"
          "  %w = load double, ptr %pk\n  %v = fadd FAST double %w, %x\n",
     Reordered, Reordered},
    {"OneElement",
     KEEP "  %w = load double, ptr %b\n  %q = fadd FAST double %w, %x\n"
          "  store double %q, ptr %b\n  %v = load double, ptr %pb\n",
     Reordered, Reordered},
};

INSTANTIATE_TEST_SUITE_P(, FastMath, testing::ValuesIn(Bodies),
                         [](const auto &Info) { return std::string(Info.param.Name); });

class FastMathOf : public FastMath {};

const Body Scaled = {"Product", KEEP "  %v = fmul FAST double %x, %s\n", Settled, Settled};

TEST_F(FastMathOf, SingleFlagsIsLeftOpenBySomeOnly) {
  const Body Division = {"", KEEP "  %v = fdiv FAST double %x, %y\n", "", ""};
  EXPECT_EQ(whyOpen(Division, "reassoc nsz", false), "");
  EXPECT_THAT(whyOpen(Division, "arcp", false), HasSubstr("reciprocals"));
  const Body Zeros = {"", KEEP "  %v = call FAST double @llvm.maxnum.f64(double %x, double %y)\n",
                      "", ""};
  EXPECT_THAT(whyOpen(Zeros, "nnan nsz", false), HasSubstr("two zeros"));
}

TEST_F(FastMathOf, LinkTimeIsOpen) {
  EXPECT_EQ(whyOpen(Scaled, "reassoc", false), "");
  EXPECT_THAT(whyOpen(Scaled, "reassoc", false, /*ForLTO=*/true), HasSubstr("link-time"));
}

} // namespace
