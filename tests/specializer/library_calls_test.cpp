//===- tests/specializer/library_calls_test.cpp - whose function it is -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/rounding/library_calls.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"

using namespace specrt;
using testing::HasSubstr;
using testing::Not;

namespace {

/// The function after bindLibraryCalls, with the library functions \p Known; or the error.
std::string bound(const char *Body, std::vector<specrt_symbol> Known) {
  std::string Text =
      std::string("declare double @llvm.pow.f64(double, double)\n"
                  "declare double @llvm.sin.f64(double)\n"
                  "declare double @llvm.cos.f64(double)\n"
                  "declare <2 x float> @llvm.exp.v2f32(<2 x float>)\n"
                  "declare double @llvm.powi.f64.i32(double, i32)\n"
                  "define double @f(double %a, double %b, <2 x float> %v, i32 %n) {\n") +
      Body + "}\n";
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString(Text, Problem, Context);
  if (!M)
    return Problem.getMessage().str();
  specrt_region Region{};
  Region.symbols = Known.data();
  Region.num_symbols = Known.size();
  if (llvm::Error E = bindLibraryCalls(*M, Region))
    return llvm::toString(std::move(E));
  EXPECT_FALSE(llvm::verifyModule(*M, &llvm::errs()));
  std::string Out;
  llvm::raw_string_ostream Stream(Out);
  M->getFunction("f")->print(Stream);
  return Out;
}

int Somewhere;

TEST(LibraryCalls, GoToTheProgramsFunction) {
  const char *Body = "  %p = call double @llvm.pow.f64(double %a, double %b)\n  ret double %p\n";
  EXPECT_THAT(bound(Body, {{"pow", &Somewhere}}), HasSubstr("call double @pow(double %a"));
  EXPECT_THAT(bound(Body, {{"exp", &Somewhere}}), HasSubstr("calls pow of the program's library"));
  EXPECT_THAT(bound(Body, {{"pow", nullptr}}), HasSubstr("whose address is not known"));
}

TEST(LibraryCalls, OfVectorsAreThoseOfTheirElements) {
  std::string Out = bound("  %e = call <2 x float> @llvm.exp.v2f32(<2 x float> %v)\n"
                          "  %x = extractelement <2 x float> %e, i32 1\n"
                          "  %r = fpext float %x to double\n  ret double %r\n",
                          {{"expf", &Somewhere}});
  EXPECT_THAT(Out, HasSubstr("call float @expf("));
  EXPECT_THAT(Out, Not(HasSubstr("llvm.exp")));
}

TEST(LibraryCalls, SineAndCosineAreOne) {
  std::string Out = bound("  %s = call double @llvm.sin.f64(double %a)\n"
                          "  %c = call double @llvm.cos.f64(double %a)\n"
                          "  %d = call double @llvm.cos.f64(double %b)\n"
                          "  %p = fmul double %s, %c\n"
                          "  %q = fmul double %p, %d\n  ret double %q\n",
                          {{"sin", &Somewhere}, {"cos", &Somewhere}, {"sincos", &Somewhere}});
  EXPECT_THAT(Out, HasSubstr("call void @sincos(double %a"));
  EXPECT_THAT(Out, HasSubstr("call double @cos(double %b"));
  EXPECT_THAT(Out, Not(HasSubstr("@sin(")));
}

TEST(LibraryCalls, PowersOfIntegers) {
  EXPECT_THAT(bound("  %p = call double @llvm.powi.f64.i32(double %a, i32 %n)\n  ret double %p\n",
                    {{"__powidf2", &Somewhere}}),
              HasSubstr("call double @__powidf2(double %a, i32 %n)"));
  std::string Out =
      bound("  %p = call double @llvm.powi.f64.i32(double %a, i32 -5)\n  ret double %p\n", {});
  EXPECT_THAT(Out, HasSubstr("fdiv double 1.000000e+00"));
  EXPECT_THAT(Out, Not(HasSubstr("powi")));
}

} // namespace
