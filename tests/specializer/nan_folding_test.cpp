//===- tests/specializer/nan_folding_test.cpp - NaNs in sight --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/rounding/nan_folding.h"
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

class NaNFolding : public testing::Test {
protected:
  void parse(const char *Body) {
    llvm::SMDiagnostic Problem;
    M = llvm::parseAssemblyString(
        std::string("declare double @llvm.copysign.f64(double, double)\n"
                    "define double @f(ptr %p, double %a, double %b) {\nentry:\n") +
            Body + "}\n",
        Problem, Context);
    ASSERT_NE(M, nullptr) << Problem.getMessage().str();
  }
  std::string code() {
    EXPECT_FALSE(llvm::verifyModule(*M, &llvm::errs()));
    std::string Out;
    llvm::raw_string_ostream Stream(Out);
    M->getFunction("f")->print(Stream);
    return Out;
  }

  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
};

TEST_F(NaNFolding, SeesScalarsAndVectors) {
  parse("  store double 0x7FF8000000000000, ptr %p\n  ret double %a\n");
  EXPECT_TRUE(containsNaN(*M));
  parse("  store <2 x float> <float 1.0, float 0x7FF8000000000000>, ptr %p\n  ret double %a\n");
  EXPECT_TRUE(containsNaN(*M));
  parse("  store <2 x float> <float 1.0, float 0x7FF0000000000000>, ptr %p\n  ret double %a\n");
  EXPECT_FALSE(containsNaN(*M)) << "an infinity";
}

TEST_F(NaNFolding, HidesTheProgramsOwn) {
  parse("  %c = fcmp olt double %a, %b\n"
        "  %s = select i1 %c, double %a, double 0x7FF8000000000000\n  ret double %s\n");
  hideNaNs(*M);
  EXPECT_FALSE(containsNaN(*M));
  EXPECT_THAT(code(), HasSubstr("load double, ptr @specrt.nan"));
}

TEST_F(NaNFolding, FencesSignsOfWhatMayBeFolded) {
  parse("  %q = fdiv double %a, %b\n"
        "  %s = call double @llvm.copysign.f64(double 1.0, double %q)\n  ret double %s\n");
  fenceSignsOfNaNs(*M);
  EXPECT_THAT(code(), HasSubstr("asm"));
  fenceSignsOfNaNs(*M);
  EXPECT_EQ(code().find("asm"), code().rfind("asm")) << "once is enough";
  parse("  %x = load double, ptr %p\n  %q = fmul double %x, %x\n"
        "  %s = call double @llvm.copysign.f64(double 1.0, double %q)\n  ret double %s\n");
  fenceSignsOfNaNs(*M);
  EXPECT_THAT(code(), Not(HasSubstr("asm"))) << "an unknown value";
}

} // namespace
