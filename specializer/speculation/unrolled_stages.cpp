//===- specializer/speculation/unrolled_stages.cpp - unrolls loops that set strides ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/unrolled_stages.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/module/optimize.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace specrt {
namespace {

/// Limits the instructions in all stages of a loop. With more, models and compiles take longer than
/// they save in most programs.
constexpr size_t MaxInstructions = 4000;

/// The integers in a loop that depend only on its iteration number. They become constants when the
/// loop is unrolled.
class StageValues {
public:
  explicit StageValues(const Loop &L) : L(L) {
    for (const PHINode &Phi : L.getHeader()->phis())
      if (Phi.getType()->isIntegerTy() &&
          isa<Constant>(Phi.getIncomingValueForBlock(L.getLoopPreheader())))
        Counters.insert(&Phi);
    // Removes counters whose next value is not known.
    do
      propagate();
    while (Counters.remove_if([&](const Value *Counter) {
      const Value *Next = cast<PHINode>(Counter)->getIncomingValueForBlock(this->L.getLoopLatch());
      return !isa<Constant>(Next) && !Known.contains(Next);
    }));
  }

  bool contains(const Value *V) const { return Known.contains(V); }
  ArrayRef<const Value *> all() const { return Known.getArrayRef(); }

private:
  void propagate();

  const Loop &L;
  SmallSetVector<const Value *, 4> Counters;
  SmallSetVector<const Value *, 16> Known;
};

void StageValues::propagate() {
  Known.clear();
  Known.insert(Counters.begin(), Counters.end());
  const auto IsKnown = [&](const Value *V) { return isa<Constant>(V) || Known.contains(V); };
  for (size_t I = 0; I < Known.size(); ++I)
    for (const User *U : Known[I]->users()) {
      const auto *Next = cast<Instruction>(U);
      if (L.contains(Next) && isa<BinaryOperator, CastInst, CmpInst, SelectInst>(Next) &&
          Next->getType()->isIntegerTy() && all_of(Next->operands(), IsKnown))
        Known.insert(Next);
    }
}

/// Returns whether code in \p L uses a stage value that ScalarEvolution cannot express as a
/// function of the iteration number, such as a power of two. Polynomials need no unrolling.
bool setsStrides(const Loop &L, ScalarEvolution &SE) {
  const StageValues Values(L);
  const auto IsOpaque = [&](const SCEV *Part) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    return Unknown && Values.contains(Unknown->getValue());
  };
  return any_of(Values.all(), [&](const Value *V) {
    return !V->getType()->isIntegerTy(1) && any_of(V->users(), [&](const User *U) {
      return L.contains(cast<Instruction>(U)) && !Values.contains(U);
    }) && SCEVExprContains(SE.getSCEV(const_cast<Value *>(V)), IsOpaque);
  });
}

/// Returns the iterations of a loop of stages; 0 for other loops.
unsigned numStages(const Loop &L, ScalarEvolution &SE) {
  if (L.isInnermost() || !L.isLoopSimplifyForm() || !L.isSafeToClone())
    return 0;
  const unsigned Count = SE.getSmallConstantMaxTripCount(&L);
  size_t Size = 0;
  for (const BasicBlock *Block : L.blocks())
    Size += Block->size();
  return Count > 1 && Size * Count <= MaxInstructions && setsStrides(L, SE) ? Count : 0;
}

/// Unrolls one loop of stages, inner loops first. Returns false if there is none.
bool unrollOne(Function &F, FunctionAnalysisManager &FAM) {
  simplifyLoops(F, FAM);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  const auto Loops = LI.getLoopsInPreorder();
  for (Loop *L : reverse(Loops)) {
    const unsigned Count = numStages(*L, SE);
    if (Count == 0)
      continue;
    UnrollLoopOptions Options{};
    Options.Count = Count;
    Options.Force = true;
    OptimizationRemarkEmitter Remarks(&F);
    const LoopUnrollResult Result =
        UnrollLoop(L, Options, &LI, &SE, &DT, &FAM.getResult<AssumptionAnalysis>(F),
                   &FAM.getResult<TargetIRAnalysis>(F), &Remarks, /*PreserveLCSSA=*/true);
    if (Result == LoopUnrollResult::FullyUnrolled)
      return true;
  }
  return false;
}

class UnrolledStages final : public Speculation {
  Applied apply(Speculative &On) const override {
    Applied Result = Applied::Nothing;
    while (unrollOne(On.F, On.Passes.functions())) {
      Result = Applied::Done;
      On.Passes.forget();
      On.Passes.simplify(*On.F.getParent());
    }
    On.Passes.forget();
    return Result;
  }
};

} // namespace

const Speculation &unrolledStages() {
  static constexpr UnrolledStages Only;
  return Only;
}

} // namespace specrt
