//===- tests/polyhedral/ragged/symbolic_division_test.cpp - division while compiling ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/ragged/symbolic_division.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace specrt;

namespace {

/// Two loops, 62 iterations and unknown ones, and the sums %named in the inner one.
constexpr const char *Nest = R"(
define void @f(i64 %n, i64 %m) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i1, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j1, %inner ]
  %rows = mul i64 %i, 300
  %more = mul i64 %j, 100
  %both = add i64 %rows, %more
  %behind = add i64 %both, 705
  %before = add i64 %both, -95
  %columns = add i64 %rows, %j
  %ragged = add i64 %columns, 50
  %scaled = mul i64 %m, 200
  %argument = add i64 %scaled, 7
  %unknown = add i64 %rows, %m
  %j1 = add i64 %j, 1
  %again = icmp ult i64 %j1, 62
  br i1 %again, label %inner, label %latch
latch:
  %i1 = add i64 %i, 1
  %more.i = icmp ult i64 %i1, %n
  br i1 %more.i, label %outer, label %exit
exit:
  ret void
}
)";

class SymbolicDivision : public testing::Test {
protected:
  SymbolicDivision() {
    SMDiagnostic Problem;
    M = parseAssemblyString(Nest, Problem, Context);
    F = M->getFunction("f");
    Tree.recalculate(*F);
    Loops.analyze(Tree);
    Assumptions.emplace(*F);
    SE.emplace(*F, Library, *Assumptions, Tree, Loops);
  }
  /// "quotient / remainder" by 100, or nothing.
  std::string byHundred(StringRef Name) {
    const SCEV *S = SE->getSCEV(F->getValueSymbolTable()->lookup(Name));
    const std::optional<Division> By = divide(S, 100, *SE);
    std::string Text;
    raw_string_ostream Stream(Text);
    if (By)
      Stream << *By->Quotient << " / " << *By->Remainder;
    // What is known of overflow is not asked for.
    if (size_t At = Text.find("<nw>"); At != std::string::npos)
      Text.erase(At, 4);
    return Text;
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
  Function *F = nullptr;
  DominatorTree Tree;
  LoopInfo Loops;
  TargetLibraryInfoImpl Functions{Triple("x86_64-pc-linux-gnu")};
  TargetLibraryInfo Library{Functions};
  std::optional<AssumptionCache> Assumptions;
  std::optional<ScalarEvolution> SE;
};

TEST_F(SymbolicDivision, MultiplesAreTheQuotient) {
  EXPECT_EQ(byHundred("both"), "{{0,+,3}<%outer>,+,1}<%inner> / 0");
  EXPECT_EQ(byHundred("behind"), "{{7,+,3}<%outer>,+,1}<%inner> / 5");
  EXPECT_EQ(byHundred("before"), "{{-1,+,3}<%outer>,+,1}<%inner> / 5");
  EXPECT_EQ(byHundred("argument"), "(2 * %m) / 7");
}

TEST_F(SymbolicDivision, OthersMustStayBelowTheDivisor) {
  EXPECT_NE(byHundred("columns").find(" / {0,+,1}"), std::string::npos) << byHundred("columns");
  EXPECT_EQ(byHundred("ragged"), "") << "50 to 111";
  EXPECT_EQ(byHundred("unknown"), "");
}

} // namespace
