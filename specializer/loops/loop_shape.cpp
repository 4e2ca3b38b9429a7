//===- specializer/loops/loop_shape.cpp - canonical loops with counters ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/loop_shape.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {

void simplifyLoops(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, PreservedAnalyses::none());
  // A pass manager would skip these passes when the compile budget is used up.
  FAM.invalidate(F, LoopSimplifyPass().run(F, FAM));
  LCSSAPass().run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
}

void hoistInvariants(Function &F, FunctionAnalysisManager &FAM) {
  simplifyLoops(F, FAM);
  FunctionPassManager Passes;
  Passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  Passes.run(F, FAM);
  simplifyLoops(F, FAM);
}

bool areAllAccesses(const AllocaInst &Room, function_ref<bool(const Instruction &)> Holds) {
  SmallSetVector<const Value *, 16> Addresses;
  Addresses.insert(&Room);
  for (size_t I = 0; I < Addresses.size(); ++I)
    for (const User *U : Addresses[I]->users()) {
      const auto *By = cast<Instruction>(U);
      if (isa<GetElementPtrInst, PHINode, SelectInst>(By) && By->getType()->isPointerTy()) {
        Addresses.insert(By);
        continue;
      }
      const auto *Store = dyn_cast<StoreInst>(By);
      const bool IsAccess = isa<LoadInst, MemIntrinsic, LifetimeIntrinsic>(By) ||
                            (Store && Store->getValueOperand() != Addresses[I]);
      if (!IsAccess || !Holds(*By))
        return false;
    }
  return true;
}

bool isLeftBehindLatch(const Loop &L) {
  return L.isLoopSimplifyForm() && L.getExitBlock() && L.getExitingBlock() == L.getLoopLatch();
}

bool isReducible(const Loop &L, const LoopInfo &LI) {
  LoopBlocksRPO Blocks(const_cast<Loop *>(&L));
  Blocks.perform(&LI);
  return !containsIrreducibleCFG<const BasicBlock *>(Blocks, LI);
}

const SCEV *backedgesOf(const Loop &L, ScalarEvolution &SE) {
  if (!isLeftBehindLatch(L))
    return nullptr;
  const SCEV *Taken = SE.getBackedgeTakenCount(&L);
  return isa<SCEVCouldNotCompute>(Taken) || SE.getTypeSizeInBits(Taken->getType()) > 64 ? nullptr
                                                                                        : Taken;
}

namespace {

/// Replaces maxima by the operand that is never less than the others. ScalarEvolution creates them
/// for loops that end behind their body and begin with the counter of another loop: max(n, j + 1)
/// is n inside a loop with j < n.
class WithoutMaxima : public SCEVRewriteVisitor<WithoutMaxima> {
public:
  using SCEVRewriteVisitor::SCEVRewriteVisitor;

  const SCEV *visitUMaxExpr(const SCEVUMaxExpr *Max) { return largest(*Max); }
  const SCEV *visitSMaxExpr(const SCEVSMaxExpr *Max) { return largest(*Max); }

private:
  const SCEV *largest(const SCEVMinMaxExpr &Max) {
    for (const SCEV *Most : Max.operands())
      if (all_of(Max.operands(), [&](const SCEV *S) { return S == Most || neverExceeds(S, Most); }))
        return Most;
    return &Max;
  }

  /// Returns whether \p S is at most \p Most in all iterations of the loops around.
  bool neverExceeds(const SCEV *S, const SCEV *Most) {
    if (!SE.isKnownNonNegative(S) || !SE.isKnownNonNegative(Most))
      return false;
    const SCEV *Bound = boundOf(S, Extreme::Most, /*Nest=*/nullptr, SE);
    return Bound && SE.isKnownNonNegative(SE.getMinusSCEV(Most, Bound));
  }
};

} // namespace

const SCEV *boundOf(const SCEV *S, Extreme End, const Loop *Nest, ScalarEvolution &SE) {
  while (const auto *Varying = dyn_cast<SCEVAddRecExpr>(S)) {
    if (Nest && !Nest->contains(Varying->getLoop()))
      break;
    const SCEV *Step = Varying->getStepRecurrence(SE), *Trips = tripsOf(*Varying->getLoop(), SE);
    const bool Ascends = SE.isKnownNonNegative(Step);
    if (!Varying->isAffine() || !Trips || !(Ascends || SE.isKnownNonPositive(Step)))
      return nullptr;
    S = Ascends == (End == Extreme::Most)
            ? Varying->evaluateAtIteration(SE.getMinusSCEV(Trips, SE.getOne(Trips->getType())), SE)
            : Varying->getStart();
  }
  return S;
}

const SCEV *tripsOf(const Loop &L, ScalarEvolution &SE) {
  const SCEV *Taken = backedgesOf(L, SE);
  if (!Taken)
    return nullptr;
  Type *Word = Type::getInt64Ty(SE.getContext());
  if (SCEVExprContains(Taken, [](const SCEV *S) { return isa<SCEVUMaxExpr, SCEVSMaxExpr>(S); }))
    Taken = WithoutMaxima(SE).visit(Taken);
  return SE.getAddExpr(SE.getNoopOrZeroExtend(Taken, Word), SE.getOne(Word));
}

bool isKnownBefore(const Loop &L, const SCEV *S, ScalarEvolution &SE) {
  if (isa<SCEVConstant>(S))
    return true;
  return SE.isLoopInvariant(S, &L) &&
         SCEVExpander(SE, "shape").isSafeToExpandAt(S, L.getLoopPreheader()->getTerminator());
}

const SCEVAddRecExpr *counterOf(PHINode &Phi, const Loop &L, ScalarEvolution &SE) {
  if (Phi.getParent() != L.getHeader() || !SE.isSCEVable(Phi.getType()))
    return nullptr;
  const auto *Counter = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
  return Counter && Counter->getLoop() == &L && Counter->isAffine() &&
                 isKnownBefore(L, Counter->getStepRecurrence(SE), SE)
             ? Counter
             : nullptr;
}

} // namespace specrt
