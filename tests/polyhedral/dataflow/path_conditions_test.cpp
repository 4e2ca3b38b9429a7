//===- tests/polyhedral/dataflow/path_conditions_test.cpp - when blocks are executed ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/independence/path_conditions.h"
#include "specializer/loops/loop_shape.h"
#include "tests/specializer/analysed_module.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace specrt;

namespace {

/// A loop that executes \p Body, which begins in its header and goes on to %latch.
std::string loopOf(const std::string &Body) {
  return R"(
    declare double @llvm.fmuladd.f64(double, double, double)
    define void @f(ptr noalias %a, i64 %n) {
    entry:
      br label %header
    header:
      %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
      %at.x = getelementptr double, ptr %a, i64 %i
      %x = load double, ptr %at.x
      %at.y = getelementptr i8, ptr %at.x, i64 80000
      %y = load double, ptr %at.y
      %p = fcmp ogt double %x, 0.0
      %q = fcmp ogt double %y, 0.0
      )" +
         Body + R"(
    latch:
      %i.next = add nuw nsw i64 %i, 1
      %again = icmp ult i64 %i.next, %n
      br i1 %again, label %header, label %exit
    exit:
      ret void
    })";
}

class Conditions {
public:
  explicit Conditions(const std::string &Body)
      : Code(loopOf(Body)), F(*Code.function("f")), LI(Code.of<LoopAnalysis>(F)),
        Paths(**LI.begin(), LI, Code.of<ScalarEvolutionAnalysis>(F),
              Code.of<PostDominatorTreeAnalysis>(F), IsConstant) {}

  std::optional<PathCondition> of(StringRef Name) {
    for (const BasicBlock &BB : F)
      if (BB.getName() == Name)
        return Paths.of(BB);
    ADD_FAILURE() << "no block " << Name.str();
    return std::nullopt;
  }

private:
  static bool isConstant(const LoadInst &) { return true; }

  AnalysedModule Code;
  Function &F;
  LoopInfo &LI;
  function_ref<bool(const LoadInst &)> IsConstant = isConstant;
  PathConditions Paths;
};

/// Returns a balanced tree of `or i1 %p, %q` with \p Depth levels of `and`.
std::string treeOf(unsigned Depth, const std::string &Name) {
  if (Depth == 0)
    return formatv("%{0} = select i1 %p, i1 true, i1 %q\n", Name).str();
  return treeOf(Depth - 1, Name + "l") + treeOf(Depth - 1, Name + "r") +
         formatv("%{0} = select i1 %{0}l, i1 %{0}r, i1 false\n", Name).str();
}

/// All operands of the conjunction are equal.
TEST(PathConditions, LargeConditionsWithFewAlternatives) {
  Conditions Of(treeOf(6, "c") + R"(
      br i1 %c, label %then, label %latch
    then:
      br label %latch)");
  const auto Then = Of.of("then");
  ASSERT_TRUE(Then);
  EXPECT_EQ(Then->Results.size(), 2u);
  EXPECT_EQ(Then->Any.size(), 2u);
}

TEST(PathConditions, ManyAlternativesAreNotCompared) {
  std::string Body;
  for (unsigned I = 0; I < 6; ++I)
    Body += formatv(R"(
      %k{0} = fcmp ogt double %x, {0}.0
      %l{0} = fcmp ogt double %y, {0}.0
      %c{0} = or i1 %k{0}, %l{0}
      br i1 %c{0}, label %b{0}, label %latch
    b{0}:)",
                    I);
  Conditions Of(Body + "br label %latch");
  EXPECT_TRUE(Of.of("b3"));
  EXPECT_FALSE(Of.of("b4")); // 32 alternatives
}

/// Forty conditions, each in the one before.
TEST(PathConditions, DeepConditions) {
  std::string Body;
  for (unsigned I = 0; I < 40; ++I)
    Body += formatv(R"(
      %c{0} = fcmp ogt double %x, {0}.0
      br i1 %c{0}, label %b{0}, label %latch
    b{0}:)",
                    I);
  Conditions Of(Body + "br label %latch");
  const auto Last = Of.of("b39");
  ASSERT_TRUE(Last);
  EXPECT_EQ(Last->Results.size(), 40u);
  ASSERT_EQ(Last->Any.size(), 1u);
  ASSERT_TRUE(Last->Sufficient);
  EXPECT_EQ(Last->Sufficient->size(), 40u);
}

/// Two blocks lead to each block, so that there are 2^40 ways to the last one.
TEST(PathConditions, ManyWaysToABlock) {
  std::string Body = "br i1 %p, label %u0, label %v0\n";
  for (unsigned I = 0; I < 40; ++I)
    Body += formatv(R"(
    u{0}:
      br i1 %p, label %u{1}, label %v{1}
    v{0}:
      br i1 %p, label %u{1}, label %v{1})",
                    I, I + 1);
  Conditions Of(Body + R"(
    u40:
      br label %latch
    v40:
      br label %latch)");
  const auto Last = Of.of("v40");
  ASSERT_TRUE(Last);
  ASSERT_EQ(Last->Any.size(), 1u);
  EXPECT_EQ(Last->Any.front(), (PathCondition::Conjunction{{0, false}}));
}

/// Returns whether two conditions that apply \p Operation to the same operands are one result.
bool isOneResult(const std::string &Operation) {
  Conditions Of(formatv(R"(
      %v = {0}
      %c = fcmp ogt double %v, 1.0
      br i1 %c, label %first, label %between
    first:
      br label %between
    between:
      %w = {0}
      %d = fcmp ogt double %w, 1.0
      %both = and i1 %c, %d
      br i1 %both, label %second, label %latch
    second:
      br label %latch)",
                        Operation));
  const auto Second = Of.of("second");
  return Second && Second->Results.size() == 1;
}

TEST(PathConditions, OperationsThatMayRoundDifferentlyAreNotCompared) {
  EXPECT_TRUE(isOneResult("fadd double %x, %y"));
  EXPECT_TRUE(isOneResult("fdiv nnan ninf nsz double %x, %y"));
  EXPECT_TRUE(isOneResult("load double, ptr %at.y"));
  for (const char *Flag : {"reassoc", "arcp", "contract", "afn", "fast"})
    EXPECT_FALSE(isOneResult(std::string("fadd ") + Flag + " double %x, %y")) << Flag;
  EXPECT_FALSE(isOneResult("call double @llvm.fmuladd.f64(double %x, double %y, double %x)"));
}

} // namespace
