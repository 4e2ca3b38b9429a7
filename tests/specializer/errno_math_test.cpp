//===- tests/specializer/errno_math_test.cpp - who may look at errno ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/address.h"
#include "guards/polynomial.h"
#include "specializer/polyhedral/model/unordered_calls.h"
#include "specializer/speculation/errno_math.h"
#include "tests/specializer/analysed_module.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {

struct Outcome {
  unsigned NumReplaced = ~0u;
  unsigned NumCalls = 0;            ///< of sqrt and sqrtf in the function
  unsigned NumInstructions = 0;     ///< roots as instructions
  unsigned NumReports = 0;          ///< places where errno is set
  std::vector<specrt_range> Others; ///< ranges that must not contain errno
  bool Changed = false;
};

std::string print(const Module &M) {
  std::string Text;
  raw_string_ostream Stream(Text);
  M.print(Stream, nullptr);
  return Text;
}

/// What becomes of a function with \p Body, and arguments %x (a negative number may come), %f, %n,
/// %p.
Outcome replaced(const std::string &Body) {
  AnalysedModule Analysed(R"(
    target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-S128"
    @table = internal global [64 x i32] zeroinitializer
    declare double @sqrt(double)
    declare float @sqrtf(float)
    declare double @cos(double) memory(none)
    declare double @exp(double)
    declare ptr @__errno_location() memory(none)
    define double @f(double %x, float %f, i64 %n, ptr %p) {
    )" + Body + R"(}
    !0 = !{!"tbaa"}
    !1 = !{!"int", !0, i64 0}
    !2 = !{!1, !1, i64 0}
    !3 = !{!4, !1, i64 0}
    !4 = !{!"structure", !1, i64 0}
    )");
  if (!Analysed.M)
    return {};
  std::string Before = print(*Analysed.M);
  Function &F = *Analysed.function("f");
  Outcome Result;
  specrt::BasesBesideErrno Others;
  const specrt::AccessSummary Accesses = specrt::accessesThroughArguments(F, Analysed.FAM);
  Result.NumReplaced = specrt::replaceErrnoMath(F, Accesses, Others);
  for (const specrt::BaseAccesses *Each : Others)
    Result.Others.push_back({Each->Base, Each->Begin, Each->End});
  Result.Changed = print(*Analysed.M) != Before;
  EXPECT_FALSE(verifyModule(*Analysed.M, &errs()));
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I)) {
      StringRef Name = Call->getCalledOperand()->getName();
      Result.NumCalls += Name == "sqrt" || Name == "sqrtf";
      Result.NumInstructions += Call->getIntrinsicID() == Intrinsic::sqrt;
      Result.NumReports += Name == "f.errno";
    }
  return Result;
}

const std::string Root = "%r = call double @sqrt(double %x)\n";
const std::string Return = "ret double %r\n";

/// The base of accesses through %p.
constexpr specrt_base ThroughP = {SPECRT_BASE_ARGUMENT, 3, 0};

/// Returns the number of replaced calls; nothing if that needs a guard for accesses through %p.
std::optional<unsigned> numReplacedWith(const std::string &Other) {
  Outcome O = replaced(Root + Other + Return);
  if (!O.Others.empty() && O.NumReplaced > 0) {
    EXPECT_EQ(O.Others.size(), 1u) << Other;
    EXPECT_TRUE(specrt::isSameBase(O.Others[0].base, ThroughP)) << Other;
    return std::nullopt;
  }
  EXPECT_EQ(O.Changed, O.NumReplaced > 0) << Other;
  EXPECT_EQ(O.NumCalls + O.NumReplaced, 1u) << Other;
  return O.NumReplaced;
}

TEST(ErrnoMath, RootsBecomeInstructionsAndAReportPerReturn) {
  Outcome O = replaced(Root + R"(
      %s = call float @sqrtf(float %f)
      %c = icmp sgt i64 %n, 3
      br i1 %c, label %a, label %b
    a:
      ret double %r
    b:
      %e = fpext float %s to double
      ret double %e
    )");
  EXPECT_EQ(O.NumReplaced, 2u);
  EXPECT_EQ(O.NumCalls, 0u);
  EXPECT_EQ(O.NumInstructions, 2u);
  EXPECT_EQ(O.NumReports, 2u);
}

TEST(ErrnoMath, OtherRootsAreNotTouched) {
  const char *Attributes[] = {"nobuiltin", "memory(none)", "strictfp"};
  for (const char *Attribute : Attributes) {
    Outcome O =
        replaced(std::string("%r = call double @sqrt(double %x) ") + Attribute + "\n" + Return);
    EXPECT_EQ(O.NumReplaced, 0u) << Attribute;
    EXPECT_FALSE(O.Changed) << Attribute;
  }
}

TEST(ErrnoMath, ACallThatMayLookAtErrnoForbidsIt) {
  EXPECT_EQ(numReplacedWith("%e = call double @exp(double %x)\n"), 0u);
  EXPECT_EQ(numReplacedWith("call void asm sideeffect \"\", \"~{memory}\"()\n"), 0u);
  EXPECT_EQ(numReplacedWith("%e = call double @cos(double %x)\n"), 1u) << "touches no memory";
}

TEST(ErrnoMath, ACallThatTellsWhereErrnoIsForbidsIt) {
  EXPECT_EQ(numReplacedWith("%e = call ptr @__errno_location()\n"), 0u);
}

TEST(ErrnoMath, AnIntFromOutsideMayBeErrno) {
  EXPECT_EQ(numReplacedWith("%e = load i32, ptr %p\n"), std::nullopt);
  EXPECT_EQ(numReplacedWith("store i32 0, ptr %p\n"), std::nullopt);
  EXPECT_EQ(numReplacedWith("%q = getelementptr i8, ptr %p, i64 %n\n %e = load i8, ptr %q\n"),
            std::nullopt);
  EXPECT_EQ(numReplacedWith("%q = load ptr, ptr %p\n %e = load i8, ptr %q\n"), 0u);
  EXPECT_EQ(numReplacedWith("%i = fptosi double %x to i64\n"
                            "%q = getelementptr i8, ptr %p, i64 %i\n %e = load i8, ptr %q\n"),
            0u)
      << "no guard knows the address";
  EXPECT_EQ(numReplacedWith("%e = atomicrmw add ptr %p, i32 1 monotonic\n"), 0u);
}

TEST(ErrnoMath, AllAccessedBytesAreComparedWithErrno) {
  const Outcome O = replaced(Root +
                             "%q = getelementptr i8, ptr %p, i64 40\n"
                             "%e = load i32, ptr %q\n"
                             "%s = getelementptr i8, ptr %p, i64 100\n"
                             "store i16 0, ptr %s\n" +
                             Return);
  EXPECT_EQ(O.NumReplaced, 1u);
  ASSERT_EQ(O.Others.size(), 1u);
  EXPECT_TRUE(specrt::isSameBase(O.Others[0].base, ThroughP));
  EXPECT_EQ(specrt::constantOf(O.Others[0].begin), 40);
  EXPECT_EQ(specrt::constantOf(O.Others[0].end), 102);
}

TEST(ErrnoMath, WhatIsNoIntFromOutsideIsNotErrno) {
  EXPECT_EQ(numReplacedWith("%e = load double, ptr %p\n"), 1u);
  EXPECT_EQ(numReplacedWith("%e = load i64, ptr %p\n"), 1u);
  EXPECT_EQ(numReplacedWith("%q = getelementptr [64 x i32], ptr @table, i64 0, i64 %n\n"
                            "%e = load i32, ptr %q\n"),
            1u);
  EXPECT_EQ(numReplacedWith("%q = alloca i32\n store i32 1, ptr %q\n"), 1u);
  EXPECT_EQ(numReplacedWith("%e = load i32, ptr %p, !tbaa !2\n"), std::nullopt)
      << "an int by itself";
  EXPECT_EQ(numReplacedWith("%e = load i32, ptr %p, !tbaa !3\n"), 1u) << "a member";
}

TEST(ErrnoMath, FillingMemoryMayFillErrnoUnlessItIsTooLong) {
  const std::string Fill = "call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 ";
  EXPECT_EQ(numReplacedWith(Fill + "%n, i1 false)\n"), 0u);
  EXPECT_EQ(numReplacedWith(Fill + "4, i1 false)\n"), 0u);
  EXPECT_EQ(numReplacedWith("%b = shl i64 %n, 3\n" + Fill + "%b, i1 false)\n"), 1u);
  EXPECT_EQ(numReplacedWith("%q = alloca i32\n call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, "
                            "i64 4, i1 false)\n"),
            0u);
}

/// May the calls in a function with \p Body change places?
bool isFreed(const std::string &Body) {
  AnalysedModule Analysed("declare double @exp(double) memory(errnomem: write)\n"
                          "declare float @sinhf(float) memory(errnomem: write)\n"
                          "declare double @log(double) memory(errnomem: write)\n"
                          "declare double @sqrt(double) memory(errnomem: write)\n"
                          "declare double @exp2(double)\n"
                          "declare double @cosh(double) nobuiltin memory(errnomem: write)\n"
                          "define double @f(double %x, float %y, ptr %p) {\n" +
                          Body + "}\n");
  if (!Analysed.M)
    return false;
  Function &F = *Analysed.function("f");
  auto NumPure = [&] {
    return count_if(instructions(F), [](const Instruction &I) {
      return isa<CallInst>(I) && !I.mayHaveSideEffects() && cast<CallInst>(I).isNoBuiltin();
    });
  };
  specrt::BasesBesideErrno Others;
  specrt::freeErrnoMath(F, specrt::accessesThroughArguments(F, Analysed.FAM), Others);
  const auto Number = count_if(instructions(F), specrt::isUnordered);
  EXPECT_EQ(Others.empty(), !StringRef(Body).contains("store i32")) << Body;
  EXPECT_EQ(NumPure(), 0) << "for passes of LLVM";
  {
    const specrt::UnorderedCalls Pure(F);
    EXPECT_EQ(NumPure(), Number);
  }
  EXPECT_EQ(NumPure(), 0);
  return Number > 0;
}

TEST(RangeMath, ChangesPlacesWhereNothingElseTouchesErrno) {
  EXPECT_TRUE(isFreed("%a = call double @exp(double %x)\n store double %a, ptr %p\n"
                      "%b = call float @sinhf(float %y)\n store float %b, ptr %p\n ret double %a"));
  EXPECT_FALSE(isFreed("%a = call double @exp(double %x)\n %b = call double @log(double %a)\n"
                       "ret double %b"))
      << "two errors, of which the last one counts";
  EXPECT_FALSE(isFreed("%a = call double @exp(double %x)\n %b = call double @sqrt(double %a)\n"
                       "ret double %b"));
  EXPECT_TRUE(isFreed("%a = call double @exp(double %x)\n store i32 0, ptr %p\n ret double %a"))
      << "with a guard: an int may be errno";
}

/// Functions that set errno to different values keep their order, but threads may execute them.
TEST(ErrnoOnly, IsTheEffectOfLibraryFunctionsOfNumbers) {
  AnalysedModule Analysed(
      "declare double @exp(double) nounwind willreturn memory(errnomem: write)\n"
      "declare double @pow(double, double) nounwind willreturn memory(errnomem: write)\n"
      "declare double @frexp(double, ptr) nounwind willreturn memory(errnomem: write, argmem: "
      "write)\n"
      "declare double @own(double) nounwind memory(errnomem: write)\n"
      "define double @f(double %x) {\n"
      "  %a = call double @exp(double %x)\n"
      "  %b = call double @pow(double %a, double %x)\n"
      "  ret double %b\n}\n"
      "define double @g(double %x, ptr %p) {\n"
      "  %b = call double @frexp(double %x, ptr %p)\n"
      "  ret double %b\n}\n"
      "define double @h(double %x, ptr %p) {\n"
      "  %b = call double @own(double %x)\n"
      "  ret double %b\n}\n");
  for (const auto &[Name, Marked] : {std::pair("f", 2U), std::pair("g", 0U), std::pair("h", 0U)}) {
    Function &F = *Analysed.function(Name);
    specrt::BasesBesideErrno Others;
    EXPECT_EQ(specrt::freeErrnoMath(F, {}, Others), Marked) << Name;
    EXPECT_EQ(count_if(instructions(F), specrt::isErrnoOnly), long(Marked)) << Name;
    EXPECT_EQ(count_if(instructions(F), specrt::isUnordered), 0) << Name;
  }
}

/// Its result may have become superfluous since it was marked.
TEST(RangeMath, CallsForErrnoAloneAreNeverPure) {
  AnalysedModule Analysed("declare double @exp(double) memory(errnomem: write)\n"
                          "define double @f(double %x) {\n"
                          "  %a = call double @exp(double %x)\n"
                          "  ret double %a\n"
                          "}\n");
  Function &F = *Analysed.function("f");
  specrt::BasesBesideErrno Others;
  EXPECT_EQ(specrt::freeErrnoMath(F, {}, Others), 1u);
  auto &Call = cast<CallInst>(F.front().front());
  Call.replaceAllUsesWith(F.getArg(0));
  const specrt::UnorderedCalls Pure(F);
  EXPECT_TRUE(Call.mayHaveSideEffects());
}

TEST(RangeMath, OtherCallsStay) {
  EXPECT_FALSE(isFreed("%a = call double @exp(double %x)\n ret double %x"));
  EXPECT_FALSE(isFreed("%a = call double @exp2(double %x)\n ret double %a"))
      << "a function of the program's own";
  EXPECT_FALSE(isFreed("%a = call double @cosh(double %x)\n ret double %a"))
      << "a static function of the program";
}

} // namespace
