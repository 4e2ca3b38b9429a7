//===- tests/analysis/access_ranges_test.cpp - byte ranges of loop nests --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each test writes a small nest as IR and states the exact range it must get. Ranges are printed
// as "[begin, end)" with arguments a0, a1, ... so that a failure shows what was computed.
//
//===----------------------------------------------------------------------===//
#include "analysis/memory/access_ranges.h"
#include "analysis/memory/trip_counts.h"
#include "tests/analysis/parsed_function.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace specrt;

namespace {

std::string print(const specrt_polynomial &P) {
  if (P.num_terms == SPECRT_UNKNOWN)
    return "?";
  std::string Text;
  for (unsigned I = 0; I < P.num_terms; ++I) {
    const specrt_term &Term = P.terms[I];
    Text += (Text.empty() ? "" : " + ") + std::to_string(Term.coefficient);
    for (unsigned J = 0; J < Term.num_factors; ++J)
      Text += std::string(Term.factors[J] & SPECRT_FACTOR_UNSIGNED ? "*u" : "*a") +
              std::to_string(Term.factors[J] & ~SPECRT_FACTOR_UNSIGNED);
  }
  return Text.empty() ? "0" : Text;
}

class AccessRanges : public ParsedFunction {
protected:
  void parse(const std::string &Body) {
    F = ParsedFunction::parse(
        "target datalayout = "
        "\"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n" +
        Body);
    ASSERT_TRUE(F);
  }
  AccessSummary analyze(bool AssumeNoWrap = false) {
    return computeAccesses(*F, *SE, *Loops, AssumeNoWrap,
                           [](const GlobalValue &G) -> std::optional<unsigned> {
                             if (G.getName() == "hidden")
                               return std::nullopt;
                             return 7;
                           });
  }
  std::string range(const BaseAccesses &Accesses) {
    return "[" + print(Accesses.Begin) + ", " + print(Accesses.End) + ")";
  }
  /// The range of the only base.
  std::string onlyRange(bool AssumeNoWrap = false) {
    AccessSummary Summary = analyze(AssumeNoWrap);
    if (Summary.Bases.size() != 1)
      return std::to_string(Summary.Bases.size()) + " bases: " + Summary.Reason;
    return range(Summary.Bases[0]);
  }

  Function *F = nullptr;
};

/// for (i = Start; ; i += Step) { Body; } leaving when the next i equals Stop.
std::string loop(const std::string &Arguments, const std::string &Stop, const std::string &Body,
                 const std::string &Step = "1", const std::string &Start = "0") {
  return "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
         "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
         "declare void @opaque(ptr)\n"
         "@table = internal global [100 x double] zeroinitializer\n"
         "@hidden = internal global double 0.0\n"
         "@fixed = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]\n"
         "define void @f(" +
         Arguments +
         ") {\n"
         "entry:\n  br label %loop\n"
         "loop:\n  %i = phi i64 [ " +
         Start + ", %entry ], [ %next, %loop ]\n" + Body + "\n  %next = add nsw i64 %i, " + Step +
         "\n  %done = icmp eq i64 %next, " + Stop +
         "\n  br i1 %done, label %exit, label %loop\n"
         "exit:\n  ret void\n}\n";
}

/// for (i < N) for (j < M(i)) { Body }, all 64-bit.
std::string nest(const std::string &Arguments, const std::string &StopI, const std::string &StopJ,
                 const std::string &Body) {
  return "define void @f(" + Arguments +
         ") {\n"
         "entry:\n  br label %outer\n"
         "outer:\n  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]\n"
         "  %i.next = add nuw nsw i64 %i, 1\n  br label %inner\n"
         "inner:\n  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]\n" +
         Body +
         "\n  %j.next = add nuw nsw i64 %j, 1\n"
         "  %j.done = icmp eq i64 %j.next, " +
         StopJ +
         "\n  br i1 %j.done, label %latch, label %inner\n"
         "latch:\n  %i.done = icmp eq i64 %i.next, " +
         StopI +
         "\n  br i1 %i.done, label %exit, label %outer\n"
         "exit:\n  ret void\n}\n";
}

const char *const StoreAtI = "  %p = getelementptr double, ptr %a, i64 %i\n"
                             "  store double 0.0, ptr %p, align 8";

TEST_F(AccessRanges, ConstantFlatMatrix) {
  parse(nest("ptr %a", "20", "30",
             "  %row = mul nsw i64 %i, 30\n  %k = add nsw i64 %row, %j\n"
             "  %p = getelementptr double, ptr %a, i64 %k\n  store double 0.0, ptr %p"));
  AccessSummary Summary = analyze();
  EXPECT_TRUE(Summary.Complete);
  ASSERT_EQ(Summary.Bases.size(), 1u);
  EXPECT_EQ(range(Summary.Bases[0]), "[0, 4800)");
  EXPECT_TRUE(Summary.Bases[0].Writes);
  EXPECT_FALSE(Summary.Bases[0].Reads);
  EXPECT_EQ(Summary.Bases[0].ElementSize, 8u);
  EXPECT_EQ(Summary.Bases[0].Base.index, 0u);
}

TEST_F(AccessRanges, HalvesOfOneBufferAreSeparate) {
  parse(loop("ptr %a, ptr %b", "50",
             "  %k = add nsw i64 %i, 50\n  %p = getelementptr double, ptr %a, i64 %k\n"
             "  %q = getelementptr double, ptr %b, i64 %i\n"
             "  %v = load double, ptr %q\n  store double %v, ptr %p"));
  AccessSummary Summary = analyze();
  ASSERT_EQ(Summary.Bases.size(), 2u);
  EXPECT_EQ(range(Summary.Bases[0]), "[0, 400)");
  EXPECT_EQ(range(Summary.Bases[1]), "[400, 800)");
}

TEST_F(AccessRanges, SymbolicFlatMatrix) {
  const std::string Body =
      "  %row = mul i64 %i, %n\n  %k = add i64 %row, %j\n"
      "  %p = getelementptr double, ptr %a, i64 %k\n  store double 0.0, ptr %p";
  // 8 * ((m-1) n + (n-1)) + 8 = 8 m n.
  parse(nest("ptr %a, i64 range(i64 1, 100000) %m, i64 range(i64 1, 100000) %n", "%m", "%n", Body));
  EXPECT_EQ(onlyRange(), "[0, 8*a1*a2)");
}

TEST_F(AccessRanges, UnknownSignOfASizeIsUnknownUnlessAssumed) {
  const std::string Body =
      "  %row = mul i64 %i, %n\n  %k = add i64 %row, %j\n"
      "  %p = getelementptr double, ptr %a, i64 %k\n  store double 0.0, ptr %p";
  parse(nest("ptr %a, i64 %m, i64 %n", "%m", "%n", Body));
  EXPECT_EQ(onlyRange(false), "[?, ?)");
  EXPECT_EQ(onlyRange(true), "[0, 8*a1*a2)");
}

TEST_F(AccessRanges, QuadraticSubscript) {
  parse(loop("ptr %a", "10",
             "  %k = mul nsw i64 %i, %i\n  %p = getelementptr float, ptr %a, i64 %k\n"
             "  store float 0.0, ptr %p"));
  EXPECT_EQ(onlyRange(), "[0, 328)"); // 4 * 81 + 4
}

TEST_F(AccessRanges, TriangularNumbers) {
  // A[i (i+1) / 2]: a recurrence of second order whose power form has a fraction.
  parse("define void @f(ptr %a) {\n"
        "entry:\n  br label %loop\n"
        "loop:\n  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
        "  %t = phi i64 [ 0, %entry ], [ %t.next, %loop ]\n"
        "  %p = getelementptr i8, ptr %a, i64 %t\n  store i8 0, ptr %p\n"
        "  %next = add nuw nsw i64 %i, 1\n  %t.next = add nuw nsw i64 %t, %next\n"
        "  %done = icmp eq i64 %next, 10\n  br i1 %done, label %exit, label %loop\n"
        "exit:\n  ret void\n}\n");
  EXPECT_EQ(onlyRange(), "[0, 46)"); // 9 * 10 / 2 + 1
}

TEST_F(AccessRanges, TriangularNest) {
  parse(nest("ptr %a", "10", "%i.next",
             "  %row = mul nsw i64 %i, 10\n  %k = add nsw i64 %row, %j\n"
             "  %p = getelementptr double, ptr %a, i64 %k\n  store double 0.0, ptr %p"));
  EXPECT_EQ(onlyRange(), "[0, 800)"); // j <= i: 8 * (90 + 9) + 8
}

TEST_F(AccessRanges, NegativeStride) {
  parse(loop("ptr %a", "-1", StoreAtI, "-1", "99"));
  EXPECT_EQ(onlyRange(), "[0, 800)");
}

TEST_F(AccessRanges, AccessesBeforeTheBase) {
  parse(loop("ptr %a", "0", StoreAtI, "1", "-5"));
  EXPECT_EQ(onlyRange(), "[-40, 0)");
}

TEST_F(AccessRanges, StencilJoinsItsOffsets) {
  parse(loop("ptr %a, i64 range(i64 2, 1000) %n", "%n",
             "  %l = add i64 %i, -1\n  %r = add i64 %i, 1\n"
             "  %pl = getelementptr double, ptr %a, i64 %l\n  %vl = load double, ptr %pl\n"
             "  %pr = getelementptr double, ptr %a, i64 %r\n  %vr = load double, ptr %pr",
             "1", "1"));
  EXPECT_EQ(onlyRange(), "[0, 8 + 8*a1)");
}

TEST_F(AccessRanges, NarrowArithmeticMayWrap) {
  const std::string Start = "  %w = trunc i64 %i to i32\n  %k = mul ";
  const std::string Finish = "i32 %w, %s\n  %x = sext i32 %k to i64\n"
                             "  %p = getelementptr i8, ptr %a, i64 %x\n  store i8 0, ptr %p";
  parse(loop("ptr %a, i32 range(i32 1, 65536) %s", "65536", Start + Finish));
  EXPECT_EQ(onlyRange(false), "[?, ?)");
  EXPECT_EQ(onlyRange(true), "[0, 1 + 65535*a1)");
  // The same product fits when the factor is small enough.
  parse(loop("ptr %a, i32 range(i32 1, 100) %s", "65536", Start + Finish));
  EXPECT_EQ(onlyRange(false), "[0, 1 + 65535*a1)");
}

TEST_F(AccessRanges, UnsignedNarrowBound) {
  parse("define void @f(ptr %a, i32 %n) {\n"
        "entry:\n  %stop = zext i32 %n to i64\n  %stop1 = add nuw nsw i64 %stop, 1\n  br label "
        "%loop\n"
        "loop:\n  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n" +
        std::string(StoreAtI) +
        "\n  %next = add nuw nsw i64 %i, 1\n"
        "  %done = icmp eq i64 %next, %stop1\n  br i1 %done, label %exit, label %loop\n"
        "exit:\n  ret void\n}\n");
  EXPECT_EQ(onlyRange(), "[0, 8 + 8*u1)");
}

TEST_F(AccessRanges, TiledLoopWithMinimum) {
  // for (ii = 0; ii < 100; ii += 32) for (i = ii; i < min(ii + 32, 100); ++i) A[i]
  parse("declare i64 @llvm.smin.i64(i64, i64)\n"
        "define void @f(ptr %a) {\n"
        "entry:\n  br label %outer\n"
        "outer:\n  %ii = phi i64 [ 0, %entry ], [ %ii.next, %latch ]\n"
        "  %ii.next = add nuw nsw i64 %ii, 32\n"
        "  %stop = call i64 @llvm.smin.i64(i64 %ii.next, i64 100)\n  br label %inner\n"
        "inner:\n  %i = phi i64 [ %ii, %outer ], [ %next, %inner ]\n" +
        std::string(StoreAtI) +
        "\n  %next = add nuw nsw i64 %i, 1\n"
        "  %done = icmp slt i64 %next, %stop\n  br i1 %done, label %inner, label %latch\n"
        "latch:\n  %more = icmp ult i64 %ii.next, 100\n"
        "  br i1 %more, label %outer, label %exit\n"
        "exit:\n  ret void\n}\n");
  std::string Range = onlyRange();
  // 128 whole-tile elements at most; the exact end would be 800.
  EXPECT_TRUE(Range == "[0, 800)" || Range == "[0, 1024)") << Range;
}

TEST_F(AccessRanges, LookupThroughABoundedIndex) {
  parse(loop("ptr %a, ptr noalias %index", "100",
             "  %q = getelementptr i8, ptr %index, i64 %i\n  %b = load i8, ptr %q\n"
             "  %x = zext i8 %b to i64\n  %p = getelementptr i32, ptr %a, i64 %x\n"
             "  store i32 1, ptr %p"));
  AccessSummary Summary = analyze();
  ASSERT_EQ(Summary.Bases.size(), 2u);
  EXPECT_EQ(range(Summary.Bases[0]), "[0, 100)");
  EXPECT_EQ(range(Summary.Bases[1]), "[0, 1024)");
}

TEST_F(AccessRanges, IndirectIndexIsUnknown) {
  parse(loop("ptr %a, ptr %index", "100",
             "  %q = getelementptr i64, ptr %index, i64 %i\n  %x = load i64, ptr %q\n"
             "  %p = getelementptr i32, ptr %a, i64 %x\n  store i32 1, ptr %p"));
  AccessSummary Summary = analyze();
  EXPECT_TRUE(Summary.Complete);
  ASSERT_EQ(Summary.Bases.size(), 2u);
  EXPECT_EQ(range(Summary.Bases[1]), "[?, ?)");
  EXPECT_FALSE(Summary.Bases[1].isBounded());
}

TEST_F(AccessRanges, GlobalsAndConstants) {
  parse(loop("ptr %a", "100",
             "  %p = getelementptr [100 x double], ptr @table, i64 0, i64 %i\n"
             "  %m = and i64 %i, 3\n  %c = getelementptr [4 x i32], ptr @fixed, i64 0, i64 %m\n"
             "  %v = load i32, ptr %c\n  store double 0.0, ptr %p"));
  AccessSummary Summary = analyze();
  ASSERT_EQ(Summary.Bases.size(), 1u);
  EXPECT_EQ(Summary.Bases[0].Base.kind, SPECRT_BASE_SYMBOL);
  EXPECT_EQ(Summary.Bases[0].Base.index, 7u);
  EXPECT_EQ(range(Summary.Bases[0]), "[0, 800)");
  EXPECT_FALSE(Summary.Bases[0].IsWholeObject);
}

TEST_F(AccessRanges, UnknownBytesOfAGlobalAreAllOfIt) {
  parse(loop("ptr %index", "50",
             "  %q = getelementptr i64, ptr %index, i64 %i\n  %x = load i64, ptr %q\n"
             "  %p = getelementptr double, ptr @table, i64 %x\n  store double 0.0, ptr %p"));
  AccessSummary Summary = analyze();
  ASSERT_EQ(Summary.Bases.size(), 2u);
  EXPECT_FALSE(Summary.Bases[0].IsWholeObject);
  EXPECT_EQ(range(Summary.Bases[1]), "[0, 800)");
  EXPECT_TRUE(Summary.Bases[1].IsWholeObject);
}

TEST_F(AccessRanges, PointerLoadedFromAStruct) {
  parse(loop("ptr %s", "100",
             "  %cell = getelementptr i8, ptr %s, i64 16\n  %a = load ptr, ptr %cell\n" +
                 std::string(StoreAtI)));
  AccessSummary Summary = analyze();
  EXPECT_TRUE(Summary.Complete);
  ASSERT_EQ(Summary.Bases.size(), 2u);
  EXPECT_EQ(range(Summary.Bases[0]), "[16, 24)");
  EXPECT_EQ(Summary.Bases[1].Base.kind, SPECRT_BASE_LOADED);
  EXPECT_EQ(Summary.Bases[1].Base.index, 0u);
  EXPECT_EQ(Summary.Bases[1].Base.offset, 16);
  EXPECT_EQ(range(Summary.Bases[1]), "[0, 800)");
}

TEST_F(AccessRanges, RowPointersHaveNoBase) {
  parse(loop("ptr %rows", "100",
             "  %cell = getelementptr ptr, ptr %rows, i64 %i\n  %row = load ptr, ptr %cell\n"
             "  store double 0.0, ptr %row"));
  AccessSummary Summary = analyze();
  EXPECT_FALSE(Summary.Complete);
  EXPECT_FALSE(Summary.CompleteWrites);
  EXPECT_EQ(Summary.Reason, "the address is loaded from memory in the loop");
  EXPECT_EQ(Summary.Unattributed.size(), 1u);
}

TEST_F(AccessRanges, UnknownBasesAreReported) {
  parse(loop("ptr %a, ptr %b, i1 %c", "100",
             "  %s = select i1 %c, ptr %a, ptr %b\n  %v = load double, ptr %s"));
  AccessSummary Summary = analyze();
  EXPECT_FALSE(Summary.Complete);
  EXPECT_TRUE(Summary.CompleteWrites);
  EXPECT_EQ(Summary.Reason, "the address is one of several pointers");

  parse(loop("ptr %a", "100", "  store double 0.0, ptr @hidden"));
  EXPECT_EQ(analyze().Reason, "global hidden is not in the symbol table");

  parse(loop("ptr %a", "100", "  call void @opaque(ptr %a)"));
  EXPECT_FALSE(analyze().Complete);
  EXPECT_EQ(analyze().Reason, "call of opaque");
}

TEST_F(AccessRanges, BlockOperations) {
  parse(loop("ptr %a, ptr %b", "10",
             "  %o = mul nsw i64 %i, 64\n  %p = getelementptr i8, ptr %a, i64 %o\n"
             "  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 64, i1 false)\n"
             "  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %b, i64 48, i1 false)"));
  AccessSummary Summary = analyze();
  EXPECT_TRUE(Summary.Complete);
  ASSERT_EQ(Summary.Bases.size(), 2u);
  EXPECT_EQ(range(Summary.Bases[0]), "[0, 640)");
  EXPECT_EQ(range(Summary.Bases[1]), "[0, 48)");
  EXPECT_FALSE(Summary.Bases[1].Writes);
}

TEST_F(AccessRanges, TripCountsInPreOrder) {
  parse(nest("ptr %a, i64 range(i64 1, 1000) %n", "%n", "%i.next",
             "  %p = getelementptr double, ptr %a, i64 %j\n  store double 0.0, ptr %p"));
  SmallVector<LoopTripCount> Counts = computeTripCounts(*F, *SE, *Loops, false);
  ASSERT_EQ(Counts.size(), 2u);
  EXPECT_EQ(Counts[0].Description.depth, 1u);
  EXPECT_EQ(print(Counts[0].Description.trip_count), "1*a1");
  EXPECT_EQ(Counts[1].Description.depth, 2u);
  EXPECT_EQ(print(Counts[1].Description.trip_count), "1*a1"); // the largest of 1 .. n
}

} // namespace
