//===- tests/specializer/floating_point_test.cpp - bits that must not move ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/rounding/floating_point.h"
#include "specrt/jit_api.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"

using namespace specrt;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string applied(const char *Body, unsigned Mode) {
  std::string Text = std::string("declare double @llvm.sqrt.f64(double)\n"
                                 "declare double @exp2(double)\n"
                                 "declare double @fmod(double, double)\n"
                                 "define double @f(double %a, double %b, double %c) {\n") +
                     Body + "}\n";
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString(Text, Problem, Context);
  if (!M)
    return Problem.getMessage().str();
  applyFloatingPointMode(*M, Mode);
  std::string Out;
  llvm::raw_string_ostream Stream(Out);
  M->getFunction("f")->print(Stream);
  return Out;
}

TEST(FloatingPoint, InexactFunctionsStayLibraryCalls) {
  std::string Out =
      applied("  %e = call double @exp2(double %a)\n  ret double %e\n", SPECRT_FP_STRICT);
  // The call carries an attribute set with nobuiltin.
  EXPECT_EQ(std::string::npos, Out.find("@exp2(double %a)\n")) << "exp2 must carry attributes";
}

TEST(FloatingPoint, ExactFunctionsMayBeOptimised) {
  std::string Out = applied("  %s = call double @llvm.sqrt.f64(double %a)\n"
                            "  %m = call double @fmod(double %s, double %b)\n  ret double %m\n",
                            SPECRT_FP_STRICT);
  EXPECT_THAT(Out, HasSubstr("@llvm.sqrt.f64"));
  EXPECT_THAT(Out, HasSubstr("@fmod(double %s, double %b)\n"));
}

TEST(FloatingPoint, OnlyTheFiniteModeLeavesFlags) {
  const char *Body = "  %r = fadd fast double %a, %b\n  ret double %r\n";
  EXPECT_THAT(applied(Body, SPECRT_FP_STRICT), HasSubstr("fadd double"));
  EXPECT_THAT(applied(Body, SPECRT_FP_FINITE), HasSubstr("fadd nsz double"));
  EXPECT_THAT(applied(Body, SPECRT_FP_FAST), HasSubstr("fadd double")) << "see fast_math.h";
}

} // namespace
