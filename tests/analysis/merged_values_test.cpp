//===- tests/analysis/merged_values_test.cpp - phis become expressions again ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/merged_values.h"
#include "tests/analysis/parsed_function.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <gtest/gtest.h>
#include <string>

using namespace llvm;
using namespace specrt;

namespace {

class MergedValues : public ParsedFunction {
protected:
  /// \p Offset is computed in the block that is left out where %i is 0. Returns whether its phi is
  /// gone.
  bool isComputed(const std::string &Before, const std::string &Offset) {
    Function *F = parse("define i64 @f(i64 %n, i64 %i, ptr %p) {\n"
                        "entry:\n" +
                        Before +
                        "  %first = icmp eq i64 %i, 0\n"
                        "  br i1 %first, label %after, label %row\n"
                        "row:\n" +
                        Offset +
                        "  br label %after\n"
                        "after:\n"
                        "  %offset = phi i64 [ 0, %entry ], [ %o, %row ]\n"
                        "  ret i64 %offset\n"
                        "}\n");
    return F && computeMergedValues(*F, *Dominators) &&
           none_of(instructions(*F), [](const Instruction &I) { return isa<PHINode>(I); });
  }
};

TEST_F(MergedValues, TheStartOfARow) {
  EXPECT_TRUE(isComputed("", "  %o = mul nuw nsw i64 %i, %n\n"));
  EXPECT_TRUE(isComputed("  %m = load i64, ptr %p\n", "  %o = mul i64 %m, %i\n"));
  EXPECT_TRUE(
      isComputed("", "  %i1 = add i64 %i, 1\n  %d = mul i64 %i, %i1\n  %o = lshr i64 %d, 1\n"));
}

TEST_F(MergedValues, AnotherValueStays) {
  EXPECT_FALSE(isComputed("", "  %o = add i64 %i, %n\n"));
  EXPECT_FALSE(isComputed("", "  %o = mul i64 %n, %n\n"));
}

/// What is computed only where the variable is not zero may fault elsewhere.
TEST_F(MergedValues, LoadsAndDivisionsStayWhereTheyAre) {
  EXPECT_FALSE(isComputed("", "  %m = load i64, ptr %p\n  %o = mul i64 %m, %i\n"));
  EXPECT_FALSE(isComputed("", "  %m = udiv i64 100, %n\n  %o = mul i64 %m, %i\n"));
}

/// 0 times poison is poison, and the phi is 0.
TEST_F(MergedValues, AFactorThatMayBePoisonStaysWhereItIs) {
  EXPECT_FALSE(isComputed("  %m = add nsw i64 %n, 1\n", "  %o = mul i64 %i, %m\n"));
  EXPECT_TRUE(isComputed("  %m = add i64 %n, 1\n", "  %o = mul i64 %i, %m\n"));
}

} // namespace
