//===- tests/specializer/fp_environment_test.cpp - what depends on modes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/fp_environment.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace specrt;

namespace {

std::optional<FpEnvironmentGuard> guardOf(const char *Body) {
  std::string Text = std::string("declare i32 @unknown(i32)\n"
                                 "define double @f(double %a, double %b, i32 %n, ptr %p) {\n") +
                     Body + "}\n";
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString(Text, Problem, Context);
  EXPECT_NE(M, nullptr) << Problem.getMessage().str();
  return M ? guardOnFpEnvironment(*M) : std::nullopt;
}

TEST(FpEnvironmentGuard, IsForWhatDependsOnTheEnvironment) {
  EXPECT_FALSE(guardOf("  %c = icmp eq i32 %n, 1\n  %s = select i1 %c, double %a, double %b\n"
                       "  store double %s, ptr %p\n  ret double %s\n"))
      << "copies";
  EXPECT_TRUE(guardOf("  %s = fadd double %a, %b\n  ret double %s\n"));
  EXPECT_TRUE(guardOf("  %s = sitofp i32 %n to double\n  ret double %s\n"));
  EXPECT_TRUE(guardOf("  %s = call i32 @unknown(i32 %n)\n  ret double %a\n"));
}

TEST(FpEnvironmentGuard, LooksAtDenormalsUnlessResultsAreApproximate) {
  auto Bits = [](const char *Body) {
    std::optional<FpEnvironmentGuard> Guard = guardOf(Body);
    return Guard ? Guard->Mxcsr : 0;
  };
  const char *Exact = "  %s = fadd double %a, %b\n  ret double %s\n";
  const char *Fast = "  %s = fadd fast double %a, %b\n  ret double %s\n";
  const char *Mixed = "  %s = fadd fast double %a, %b\n  %t = fmul double %s, %b\n"
                      "  ret double %t\n";
  constexpr uint32_t WithoutDenormals = MxcsrControl & ~MxcsrDenormals;
  EXPECT_EQ(Bits(Exact), MxcsrControl);
  EXPECT_EQ(Bits(Mixed), MxcsrControl);
  EXPECT_EQ(Bits(Fast), WithoutDenormals);
}

TEST(FpEnvironmentGuard, LooksAtTheX87WhereItIsUsed) {
  EXPECT_EQ(guardOf("  %s = fadd double %a, %b\n  ret double %s\n")->X87, 0u);
  EXPECT_EQ(guardOf("  %x = fpext double %a to x86_fp80\n  %y = fmul x86_fp80 %x, %x\n"
                    "  %s = fptrunc x86_fp80 %y to double\n  ret double %s\n")
                ->X87,
            X87Control);
}

} // namespace
