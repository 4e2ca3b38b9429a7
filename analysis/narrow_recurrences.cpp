//===- analysis/narrow_recurrences.cpp - keeps the vectoriser from wrapping subscripts -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/narrow_recurrences.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopPeel.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <algorithm>
#include <limits>
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

/// Largest number of iterations that may be peeled off at either end.
constexpr uint64_t MaxPeeled = 2;
/// Loops with more instructions are not peeled.
constexpr size_t MaxInstructions = 400;

/// Widths in bits of the extended expressions that are not proved not to wrap.
struct Widths {
  uint64_t Least = std::numeric_limits<uint64_t>::max(), Most = 0;
  bool areMixed() const { return Least < Most; }
};

struct Peeling {
  uint64_t First = 0, Last = 0; ///< iterations
};

class Recurrences {
public:
  Recurrences(const Loop &L, ScalarEvolution &SE) : L(L), SE(SE) {
    for (BasicBlock *BB : L.blocks())
      for (Instruction &I : *BB) {
        const Widths Of = widthsIn(I);
        All = {std::min(All.Least, Of.Least), std::max(All.Most, Of.Most)};
      }
  }

  bool areMixed() const { return All.areMixed(); }
  std::optional<Peeling> peelingWithoutWraps() const;
  bool hideNarrow() const;

private:
  bool advances(const SCEV *S) const;
  template <typename Visitor> void visitExtensions(Value &V, Visitor Visit) const;
  Widths widthsIn(Value &V) const;
  bool addWrap(const SCEVCastExpr &Extension, uint64_t Trips, Peeling &P) const;

  const Loop &L;
  ScalarEvolution &SE;
  Widths All;
};

/// Returns whether \p S contains a recurrence of L: it becomes a recurrence itself once its parts
/// are assumed not to wrap.
bool Recurrences::advances(const SCEV *S) const {
  return SCEVExprContains(S, [&](const SCEV *Part) {
    const auto *Rec = dyn_cast<SCEVAddRecExpr>(Part);
    return Rec && Rec->getLoop() == &L;
  });
}

template <typename Visitor> void Recurrences::visitExtensions(Value &V, Visitor Visit) const {
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || !L.contains(I) || isa<PHINode>(I) || !I->getType()->isIntegerTy())
    return;
  SCEVExprContains(SE.getSCEV(I), [&](const SCEV *S) {
    if (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(S) && advances(S))
      Visit(*cast<SCEVCastExpr>(S));
    return false;
  });
}

Widths Recurrences::widthsIn(Value &V) const {
  Widths Found;
  visitExtensions(V, [&](const SCEVCastExpr &Extension) {
    const uint64_t Bits = SE.getTypeSizeInBits(Extension.getOperand()->getType());
    Found = {std::min(Found.Least, Bits), std::max(Found.Most, Bits)};
  });
  return Found;
}

/// Adds to \p P the iterations in which \p Extension wraps; returns false unless all of them are
/// known to be close to one end.
bool Recurrences::addWrap(const SCEVCastExpr &Extension, uint64_t Trips, Peeling &P) const {
  const auto *Rec = dyn_cast<SCEVAddRecExpr>(Extension.getOperand());
  const auto *Start = Rec && Rec->isAffine() ? dyn_cast<SCEVConstant>(Rec->getStart()) : nullptr;
  const uint64_t Bits = SE.getTypeSizeInBits(Extension.getOperand()->getType());
  if (!isa<SCEVZeroExtendExpr>(Extension) || !Start || !Rec->getStepRecurrence(SE)->isOne() ||
      Bits > 32)
    return false;
  const uint64_t Wraps = (uint64_t{1} << Bits) - Start->getAPInt().getZExtValue();
  if (Wraps <= MaxPeeled)
    P.First = std::max(P.First, Wraps);
  else if (Wraps < Trips && Trips - Wraps <= MaxPeeled)
    P.Last = std::max(P.Last, Trips - Wraps);
  else
    return Wraps >= Trips;
  // The recurrence must not wrap twice.
  return Trips < Wraps + (uint64_t{1} << Bits);
}

std::optional<Peeling> Recurrences::peelingWithoutWraps() const {
  const uint64_t Trips = SE.getSmallConstantTripCount(&L);
  size_t Size = 0;
  for (const BasicBlock *BB : L.blocks())
    Size += BB->size();
  if (Trips <= 4 * MaxPeeled || Size > MaxInstructions)
    return std::nullopt;
  Peeling P;
  bool Helps = true;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      visitExtensions(I, [&](const SCEVCastExpr &Extension) {
        if (SE.getTypeSizeInBits(Extension.getOperand()->getType()) < All.Most)
          Helps &= addWrap(Extension, Trips, P);
      });
  return Helps ? std::optional(P) : std::nullopt;
}

bool Recurrences::hideNarrow() const {
  SmallVector<Instruction *> Origins;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (widthsIn(I).Least < All.Most &&
          none_of(
              I.operands(), [&](Value *Operand) { return widthsIn(*Operand).Least < All.Most; }))
        Origins.push_back(&I);
  for (Instruction *I : Origins) {
    auto *Frozen = new FreezeInst(I, I->getName(), std::next(I->getIterator()));
    Frozen->setDebugLoc(I->getDebugLoc());
    I->replaceUsesWithIf(Frozen, [&](const Use &U) { return U.getUser() != Frozen; });
  }
  return !Origins.empty();
}

/// Peels one iteration: LLVM peels no more than one of the last iterations at once.
bool peelOne(Loop &L, bool IsLast, LoopInfo &LI, ScalarEvolution &SE, DominatorTree &DT,
             AssumptionCache &AC) {
  simplifyLoop(&L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
  formLCSSARecursively(*L.getOutermostLoop(), DT, &LI, &SE);
  if (!canPeel(&L) || (IsLast && !canPeelLastIteration(L, SE)))
    return false;
  ValueToValueMapTy Copies;
  peelLoop(&L, 1, IsLast, &LI, &SE, DT, &AC, /*PreserveLCSSA=*/true, Copies);
  SE.forgetLoop(&L);
  return true;
}

/// Peels the iterations \p P; returns whether it changed the loop.
bool peel(Loop &L, const Peeling &P, LoopInfo &LI, ScalarEvolution &SE, DominatorTree &DT,
          AssumptionCache &AC) {
  uint64_t Peeled = 0;
  for (uint64_t Left = P.First; Left > 0 && peelOne(L, /*IsLast=*/false, LI, SE, DT, AC); --Left)
    ++Peeled;
  for (uint64_t Left = P.Last; Left > 0 && peelOne(L, /*IsLast=*/true, LI, SE, DT, AC); --Left)
    ++Peeled;
  return Peeled > 0;
}

bool peelWraps(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (!L->isInnermost())
      continue;
    const Recurrences Found(*L, SE);
    if (!Found.areMixed())
      continue;
    if (const std::optional<Peeling> P = Found.peelingWithoutWraps())
      Changed |= peel(*L, *P, LI, SE, FAM.getResult<DominatorTreeAnalysis>(F),
                      FAM.getResult<AssumptionAnalysis>(F));
  }
  return Changed;
}

bool hideRest(Function &F, FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  bool Changed = false;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
    if (!L->isInnermost())
      continue;
    const Recurrences Found(*L, SE);
    Changed |= Found.areMixed() && Found.hideNarrow();
  }
  return Changed;
}

} // namespace

PreservedAnalyses TameNarrowRecurrencesPass::run(Function &F, FunctionAnalysisManager &FAM) {
  const bool Peeled = peelWraps(F, FAM);
  // ScalarEvolution caches negative results about the loop before it was peeled.
  if (Peeled)
    FAM.invalidate(F, PreservedAnalyses::none());
  const bool Hidden = hideRest(F, FAM);
  return Peeled || Hidden ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace specrt
