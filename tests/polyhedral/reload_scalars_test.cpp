//===- tests/polyhedral/reload_scalars_test.cpp - phis that are in memory, or not ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/model/reload_scalars.h"
#include "tests/specializer/analysed_module.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace specrt;

namespace {

/// A loop over the elements of %a, from block \p From on and to block \p To. \p Start is the first
/// value of %sum, \p Operation makes %next of it and an element, and \p Inside runs in every
/// iteration when that is known. The names of all values and blocks end with \p Number.
std::string loopBlocks(const std::string &Number, const std::string &From, const std::string &To,
                       const std::string &Start, const std::string &Operation,
                       const std::string &Inside) {
  return formatv(R"(
      br label %loop{0}
    loop{0}:
      %k{0} = phi i64 [ 0, %{1} ], [ %k.next{0}, %latch{0} ]
      %sum{0} = phi double [ {3}, %{1} ], [ %next{0}, %latch{0} ]
      %at{0} = getelementptr double, ptr %a, i64 %k{0}
      %v{0} = load double, ptr %at{0}
      %next{0} = {4} double %sum{0}, %v{0}
      {5}
      br label %latch{0}
    latch{0}:
      %k.next{0} = add nuw nsw i64 %k{0}, 1
      %again{0} = icmp slt i64 %k.next{0}, %n
      br i1 %again{0}, label %loop{0}, label %{2}
    {2}:
  )",
                 Number, From, To, Start, Operation, Inside);
}

/// A function that runs \p Blocks, from entry to exit.
std::string function(const std::string &Blocks) {
  return R"(
    define void @f(ptr noalias %c, ptr noalias %a, ptr %x, ptr %y, i64 %n, i1 %flag) {
    entry:
      %second = getelementptr double, ptr %c, i64 1
      )" +
         Blocks + R"(
      ret void
    })";
}

/// A sum that starts with the value \p Start: \p Before runs before the loop, \p Inside in every
/// iteration, when %next is known.
std::string sumLoop(const std::string &Before, const std::string &Start,
                    const std::string &Inside) {
  return function(Before + loopBlocks("", "entry", "exit", Start, "fadd", Inside));
}

struct Outcome {
  unsigned NumReloaded = ~0u, NumFloatPhis = 0, NumIntegerPhis = 0;
  Align Alignment{1024}; ///< least of all loads
  bool HasTypes = false; ///< some load of a double says which
};

Outcome reload(const std::string &Text, function_ref<bool()> Expired = nullptr) {
  AnalysedModule Code(Text);
  if (!Code.M)
    return {};
  Function &F = *Code.function("f");
  Outcome Result;
  Result.NumReloaded = reloadScalars(F, Code.FAM, Expired);
  EXPECT_FALSE(verifyModule(*Code.M, &errs()));
  for (Instruction &I : instructions(F))
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      Result.Alignment = std::min(Result.Alignment, Load->getAlign());
      Result.HasTypes |= Load->hasMetadata(LLVMContext::MD_tbaa);
    } else if (isa<PHINode>(I))
      ++(I.getType()->isFloatingPointTy() ? Result.NumFloatPhis : Result.NumIntegerPhis);
  return Result;
}

/// How many scalars of such a loop are reloaded.
unsigned numReloaded(const std::string &Before, const std::string &Start,
                     const std::string &Inside) {
  return reload(sumLoop(Before, Start, Inside)).NumReloaded;
}

const std::string LoadC = "%old = load double, ptr %c";
const std::string StoreC = "store double %next, ptr %c";

TEST(ReloadScalars, ASumThatIsStoredInEveryIterationIsReadFromMemory) {
  Outcome O = reload(sumLoop(LoadC, "%old", StoreC));
  EXPECT_EQ(O.NumReloaded, 1u);
  EXPECT_EQ(O.NumFloatPhis, 0u);
  EXPECT_EQ(O.NumIntegerPhis, 1u) << "the counter stays";
}
TEST(ReloadScalars, AnInitialValueThatWasStoredIsInMemory) {
  EXPECT_EQ(numReloaded("store double 0.0, ptr %c", "0.0", StoreC), 1u);
}
TEST(ReloadScalars, AnInitialValueThatIsNowhereIsNot) {
  EXPECT_EQ(numReloaded("", "0.0", StoreC), 0u);
  EXPECT_EQ(numReloaded("store double 1.0, ptr %c", "0.0", StoreC), 0u);
}
TEST(ReloadScalars, ASumThatIsNotStoredStays) { EXPECT_EQ(numReloaded(LoadC, "%old", ""), 0u); }
TEST(ReloadScalars, AnotherValueInThePlaceForbidsIt) {
  EXPECT_EQ(numReloaded(LoadC, "%old", "store double %v, ptr %c"), 0u);
}
TEST(ReloadScalars, AnotherPlaceForbidsIt) {
  EXPECT_EQ(numReloaded(LoadC, "%old", "store double %next, ptr %second"), 0u);
  EXPECT_EQ(numReloaded("%old = load double, ptr %second", "%old", StoreC), 0u);
  EXPECT_EQ(numReloaded(LoadC, "%old", "store double %next, ptr %at"), 0u) << "a place that moves";
}
TEST(ReloadScalars, AStoreBetweenForbidsItWhereItMayBeTheSamePlace) {
  const std::string Other = "\n store double 7.0, ptr ";
  EXPECT_EQ(numReloaded(LoadC, "%old", StoreC + Other + "%second"), 1u);
  EXPECT_EQ(numReloaded("%old = load double, ptr %x", "%old",
                        "store double %next, ptr %x" + Other + "%y"),
            0u);
  EXPECT_EQ(numReloaded(LoadC + Other + "%c", "%old", StoreC), 0u)
      << "between the load and the loop";
}
/// Of all ways on which the value gets there, each may promise what it likes.
TEST(ReloadScalars, AReloadPromisesWhatHoldsOnAllWays) {
  EXPECT_EQ(reload(sumLoop("%old = load double, ptr %c, align 2", "%old",
                           "store double %next, ptr %c, align 64"))
                .Alignment,
            Align(2));
  EXPECT_EQ(reload(sumLoop("store double 0.0, ptr %c, align 64", "0.0",
                           "store double %next, ptr %c, align 4"))
                .Alignment,
            Align(4));
  const std::string Types = "\n!0 = !{!\"root\"}\n!1 = !{!2, !2, i64 0}\n!2 = !{!\"d\", !0}\n";
  EXPECT_TRUE(reload(sumLoop("store double 0.0, ptr %c, !tbaa !1", "0.0",
                             "store double %next, ptr %c, !tbaa !1") +
                     Types)
                  .HasTypes);
  EXPECT_FALSE(
      reload(sumLoop("store double 0.0, ptr %c", "0.0", "store double %next, ptr %c, !tbaa !1") +
             Types)
          .HasTypes);
}
TEST(ReloadScalars, AStoreOfOtherSizeForbidsIt) {
  EXPECT_EQ(numReloaded(LoadC, "%old", StoreC + "\n store i8 0, ptr %c"), 0u);
}
TEST(ReloadScalars, VolatileAndAtomicAccessesForbidIt) {
  EXPECT_EQ(numReloaded(LoadC, "%old", "store volatile double %next, ptr %c"), 0u);
  EXPECT_EQ(numReloaded("%old = load volatile double, ptr %c", "%old", StoreC), 0u);
  EXPECT_EQ(numReloaded(LoadC, "%old", "store atomic double %next, ptr %c monotonic, align 8"), 0u);
}
TEST(ReloadScalars, ACallThatMayWriteForbidsIt) {
  EXPECT_EQ(reload("declare void @g()\n" + sumLoop("%old = load double, ptr %x", "%old",
                                                   "store double %next, ptr %x\n call void @g()"))
                .NumReloaded,
            0u);
}
TEST(ReloadScalars, AStoreUnderAConditionForbidsIt) {
  EXPECT_EQ(numReloaded(LoadC, "%old", "br i1 %flag, label %yes, label %latch\nyes:\n" + StoreC),
            0u);
}
TEST(ReloadScalars, TheValueAfterTheLoopIsReadAsWell) {
  std::string Text = sumLoop(LoadC, "%old", StoreC);
  Text.replace(Text.find("ret void"), 8, "store double %next, ptr %y\n ret void");
  Outcome O = reload(Text);
  EXPECT_EQ(O.NumFloatPhis, 0u) << "neither the sum nor its value at the exit";
}

/// Two loops one after the other, the second over the result of the first.
const std::string TwoLoops =
    function(LoadC + loopBlocks("", "entry", "between", "%old", "fadd", StoreC) +
             "%after = phi double [ %next, %latch ]" +
             loopBlocks("2", "between", "exit", "%after", "fmul", "store double %next2, ptr %c"));

TEST(ReloadScalars, AValueThatWasReloadedStartsTheNextLoop) {
  Outcome O = reload(TwoLoops);
  EXPECT_EQ(O.NumReloaded, 3u);
  EXPECT_EQ(O.NumFloatPhis, 0u);
}
TEST(ReloadScalars, NothingIsDoneBeyondTheBudget) {
  EXPECT_EQ(reload(TwoLoops, [] { return true; }).NumReloaded, 0u);
  unsigned Asked = 0;
  Outcome O = reload(TwoLoops, [&] { return Asked++ == 1; });
  EXPECT_EQ(O.NumReloaded, 1u);
  EXPECT_EQ(O.NumFloatPhis, 2u);
}

} // namespace
