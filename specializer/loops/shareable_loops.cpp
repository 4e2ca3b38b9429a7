//===- specializer/loops/shareable_loops.cpp - chooses loops for threads to share --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/shareable_loops.h"
#include "analysis/memory/linear_form.h"
#include "specializer/loops/independence/independent_loop.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/loops/shared_loop.h"
#include "specializer/loops/split_sums.h"
#include "specializer/polyhedral/model/iteration_scopes.h"
#include "specializer/polyhedral/schedule/parallel_work.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <algorithm>

using namespace llvm;

namespace specrt {
namespace {

/// Estimates the time that loops take from their instructions and numbers of iterations.
class LoopWork {
public:
  LoopWork(Function &F, FunctionAnalysisManager &FAM, double NsPerCall);

  /// Returns the time that one start of \p L takes, in nanoseconds.
  double startNs(const Loop &L) const { return Factor * bodyNs(L) * double(trips(L)); }

private:
  int64_t trips(const Loop &L) const;
  double bodyNs(const Loop &L) const;

  ScalarEvolution &SE;
  const LoopInfo &LI;
  const TargetTransformInfo &TTI;
  double Factor = 1; ///< measured time of a call / estimated time
};

/// Returns the number of iterations of \p L per start. Guesses a number that is not constant;
/// Factor corrects the sum of such errors if the time of a call is known.
int64_t LoopWork::trips(const Loop &L) const {
  constexpr int64_t Guess = 10;
  const std::optional<int64_t> Last = constantLastIteration(&L, SE);
  return Last ? *Last + 1 : Guess;
}

double LoopWork::bodyNs(const Loop &L) const {
  double Sum = 0;
  for (const BasicBlock *BB : L.blocks())
    if (LI.getLoopFor(BB) == &L)
      Sum += iterationNs(*BB, TTI);
  for (const Loop *Inner : L)
    Sum += bodyNs(*Inner) * double(trips(*Inner));
  return Sum;
}

LoopWork::LoopWork(Function &F, FunctionAnalysisManager &FAM, double NsPerCall)
    : SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), LI(FAM.getResult<LoopAnalysis>(F)),
      TTI(FAM.getResult<TargetIRAnalysis>(F)) {
  double AllNs = 0;
  for (const Loop *L : LI)
    AllNs += startNs(*L);
  if (NsPerCall > 0 && AllNs > 0)
    Factor = NsPerCall / AllNs;
}

/// Returns an i1 in the preheader of \p L that is true if all pairs in \p Demands.NoLarger hold.
Value *areLengthsRight(const IndependentLoop &Demands, const Loop &L,
                       FunctionAnalysisManager &FAM) {
  Instruction *Here = L.getLoopPreheader()->getTerminator();
  SCEVExpander Expander(FAM.getResult<ScalarEvolutionAnalysis>(*Here->getFunction()), "shared");
  IRBuilder<> B(Here);
  Value *All = B.getTrue();
  for (const auto &[Small, Large] : Demands.NoLarger) {
    Value *Left = Expander.expandCodeFor(Small, B.getInt64Ty(), Here);
    All = B.CreateAnd(All,
                      B.CreateICmpSLE(Left, Expander.expandCodeFor(Large, B.getInt64Ty(), Here)));
  }
  return All;
}

/// Inserts an inspector in front of \p L. Returns an i1 that is true if \p AreApart is true and the
/// inspector finds that the iterations are independent; false if no inspector is possible.
Value *inspect(Loop &L, Value &AreApart, FunctionAnalysisManager &FAM) {
  // The demands may differ from those at first, because earlier loops have been changed.
  const std::optional<IndependentLoop> Demands = demandsOf(L, FAM);
  if (!Demands)
    return ConstantInt::getFalse(AreApart.getContext());
  Value *Met = areLengthsRight(*Demands, L, FAM);
  HullInspector Inspector(L, FAM, Demands->Hulls);
  if (!Demands->Hulls.isEmpty()) {
    if (!Inspector.isPossible())
      return ConstantInt::getFalse(AreApart.getContext());
    Value *Hulls = Inspector.build();
    Met = IRBuilder<>(L.getLoopPreheader()->getTerminator()).CreateAnd(Met, Hulls);
  }
  return IRBuilder<>(L.getLoopPreheader()->getTerminator()).CreateAnd(&AreApart, Met);
}

} // namespace

ShareableLoops::ShareableLoops(Function &F, FunctionAnalysisManager &FAM, bool MayTransform,
                               function_ref<bool()> Expired)
    : F(F), FAM(FAM) {
  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  IndependentLoops Found = findIndependentLoops(F, FAM, MayTransform, Expired);
  for (IndependentLoop &L : Found.All)
    Loops.push_back({L.Header, areLengthsRight(L, *LI.getLoopFor(L.Header), FAM),
                     !L.Hulls.isEmpty(), L.HasSums, std::move(L.Arrays)});
  Note = std::move(Found.Note);
}

SharedLoops ShareableLoops::share(function_ref<bool(const Loop &)> Pays) {
  SharedLoops Shared;
  for (const Shareable &Next : Loops) {
    Loop *L = FAM.getResult<LoopAnalysis>(F).getLoopFor(Next.Header);
    if (!L || !Next.AreApart || !Pays(*L))
      continue;
    const bool IsOutermost = L->isOutermost();
    Value *AreApart = Next.AreApart;
    if (Next.IsInspected) {
      AreApart = inspect(*L, *AreApart, FAM);
      simplifyLoops(F, FAM);
      L = FAM.getResult<LoopAnalysis>(F).getLoopFor(Next.Header);
    }
    if (Next.HasSums) {
      BasicBlock *const Header = splitSums(*L, FAM, *AreApart);
      simplifyLoops(F, FAM);
      if (!Header)
        continue;
      L = FAM.getResult<LoopAnalysis>(F).getLoopFor(Header);
      AreApart = ConstantInt::getTrue(F.getContext());
    }
    if (!shareLoop(*L, FAM, *AreApart, Next.Arrays))
      continue;
    ++Shared.All;
    Shared.Outermost += IsOutermost;
    simplifyLoops(F, FAM);
  }
  return Shared;
}

SharingOutcome shareLoops(Function &F, FunctionAnalysisManager &FAM, double NsPerCall,
                          function_ref<bool()> Expired) {
  forgetIterationScopes(F, FAM);
  hoistInvariants(F, FAM);
  SharingOutcome Outcome;
  SmallPtrSet<const BasicBlock *, 8> Worthwhile;
  {
    const LoopWork Work(F, FAM, NsPerCall);
    for (const Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      if (Work.startNs(*L) >= MinParallelWorkNs) {
        Worthwhile.insert(L->getHeader());
        Outcome.NumWorthwhile += L->isOutermost();
      }
  }
  ShareableLoops Loops(F, FAM, /*MayTransform=*/true, Expired);
  Outcome.Note = Loops.note();
  Outcome.Shared = Loops.share([&](const Loop &L) { return Worthwhile.contains(L.getHeader()); });
  return Outcome;
}

} // namespace specrt
