//===- tests/jit/zeros/loop_shape_test.cpp - what counts the iterations of a loop ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/loop_shape.h"
#include "tests/specializer/analysed_module.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Function.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace specrt;

namespace {

constexpr const char *Nest = R"(
define void @nest(i64 %n, i64 %s, i64 %d) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %from.outer = phi i64 [ %i, %outer ], [ %from.outer, %inner ]
  %strided = phi i64 [ 5, %outer ], [ %strided.next, %inner ]
  %growing = phi i64 [ 0, %outer ], [ %growing.next, %inner ]
  %sum = phi double [ 0.0, %outer ], [ %sum.next, %inner ]
  %halved = phi i64 [ %n, %outer ], [ %halved.next, %inner ]
  %j.next = add nuw nsw i64 %j, 1
  %strided.next = add i64 %strided, %s
  %growing.next = add i64 %growing, %j
  %sum.next = fadd double %sum, 1.0
  %halved.next = lshr i64 %halved, 1
  %more = icmp ult i64 %j.next, %n
  br i1 %more, label %inner, label %outer.latch
outer.latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %outer, label %exit
exit:
  ret void
}
)";

PHINode *phi(Function &F, StringRef Name) {
  for (BasicBlock &BB : F)
    for (PHINode &Phi : BB.phis())
      if (Phi.getName() == Name)
        return &Phi;
  return nullptr;
}

TEST(LoopShape, OnlyItsOwnCountersCountALoop) {
  AnalysedModule Code(Nest);
  ASSERT_TRUE(Code.M);
  Function &F = *Code.function("nest");
  auto &SE = Code.of<ScalarEvolutionAnalysis>(F);
  const LoopInfo &LI = Code.of<LoopAnalysis>(F);
  const Loop *Inner = LI.getLoopFor(phi(F, "j")->getParent()), *Outer = Inner->getParentLoop();
  ASSERT_TRUE(Outer);
  const auto Of = [&](const char *Name, const Loop *L) { return counterOf(*phi(F, Name), *L, SE); };
  ASSERT_TRUE(Of("j", Inner));
  EXPECT_EQ(Of("j", Inner)->getStepRecurrence(SE), SE.getOne(Type::getInt64Ty(Code.Context)));
  ASSERT_TRUE(Of("strided", Inner));
  EXPECT_EQ(Of("strided", Inner)->getStepRecurrence(SE), SE.getSCEV(F.getArg(1)));
  EXPECT_TRUE(Of("i", Outer));
  // A sum of counters for scalar evolution, but of the loop around.
  ASSERT_TRUE(isa<SCEVAddRecExpr>(SE.getSCEV(phi(F, "from.outer"))));
  EXPECT_FALSE(Of("from.outer", Inner));
  // It grows by more and more.
  ASSERT_TRUE(isa<SCEVAddRecExpr>(SE.getSCEV(phi(F, "growing"))));
  EXPECT_FALSE(Of("growing", Inner));
  EXPECT_FALSE(Of("sum", Inner));
  EXPECT_FALSE(Of("halved", Inner));
  EXPECT_FALSE(Of("j", Outer)) << "not of its header";
}

TEST(LoopShape, TripsAreKnownBefore) {
  AnalysedModule Code(Nest);
  ASSERT_TRUE(Code.M);
  Function &F = *Code.function("nest");
  auto &SE = Code.of<ScalarEvolutionAnalysis>(F);
  const LoopInfo &LI = Code.of<LoopAnalysis>(F);
  const Loop *Inner = LI.getLoopFor(phi(F, "j")->getParent());
  ASSERT_TRUE(isLeftBehindLatch(*Inner));
  const SCEV *Trips = tripsOf(*Inner, SE);
  ASSERT_TRUE(Trips);
  EXPECT_TRUE(isKnownBefore(*Inner, Trips, SE));
  EXPECT_TRUE(isKnownBefore(*Inner, SE.getSCEV(phi(F, "i")), SE));
  EXPECT_FALSE(isKnownBefore(*Inner->getParentLoop(), SE.getSCEV(phi(F, "i")), SE));
  // By what may be zero nobody divides before it is known that the loop does.
  const SCEV *Quotient = SE.getUDivExpr(SE.getSCEV(F.getArg(0)), SE.getSCEV(F.getArg(2)));
  EXPECT_FALSE(isKnownBefore(*Inner, Quotient, SE));
}

} // namespace
