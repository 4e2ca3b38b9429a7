//===- tests/polyhedral/iteration_scopes_test.cpp - scopes of one iteration, of a call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/model/iteration_scopes.h"
#include "specializer/polyhedral/polyhedral.h"
#include "tests/specializer/analysed_module.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Verifier.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace specrt;

namespace {

/// What is stored by %call is in !call, declared before the loop; by %iteration in !iteration,
/// declared in the loop. %v is read by an access that is in neither and apart from both.
constexpr const char *Text = R"(
  define void @f(ptr %a, ptr %b, ptr %c, i64 %n) {
  entry:
    call void @llvm.experimental.noalias.scope.decl(metadata !2)
    br label %loop
  loop:
    %i = phi i64 [ 0, %entry ], [ %next, %loop ]
    call void @llvm.experimental.noalias.scope.decl(metadata !4)
    %from = getelementptr double, ptr %a, i64 %i
    %v = load double, ptr %from, !noalias !5
    %to = getelementptr double, ptr %b, i64 %i
    store double %v, ptr %to, !alias.scope !2
    %second = getelementptr double, ptr %c, i64 %i
    store double %v, ptr %second, !alias.scope !4
    %next = add nuw nsw i64 %i, 1
    %again = icmp slt i64 %next, %n
    br i1 %again, label %loop, label %exit
  exit:
    ret void
  }
  declare void @llvm.experimental.noalias.scope.decl(metadata)
  !0 = distinct !{!0, !"domain"}
  !1 = distinct !{!1, !0, !"call"}
  !2 = !{!1}
  !3 = distinct !{!3, !0, !"iteration"}
  !4 = !{!3}
  !5 = !{!1, !3}
)";

class IterationScopes : public testing::Test {
protected:
  IterationScopes() {
    for (Instruction &I : instructions(function())) {
      if (isa<LoadInst>(I))
        Load = &I;
      if (isa<StoreInst>(I))
        (OfCall ? OfIteration : OfCall) = &I;
    }
  }
  Function &function() { return *Code.function("f"); }
  bool areApart(Instruction *Store) {
    return Code.of<AAManager>(function())
        .isNoAlias(MemoryLocation::get(Load), MemoryLocation::get(Store));
  }

  AnalysedModule Code{Text};
  Instruction *Load = nullptr, *OfCall = nullptr, *OfIteration = nullptr;
};

TEST_F(IterationScopes, AreForgottenThoseOfCallsAreNot) {
  EXPECT_TRUE(declaresScopes(function()));
  EXPECT_TRUE(areApart(OfCall) && areApart(OfIteration));
  forgetIterationScopes(function(), Code.FAM);
  EXPECT_FALSE(verifyModule(*Code.M, &errs()));
  EXPECT_FALSE(declaresScopes(function()));
  EXPECT_TRUE(areApart(OfCall));
  EXPECT_FALSE(areApart(OfIteration));
}

TEST_F(IterationScopes, OfCallsStayDeclared) {
  forgetLoopScopes(function(), Code.FAM);
  EXPECT_TRUE(areApart(OfCall));
  EXPECT_FALSE(areApart(OfIteration));
  std::vector<Metadata *> Declared;
  for (Instruction &I : instructions(function()))
    if (auto *Declaration = dyn_cast<NoAliasScopeDeclInst>(&I))
      Declared.push_back(Declaration->getScopeList());
  EXPECT_EQ(Declared, std::vector<Metadata *>{OfCall->getMetadata(LLVMContext::MD_alias_scope)});
}

/// An access in two scopes is apart from what is in neither: it must not lose one of them.
TEST_F(IterationScopes, StayOnWhatIsInThem) {
  MDNode *Both = Load->getMetadata(LLVMContext::MD_noalias);
  Load->setMetadata(LLVMContext::MD_noalias, OfCall->getMetadata(LLVMContext::MD_alias_scope));
  OfIteration->setMetadata(LLVMContext::MD_alias_scope, Both);
  EXPECT_FALSE(areApart(OfIteration));
  forgetIterationScopes(function(), Code.FAM);
  EXPECT_FALSE(areApart(OfIteration));
}

/// Causes are those of the code without the declarations, which stays as it is.
TEST_F(IterationScopes, AreNoCause) {
  std::vector<RejectionCause> Causes =
      explainRejections(function(), Code.FAM, [](const Value &V) { return V.getName().str(); });
  ASSERT_EQ(Causes.size(), 1U);
  EXPECT_EQ(Causes.front().Kind, "alias");
  EXPECT_TRUE(declaresScopes(function()) && areApart(OfIteration));
  EXPECT_EQ(Code.M->size(), 2U);
}

} // namespace
