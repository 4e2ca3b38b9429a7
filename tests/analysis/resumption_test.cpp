//===- tests/analysis/resumption_test.cpp - which nests can go on anywhere ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/resumption.h"
#include "tests/analysis/parsed_function.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace specrt;

namespace {

/// A loop over %i from 0 with more phis and more code before it, in it and after it.
std::string loop(const std::string &Phis, const std::string &InLoop = "",
                 const std::string &Before = "", const std::string &After = "  ret void\n") {
  return "define void @f(ptr %p, i64 %n, i64 %s) {\nentry:\n" + Before +
         "  br label %head\nhead:\n"
         "  %i = phi i64 [ 0, %entry ], [ %i.next, %head ]\n" +
         Phis + InLoop +
         "  %i.next = add nuw nsw i64 %i, 1\n"
         "  %done = icmp eq i64 %i.next, %n\n"
         "  br i1 %done, label %exit, label %head\nexit:\n" +
         After + "}\n";
}

class Resumption : public ParsedFunction {
protected:
  /// The loop that can be resumed in function "f" of \p Text, or null.
  Loop *find(const std::string &Text) {
    Function *F = parse(Text);
    return F ? findResumableLoop(*F, *Loops, *SE) : nullptr;
  }
  /// Where the phi \p Name begins, as a constant.
  int64_t startOf(Loop &L, StringRef Name) {
    for (PHINode &Phi : L.getHeader()->phis())
      if (Phi.getName() == Name)
        if (auto *C = dyn_cast<ConstantInt>(Phi.getIncomingValueForBlock(L.getLoopPreheader())))
          return C->getSExtValue();
    return -1000000;
  }
};

TEST_F(Resumption, CountersBeginLater) {
  Loop *L = find(loop("  %down = phi i32 [ 100, %entry ], [ %down.next, %head ]\n",
                      "  %down.next = add i32 %down, -3\n  store i32 %down, ptr %p\n"));
  ASSERT_TRUE(L);
  resumeAt(*L, *SE, 7);
  EXPECT_EQ(startOf(*L, "i"), 7);
  EXPECT_EQ(startOf(*L, "down"), 100 - 3 * 7);
}

TEST_F(Resumption, NarrowCountersWrapAsInTheLoop) {
  Loop *L = find(loop("  %k = phi i8 [ 0, %entry ], [ %k.next, %head ]\n",
                      "  %k.next = add i8 %k, 100\n  store i8 %k, ptr %p\n"));
  ASSERT_TRUE(L);
  resumeAt(*L, *SE, 3);
  EXPECT_EQ(startOf(*L, "k"), 44);
}

TEST_F(Resumption, PointersAdvanceByArguments) {
  Loop *L = find(loop("  %q = phi ptr [ %p, %entry ], [ %q.next, %head ]\n",
                      "  store i8 1, ptr %q\n  %q.next = getelementptr i8, ptr %q, i64 %s\n"));
  ASSERT_TRUE(L);
  resumeAt(*L, *SE, 5);
  Value *Start = nullptr;
  for (PHINode &Phi : L->getHeader()->phis())
    if (Phi.getType()->isPointerTy())
      Start = Phi.getIncomingValueForBlock(L->getLoopPreheader());
  ASSERT_TRUE(Start);
  EXPECT_NE(Start, M->getFunction("f")->getArg(0));
}

TEST_F(Resumption, ALoopThatCountsCanEndEarlier) {
  for (const auto &[All, Left] : {std::pair(40u, 5u), std::pair(4u, 2u)}) {
    SCOPED_TRACE(All);
    std::string Text = loop("", "  store i64 %i, ptr %p\n");
    Text.replace(Text.find("%i.next, %n"), 11, "%i.next, " + std::to_string(All));
    Loop *L = find(Text);
    ASSERT_TRUE(L);
    ASSERT_TRUE(canLimitIterations(*L, *SE));
    resumeAt(*L, *SE, 2, 7);
    Function &F = *M->getFunction("f");
    EXPECT_FALSE(verifyFunction(F, &errs()));
    AssumptionCache NewAssumptions(F);
    DominatorTree NewDominators(F);
    LoopInfo NewLoops(NewDominators);
    ScalarEvolution After(F, *LibraryInfo, NewAssumptions, NewDominators, NewLoops);
    EXPECT_EQ(After.getSmallConstantMaxTripCount(NewLoops.getLoopFor(L->getHeader())), Left);
  }
}

TEST_F(Resumption, ALoopThatDataEndsCannotEndEarlier) {
  Loop *L = find("define void @f(ptr %p) {\nentry:\n  br label %head\nhead:\n"
                 "  %i = phi i64 [ 0, %entry ], [ %i.next, %head ]\n"
                 "  %at = getelementptr i64, ptr %p, i64 %i\n  %x = load i64, ptr %at\n"
                 "  %i.next = add nuw nsw i64 %i, 1\n  %done = icmp eq i64 %x, 0\n"
                 "  br i1 %done, label %exit, label %head\nexit:\n  ret void\n}\n");
  ASSERT_TRUE(L);
  EXPECT_FALSE(canLimitIterations(*L, *SE));
}

TEST_F(Resumption, ALoopThatIsLeftInFrontOfItsLatchCannotEndEarlier) {
  Loop *L = find("define void @f(ptr %p, i64 %n) {\nentry:\n  br label %head\nhead:\n"
                 "  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]\n"
                 "  %done = icmp eq i64 %i, %n\n  br i1 %done, label %exit, label %body\nbody:\n"
                 "  store i64 %i, ptr %p\n  %i.next = add nuw nsw i64 %i, 1\n"
                 "  br label %head\nexit:\n  ret void\n}\n");
  ASSERT_TRUE(L);
  EXPECT_FALSE(canLimitIterations(*L, *SE));
}

TEST_F(Resumption, ASumIsLost) {
  EXPECT_FALSE(find(loop("  %sum = phi double [ 0.0, %entry ], [ %more, %head ]\n",
                         "  %x = load double, ptr %p\n  %more = fadd double %sum, %x\n", "",
                         "  store double %more, ptr %p\n  ret void\n")));
  EXPECT_FALSE(find(loop("  %sum = phi i64 [ 0, %entry ], [ %more, %head ]\n",
                         "  %x = load i64, ptr %p\n  %more = add i64 %sum, %x\n", "",
                         "  store i64 %more, ptr %p\n  ret void\n")));
}

TEST_F(Resumption, GeometricCountersAreNotAffine) {
  EXPECT_FALSE(find(loop("  %g = phi i64 [ 1, %entry ], [ %g.next, %head ]\n",
                         "  %g.next = mul i64 %g, 3\n  store i64 %g, ptr %p\n")));
}

TEST_F(Resumption, WhatWasReadBeforeMayHaveChanged) {
  EXPECT_FALSE(find(loop("", "  store i64 %once, ptr %p\n", "  %once = load i64, ptr %p\n")));
}

TEST_F(Resumption, TwoNestsInARow) {
  EXPECT_FALSE(find(loop("", "", "",
                         "  br label %second\nsecond:\n"
                         "  %j = phi i64 [ 0, %exit ], [ %j.next, %second ]\n"
                         "  %j.next = add i64 %j, 1\n  %d = icmp eq i64 %j.next, %n\n"
                         "  br i1 %d, label %end, label %second\nend:\n  ret void\n")));
}

} // namespace
