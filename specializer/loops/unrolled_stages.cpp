//===- specializer/loops/unrolled_stages.cpp - unrolls loops that set strides ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/unrolled_stages.h"
#include "analysis/memory/trip_counts.h"
#include "specializer/loops/loop_copy.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace specrt {
namespace {

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

bool isLoopOfStages(const Loop &L, ScalarEvolution &SE) {
  if (!L.isLoopSimplifyForm() || !L.isSafeToClone())
    return false;
  const unsigned Count = SE.getSmallConstantTripCount(&L);
  return Count > 1 && maySplit(L, Count) && setsStrides(L, SE);
}

/// Returns how many iterations \p L should be unrolled by although its trip count is not known; 0
/// for most loops. With constant counters, folding the copies finds where it ends.
unsigned unrollByEstimate(const Loop &L, ScalarEvolution &SE) {
  if (L.isInnermost() || !L.isLoopSimplifyForm() || !L.isSafeToClone() ||
      !isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)) ||
      hasUnrollTransformation(&L) == TM_Disable)
    return 0;
  const uint64_t Count = estimatedTrips(L, SE);
  return Count > 1 && maySplit(L, Count) ? unsigned(Count) : 0;
}

/// Has LLVM's pass unroll the loops of stages, and no others.
class UnrollStages : public PassInfoMixin<UnrollStages> {
public:
  explicit UnrollStages(bool &HasUnrolled) : HasUnrolled(HasUnrolled) {}

  PreservedAnalyses run(Loop &L, LoopAnalysisManager &LAM, LoopStandardAnalysisResults &Results,
                        LPMUpdater &Updater) {
    if (const unsigned Count = unrollByEstimate(L, Results.SE))
      return unrollBy(Count, L, Results, Updater);
    if (!isLoopOfStages(L, Results.SE))
      return PreservedAnalyses::all();
    // LLVM decides whether loops without inner loops, such as "for (i = 0; i <= n; i += n)", are
    // too large.
    const bool IsForced = !L.isInnermost();
    if (IsForced)
      addStringMetadataToLoop(&L, "llvm.loop.unroll.full", /*Value=*/1);
    PreservedAnalyses Preserved =
        LoopFullUnrollPass(/*OptLevel=*/2, IsForced).run(L, LAM, Results, Updater);
    HasUnrolled |= !Preserved.areAllPreserved();
    return Preserved;
  }

private:
  /// Copies the body. All exits stay, so that the estimate may be wrong.
  PreservedAnalyses unrollBy(unsigned Count, Loop &L, LoopStandardAnalysisResults &Results,
                             LPMUpdater &Updater) {
    const std::string Name = L.getName().str();
    L.setLoopAlreadyUnrolled(); // in this way, a loop is unrolled only once
    UnrollLoopOptions Options{};
    Options.Count = Count;
    Options.Force = true;
    OptimizationRemarkEmitter Remarks(L.getHeader()->getParent());
    const LoopUnrollResult Result =
        UnrollLoop(&L, Options, &Results.LI, &Results.SE, &Results.DT, &Results.AC, &Results.TTI,
                   &Remarks, /*PreserveLCSSA=*/true);
    if (Result == LoopUnrollResult::Unmodified)
      return PreservedAnalyses::all();
    if (Result == LoopUnrollResult::FullyUnrolled)
      Updater.markLoopAsDeleted(L, Name);
    HasUnrolled = true;
    return getLoopPassPreservedAnalyses();
  }

  bool &HasUnrolled;
};

} // namespace

bool unrollStages(Function &F, FunctionAnalysisManager &FAM) {
  bool HasUnrolled = false;
  FunctionPassManager FPM;
  FPM.addPass(createFunctionToLoopPassAdaptor(UnrollStages(HasUnrolled)));
  FPM.run(F, FAM);
  return HasUnrolled;
}

} // namespace specrt
