//===- tests/specializer/fast_math_test.cpp - code that the fast mode rewrites ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/fast/fast_math.h"
#include "specializer/module/host_target.h"
#include "specializer/module/optimize.h"
#include "specializer/rounding/place_comparisons.h"
#include "tests/specializer/analysed_module.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "gmock/gmock.h"

using namespace llvm;
using namespace specrt;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

/// What follows applyFastMath().
using Then = function_ref<void(Module &, Optimizer &)>;

/// Returns what applyFastMath() and \p Continue make of the module \p Text with the function @f.
std::string rewritten(
    const std::string &Text, std::chrono::milliseconds Limit = std::chrono::seconds(60),
    Then Continue = [](Module &, Optimizer &) {}) {
  LLVMContext Context;
  SMDiagnostic Problem;
  const std::unique_ptr<Module> M = parseAssemblyString(Text, Problem, Context);
  if (!M)
    report_fatal_error(Problem.getMessage());
  const std::unique_ptr<TargetMachine> Target = cantFail(createHostTarget());
  cantFail(retarget(*M, *Target));
  CompileBudget Budget(Limit);
  Optimizer Passes(*Target, Budget);
  applyFastMath(*M->getFunction("f"), Passes);
  Continue(*M, Passes);
  Passes.forget();
  std::string Out;
  raw_string_ostream Stream(Out);
  EXPECT_FALSE(verifyModule(*M, &Stream)) << Out;
  M->print(Stream, nullptr);
  return Out;
}

/// Returns a function that calls @pow, which \p Callee declares or defines, with \p Attributes. The
/// function itself has \p AttributesOfCaller.
std::string power(const std::string &Callee, const std::string &Attributes = "",
                  const std::string &AttributesOfCaller = "") {
  return Callee + "\ndefine double @f(double %x, double %y) " + AttributesOfCaller +
         " {\n"
         "  %p = call double @pow(double %x, double %y) " +
         Attributes + "\n  ret double %p\n}\n";
}

constexpr const char *Library = "declare double @pow(double, double)";

TEST(FastMath, PowersMayBecomeSquares) {
  EXPECT_THAT(rewritten(power(Library)), HasSubstr("fmul double %x, %x"));
}

TEST(FastMath, OtherFunctionsThatAreCalledPowStay) {
  const char *Own = "define internal double @pow(double %a, double %b) noinline {\n"
                    "  %s = fsub double %a, %b\n  ret double %s\n}\n";
  EXPECT_THAT(rewritten(power(Own)), Not(HasSubstr("fmul double %x, %x")));
  EXPECT_THAT(rewritten(power(Library, "nobuiltin")), Not(HasSubstr("fmul double %x, %x")));
  for (const char *OfCaller : {"\"no-builtin-pow\"", "\"no-builtins\""})
    EXPECT_THAT(rewritten(power(Library, "", OfCaller)), Not(HasSubstr("fmul double %x, %x")));
  EXPECT_THAT(rewritten(power(Library, "", "\"no-builtin-powf\"")),
              HasSubstr("fmul double %x, %x"));
}

TEST(FastMath, PowersThatMayReportErrorsAreStillCalled) {
  const char *Largest = "0x7FEFFFFFFFFFFFFF";
  EXPECT_THAT(rewritten(power(Library)), HasSubstr(Largest)) << "overflow sets errno";
  EXPECT_THAT(rewritten(power(Library, "memory(none)")),
              AllOf(HasSubstr("fmul double %x, %x"), Not(HasSubstr(Largest))));
}

/// A sum as a front end leaves it: the loop is not in LCSSA form.
constexpr const char *Sum = R"(
define double @f(i64 %n, ptr %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %at = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %at
  %t = fadd double %s, %v
  %next = add i64 %i, 1
  %last = icmp uge i64 %next, %n
  br i1 %last, label %end, label %loop
end:
  ret double %t
}
)";

TEST(FastMath, IsTheSameWhenTheBudgetIsUsedUp) {
  const std::string Made = rewritten(Sum);
  EXPECT_THAT(Made, HasSubstr("sum.lanes"));
  EXPECT_EQ(rewritten(Sum, std::chrono::milliseconds(0)), Made);
}

/// The scopes of two restrict parameters.
constexpr const char *Scopes = R"(
declare void @llvm.experimental.noalias.scope.decl(metadata)
!0 = distinct !{!0, !"h"}
!1 = distinct !{!1, !0, !"y"}
!2 = distinct !{!2, !0, !"x"}
!3 = !{!1}
!4 = !{!2}
)";

/// After inlining, the scopes of a call hold for one iteration. Only the declaration shows that.
TEST(FastMath, ScopesOfCalleesAreStillDeclaredAfterInlining) {
  const std::string Code = R"(
define internal void @g(ptr %y, ptr %x, i64 %k) {
  %yk = getelementptr inbounds double, ptr %y, i64 %k
  %xk = getelementptr inbounds double, ptr %x, i64 %k
  call void @llvm.experimental.noalias.scope.decl(metadata !3)
  call void @llvm.experimental.noalias.scope.decl(metadata !4)
  %v = load double, ptr %xk, !alias.scope !4, !noalias !3
  %w = fadd double %v, 1.0
  store double %w, ptr %yk, !alias.scope !3, !noalias !4
  ret void
}
define void @f(i64 %n, ptr %a) {
entry:
  %b = getelementptr inbounds double, ptr %a, i64 1
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @g(ptr %b, ptr %a, i64 %i)
  %next = add nuw nsw i64 %i, 1
  %last = icmp uge i64 %next, %n
  br i1 %last, label %end, label %loop
end:
  ret void
}
)";
  unsigned NumDeclared = 0, NumOfLoop = 0;
  rewritten(Code + Scopes, std::chrono::seconds(60), [&](Module &M, Optimizer &Passes) {
    Passes.inlineAndCanonicalize(M);
    Function &F = *M.getFunction("f");
    const auto &LI = Passes.functions().getResult<LoopAnalysis>(F);
    for (Instruction &I : instructions(F)) {
      EXPECT_FALSE(isa<CallInst>(I) && !isa<IntrinsicInst>(I)) << "the callee is inlined";
      NumDeclared += isa<NoAliasScopeDeclInst>(I);
      NumOfLoop += isa<NoAliasScopeDeclInst>(I) && LI.getLoopFor(I.getParent());
    }
  });
  EXPECT_EQ(NumDeclared, 2u);
  EXPECT_EQ(NumOfLoop, 2u);
}

/// The scopes separate the sum from x[i] in one iteration, but not from x[i + 1].
TEST(FastMath, SumsInMemoryAreComparedDespiteScopesOfIterations) {
  const std::string Code = R"(
define void @f(i64 %n, ptr %x, ptr %sum) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.experimental.noalias.scope.decl(metadata !3)
  call void @llvm.experimental.noalias.scope.decl(metadata !4)
  %at = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %at, !alias.scope !4, !noalias !3
  %s = load double, ptr %sum, !alias.scope !3, !noalias !4
  %t = fadd double %s, %v
  store double %t, ptr %sum, !alias.scope !3, !noalias !4
  %next = add nuw nsw i64 %i, 1
  %last = icmp uge i64 %next, %n
  br i1 %last, label %end, label %loop
end:
  ret void
}
)";
  EXPECT_THAT(rewritten(Code + Scopes),
              AllOf(HasSubstr("sum.lanes"), HasSubstr("call i1 @specrt.places.apart")));
}

/// A comparison of a local variable, %x, with what a loaded pointer, %y, points to.
class PlaceComparison : public testing::Test {
protected:
  PlaceComparison() {
    IRBuilder<> B(&*std::next(Code.function("f")->front().begin(), 2));
    const auto RangeAt = [&](Value *Begin) {
      return ByteRange{.Begin = Begin, .End = B.CreatePtrAdd(Begin, B.getInt64(8))};
    };
    B.CreateStore(createComparison(B, RangeAt(X), RangeAt(Y)), Code.function("f")->getArg(1));
  }

  AnalysedModule Code{R"(
define void @f(ptr %p, ptr %result) {
  %x = alloca double
  %y = load ptr, ptr %p
  %same = icmp eq ptr %x, %y
  store i1 %same, ptr %p
  ret void
}
)"};
  Value *const X = &Code.function("f")->front().front();
  Value *const Y = cast<Instruction>(X)->getNextNode();
};

/// The result depends on addresses, so other comparisons of them must be consistent with it.
TEST_F(PlaceComparison, ObservesAddresses) {
  Function &F = *Code.function("f");
  InstCombinePass().run(F, Code.FAM);
  EXPECT_TRUE(any_of(instructions(F), [](const Instruction &I) { return isa<ICmpInst>(I); }));
}

TEST_F(PlaceComparison, DoesNotLetMemoryEscape) {
  AAResults &AA = Code.of<AAManager>(*Code.function("f"));
  EXPECT_TRUE(
      AA.isNoAlias(MemoryLocation::getBeforeOrAfter(X), MemoryLocation::getBeforeOrAfter(Y)));
}

} // namespace
