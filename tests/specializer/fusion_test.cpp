//===- tests/specializer/fusion_test.cpp - fused where the original was ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/rounding/fusion.h"
#include "specializer/rounding/fusion.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"

using namespace specrt;
using testing::HasSubstr;
using testing::Not;

namespace {

class Fusion : public testing::Test {
protected:
  /// @f with \p Body, compiled for a target with \p Attributes.
  const llvm::Function &parse(const std::string &Body, const std::string &Attributes) {
    llvm::InitializeNativeTarget();
    llvm::SMDiagnostic Problem;
    M = llvm::parseAssemblyString("target triple = \"x86_64-pc-linux-gnu\"\n"
                                  "declare double @llvm.fmuladd.f64(double, double, double)\n"
                                  "define double @f(double %a, double %b, double %c) #0 {\n" +
                                      Body + "}\nattributes #0 = { nounwind " + Attributes + " }\n",
                                  Problem, Context);
    if (!M)
      llvm::report_fatal_error(Problem.getMessage());
    return *M->getFunction("f");
  }
  std::string decided(const std::string &Body, const std::string &Attributes) {
    const llvm::Function &F = parse(Body, Attributes);
    decideFusion(*M);
    std::string Out;
    llvm::raw_string_ostream Stream(Out);
    F.print(Stream);
    return Out;
  }
  bool fuses(const std::string &Attributes) {
    return mayFuse(parse("  ret double %a\n", Attributes));
  }

  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
};

const char *const With = "\"target-features\"=\"+avx2,+fma\"";
const char *const Without = "\"target-features\"=\"+avx2\"";

TEST_F(Fusion, FollowsFeaturesAndWhatImpliesThem) {
  EXPECT_FALSE(fuses(""));
  EXPECT_FALSE(fuses(Without));
  EXPECT_TRUE(fuses(With));
  EXPECT_TRUE(fuses("\"target-features\"=\"+fma4\""));
  EXPECT_TRUE(fuses("\"target-features\"=\"+avx512f\""));
  EXPECT_TRUE(fuses("\"target-cpu\"=\"haswell\""));
  EXPECT_FALSE(fuses("\"target-cpu\"=\"haswell\" \"target-features\"=\"-fma\""));
}

TEST_F(Fusion, DependsOnTheType) {
  const llvm::Function &F = parse("  ret double %a\n", With);
  EXPECT_TRUE(mayFuse(F, *llvm::Type::getFloatTy(Context)));
  EXPECT_FALSE(mayFuse(F, *llvm::Type::getX86_FP80Ty(Context)));
  EXPECT_FALSE(mayFuse(F, *llvm::Type::getHalfTy(Context)));
  const llvm::Function &WithHalf =
      parse("  ret double %a\n", "\"target-features\"=\"+avx512fp16\"");
  EXPECT_TRUE(mayFuse(WithHalf, *llvm::Type::getHalfTy(Context)));
}

TEST_F(Fusion, OfMulAddIsTheTargets) {
  const char *Body = "  %r = call double @llvm.fmuladd.f64(double %a, double %b, double %c)\n"
                     "  ret double %r\n";
  EXPECT_THAT(decided(Body, With), HasSubstr("@llvm.fma.f64"));
  std::string Split = decided(Body, Without);
  EXPECT_THAT(Split, HasSubstr("fmul double"));
  EXPECT_THAT(Split, HasSubstr("fadd double"));
  EXPECT_THAT(Split, Not(HasSubstr("fmuladd")));
}

TEST_F(Fusion, IsFreeOnlyWhereTheOrderIs) {
  auto Body = [](std::string Flags) {
    return "  %m = fmul " + Flags + " double %a, %b\n  %r = fadd " + Flags +
           " double %m, %c\n  ret double %r\n";
  };
  EXPECT_THAT(decided(Body("contract"), With), Not(HasSubstr("contract")));
  EXPECT_THAT(decided(Body("fast"), With), HasSubstr("fadd fast"));
  EXPECT_THAT(decided(Body("fast"), Without), Not(HasSubstr("fast")));
}

TEST_F(Fusion, KeepsTheFlagsOfBothOperations) {
  const auto Fused = [&](const std::string &OfProduct, const std::string &OfSum) {
    parse("  %m = fmul " + OfProduct + " double %a, %b\n  %r = fadd " + OfSum +
              " double %m, %c\n  ret double %r\n",
          With);
    fuseFirstProducts(*M->getFunction("f"));
    std::string Out;
    llvm::raw_string_ostream Stream(Out);
    M->getFunction("f")->print(Stream);
    return Out;
  };
  EXPECT_THAT(Fused("nnan nsz", "nnan ninf"), HasSubstr("call nnan double @llvm.fma.f64"));
  EXPECT_THAT(Fused("", "fast"), HasSubstr("call double @llvm.fma.f64"));
}

} // namespace
