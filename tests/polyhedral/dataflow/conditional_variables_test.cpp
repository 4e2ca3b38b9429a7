//===- tests/polyhedral/dataflow/conditional_variables_test.cpp - variables in memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/conditional_variables.h"
#include "specializer/loops/loop_shape.h"
#include "tests/specializer/analysed_module.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace specrt;

namespace {

/// A loop that carries %last, whose next value \p Body computes as %next.
std::string loopOf(const std::string &Body) {
  return R"(
    define double @f(ptr noalias %a, ptr noalias %c, i64 %n) {
    entry:
      br label %header
    header:
      %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
      %last = phi double [ 0.0, %entry ], [ %next, %latch ]
      %at = getelementptr double, ptr %a, i64 %i
      %x = load double, ptr %at
      %new = fmul double %x, %x
      %is.set = fcmp ogt double %x, 0.0
      %is.large = fcmp ogt double %x, 9.0
      %to = getelementptr double, ptr %c, i64 %i
      )" +
         Body + R"(
      store double %next, ptr %to
      %i.next = add nuw nsw i64 %i, 1
      %again = icmp ult i64 %i.next, %n
      br i1 %again, label %header, label %exit
    exit:
      %left = phi double [ %next, %latch ]
      ret double %left
    })";
}

struct Stored {
  unsigned NumVariables = 0;
  bool IsChanged = false, IsValid = false;
  unsigned NumStores = 0, NumSelects = 0;
};

Stored storeIn(const std::string &Body) {
  AnalysedModule Code(loopOf(Body));
  Function &F = *Code.function("f");
  const auto TextOf = [&] {
    std::string Text;
    raw_string_ostream(Text) << F;
    return Text;
  };
  const std::string Before = TextOf();
  LoopInfo &LI = Code.of<LoopAnalysis>(F);
  DominatorTree &DT = Code.of<DominatorTreeAnalysis>(F);
  Stored Found;
  Found.NumVariables = storeConditionalVariables(**LI.begin(), Code.FAM);
  Found.IsChanged = TextOf() != Before;
  LI.verify(DT);
  Found.IsValid = !verifyFunction(F, &errs()) && DT.verify();
  for (const Instruction &I : instructions(F)) {
    Found.NumStores += isa<StoreInst>(I) && I.getOperand(1)->getName().starts_with("last");
    Found.NumSelects += isa<SelectInst>(I);
  }
  return Found;
}

void expectUnchanged(const std::string &Body) {
  const Stored Found = storeIn(Body);
  EXPECT_EQ(Found.NumVariables, 0u);
  EXPECT_FALSE(Found.IsChanged);
}

TEST(ConditionalVariables, SelectionsBecomeStores) {
  const Stored Found = storeIn(R"(
      %first = select i1 %is.set, double %new, double %last
      %y = fadd double %first, %last
      %next = select i1 %is.large, double %first, double %y
      br label %latch
    latch:)");
  EXPECT_EQ(Found.NumVariables, 1u);
  EXPECT_TRUE(Found.IsValid);
  EXPECT_EQ(Found.NumStores, 3u); // before the loop, and one for each selection
  EXPECT_EQ(Found.NumSelects, 0u);
}

TEST(ConditionalVariables, SelectionsAndBranches) {
  const Stored Found = storeIn(R"(
      br i1 %is.large, label %then, label %latch
    then:
      %first = select i1 %is.set, double %new, double %last
      br label %latch
    latch:
      %next = phi double [ %last, %header ], [ %first, %then ])");
  EXPECT_EQ(Found.NumVariables, 1u);
  EXPECT_TRUE(Found.IsValid);
  EXPECT_EQ(Found.NumStores, 2u);
}

/// A selection of two new values is a new value.
TEST(ConditionalVariables, SelectionsOfNewValues) {
  const Stored Found = storeIn(R"(
      %chosen = select i1 %is.large, double %new, double 3.0
      %next = select i1 %is.set, double %chosen, double %last
      br label %latch
    latch:)");
  EXPECT_EQ(Found.NumVariables, 1u);
  EXPECT_TRUE(Found.IsValid);
  EXPECT_EQ(Found.NumSelects, 1u);
}

/// The second selection may return to the value before the first one.
TEST(ConditionalVariables, ValuesThatReturnChangeNothing) {
  expectUnchanged(R"(
      %first = select i1 %is.set, double %new, double %last
      %next = select i1 %is.large, double %first, double %last
      br label %latch
    latch:)");
}

/// Each iteration replaces the value.
TEST(ConditionalVariables, ValuesThatAreNotKeptChangeNothing) {
  expectUnchanged(R"(
      %y = fadd double %new, %last
      %next = select i1 %is.set, double %y, double %new
      br label %latch
    latch:)");
}

/// The blocks %one and %two are a cycle with two entries. The way from %set to %one and on to
/// %latch returns to the value before %set.
TEST(ConditionalVariables, IrreducibleControlFlowChangesNothing) {
  expectUnchanged(R"(
      br i1 %is.set, label %one, label %set
    set:
      br label %two
    one:
      br i1 %is.large, label %two, label %latch
    two:
      %changed = phi double [ %new, %set ], [ %last, %one ]
      br i1 %is.large, label %one, label %latch
    latch:
      %next = phi double [ %last, %one ], [ %changed, %two ])");
}

} // namespace
