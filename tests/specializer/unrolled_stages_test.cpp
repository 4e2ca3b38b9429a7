//===- tests/specializer/unrolled_stages_test.cpp - loops that set strides ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/unrolled_stages.h"
#include "specializer/module/host_target.h"
#include "specializer/module/optimize.h"
#include "tests/specializer/analysed_module.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;
using namespace specrt;

namespace {

/// Parts of a function whose outer loop sets the stride %len of the inner one.
struct Stages {
  std::string Next = "shl nuw nsw i64 %len, 1"; ///< the stride of the next stage
  std::string End = "1024";
  unsigned Stores = 1; ///< in an iteration of the inner loop
  std::string Pragma = "";

  std::string text() const {
    std::string Text = "define void @f(ptr %x, i64 %n) {\n"
                       "entry:\n  br label %stages\n"
                       "stages:\n  %len = phi i64 [1, %entry], [%twice, %latch]\n"
                       "  br label %points\n"
                       "points:\n  %i = phi i64 [0, %stages], [%next, %points]\n"
                       "  %p = getelementptr double, ptr %x, i64 %i\n";
    for (unsigned I = 0; I < Stores; ++I)
      Text += "  store volatile double 0.0, ptr %p\n";
    return Text +
           "  %next = add nuw nsw i64 %i, %len\n"
           "  %more = icmp ult i64 %next, 1024\n"
           "  br i1 %more, label %points, label %latch\n"
           "latch:\n  %twice = " +
           Next +
           "\n"
           "  %another = icmp ult i64 %twice, " +
           End +
           "\n"
           "  br i1 %another, label %stages, label %done, !llvm.loop !0\n"
           "done:\n  ret void\n}\n"
           "!0 = distinct !{!0" +
           Pragma +
           "}\n"
           "!1 = !{!\"llvm.loop.unroll.full\"}\n";
  }
};

/// The number of outermost loops that unrollStages leaves; 0 if it finds nothing.
size_t numLoopsAfter(const Stages &Of) {
  AnalysedModule M(Of.text());
  Function *F = M.function("f");
  if (!F || !unrollStages(*F, M.FAM))
    return 0;
  EXPECT_FALSE(verifyFunction(*F, &errs()));
  return M.of<LoopAnalysis>(*F).getTopLevelLoops().size();
}

TEST(UnrolledStages, EachStageBecomesALoop) { EXPECT_EQ(numLoopsAfter({}), 10u); }

TEST(UnrolledStages, AffineStridesStay) {
  EXPECT_EQ(numLoopsAfter({.Next = "add nuw nsw i64 %len, 128"}), 0u);
}

TEST(UnrolledStages, TheNumberOfStagesMustBeKnown) { EXPECT_EQ(numLoopsAfter({.End = "%n"}), 0u); }

TEST(UnrolledStages, LargeStagesStay) {
  EXPECT_EQ(numLoopsAfter({.Stores = 180}), 10u);
  EXPECT_EQ(numLoopsAfter({.Stores = 200}), 0u);
}

/// Returns the number of loops left of one that sets both ends of an array, as LLVM has it after it
/// has folded its two iterations.
size_t numLoopsAtEnds(const std::string &Attributes) {
  AnalysedModule M("define void @f(ptr %x) {\n"
                   "entry:\n  br label %ends\n"
                   "ends:\n  %first = phi i1 [true, %entry], [false, %ends]\n"
                   "  %i = phi i64 [0, %entry], [63, %ends]\n"
                   "  %p = getelementptr double, ptr %x, i64 %i\n"
                   "  store double 1.0, ptr %p\n"
                   "  br i1 %first, label %ends, label %done, !llvm.loop !0\n"
                   "done:\n  ret void\n}\n"
                   "!0 = distinct !{!0" +
                   Attributes + "}\n!1 = !{!\"llvm.loop.unroll.disable\"}\n");
  Function *F = M.function("f");
  if (F)
    unrollStages(*F, M.FAM);
  return F ? M.of<LoopAnalysis>(*F).getTopLevelLoops().size() : 0;
}

TEST(UnrolledStages, BothEndsOfAnArray) {
  EXPECT_EQ(numLoopsAtEnds(""), 0u);
  EXPECT_EQ(numLoopsAtEnds(", !1"), 1u) << "the program was built with -fno-unroll-loops";
}

/// A loop with an unroll pragma is left to LLVM's own unrolling, which runs later.
TEST(UnrolledStages, OtherLoopsStay) {
  EXPECT_EQ(numLoopsAfter({.Next = "add nuw nsw i64 %len, 128", .Pragma = ", !1"}), 0u);
}

/// A module in which constants have been folded.
struct Folded {
  explicit Folded(const std::string &Text)
      : M(parseAssemblyString(Text, Problem, Context)), Target(cantFail(createHostTarget())),
        Budget(std::chrono::seconds(60)), Passes(*Target, Budget) {
    cantFail(retarget(*M, *Target));
    Passes.simplify(*M);
  }
  LoopInfo &loops() { return Passes.functions().getResult<LoopAnalysis>(*M->getFunction("f")); }

  LLVMContext Context;
  SMDiagnostic Problem;
  std::unique_ptr<Module> M;
  std::unique_ptr<TargetMachine> Target;
  CompileBudget Budget;
  Optimizer Passes;
};

/// Returns a function with a loop that sets where another one begins. It ends in the middle when
/// its counter is 3, and at its end as \p Latch says.
std::string leftInTheMiddle(const std::string &Latch) {
  return "define void @f(ptr %x) {\n"
         "entry:\n  br label %steps\n"
         "steps:\n  %p = phi i64 [0, %entry], [%further, %latch]\n"
         "  %further = add nuw nsw i64 %p, 1\n"
         "  %early = icmp ult i64 %p, 3\n"
         "  br i1 %early, label %points, label %last\n"
         "points:\n  %i = phi i64 [%p, %steps], [%next, %points]\n"
         "  %to = getelementptr double, ptr %x, i64 %i\n"
         "  store volatile double 0.0, ptr %to\n"
         "  %next = add nuw nsw i64 %i, 1\n"
         "  %more = icmp ult i64 %next, 1024\n"
         "  br i1 %more, label %points, label %latch\n"
         "last:\n  store volatile double 1.0, ptr %x\n"
         "  %end = icmp eq i64 %p, 3\n"
         "  br i1 %end, label %done, label %latch\n"
         "latch:\n" +
         Latch + "done:\n  ret void\n}\n";
}

/// ScalarEvolution does not know that the loop ends at 3, because not each iteration tests the
/// exit condition.
TEST(UnrolledStages, ExitsInTheMiddleAreFound) {
  Folded Code(leftInTheMiddle("  br label %steps\n"));
  EXPECT_EQ(Code.loops().getLoopsInPreorder().size(), 3u);
  EXPECT_EQ(Code.loops().getTopLevelLoops().size(), 3u);
}

/// ScalarEvolution knows the most iterations, so LLVM removes the loop when it unrolls it.
TEST(UnrolledStages, LoopsWithSeveralExitsAreRemoved) {
  AnalysedModule M(leftInTheMiddle("  %again = icmp ult i64 %further, 4\n"
                                   "  br i1 %again, label %steps, label %done\n"));
  Function *F = M.function("f");
  ASSERT_TRUE(F && unrollStages(*F, M.FAM));
  EXPECT_FALSE(verifyFunction(*F, &errs()));
  EXPECT_EQ(M.of<LoopAnalysis>(*F).getTopLevelLoops().size(), 4u);
}

/// The strides of all loops are constants.
TEST(UnrolledStages, AreUnrolledWhereConstantsAreFolded) {
  Folded Code(Stages().text());
  Function &F = *Code.M->getFunction("f");
  auto &SE = Code.Passes.functions().getResult<ScalarEvolutionAnalysis>(F);
  const auto Loops = Code.loops().getLoopsInPreorder();
  EXPECT_EQ(Loops.size(), 10u);
  for (const Loop *L : Loops)
    EXPECT_TRUE(any_of(L->getHeader()->phis(), [&](PHINode &Phi) {
      const auto *Counter = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
      return Counter && isa<SCEVConstant>(Counter->getStepRecurrence(SE));
    }));
}

} // namespace
