//===- instrument/select/following_nests.cpp - nests that follow each other at a distance ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/select/following_nests.h"
#include "instrument/select/consecutive_loops.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionDivision.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

namespace specrt {
namespace {

/// The accesses of a loop to an array whose rows its iterations take in turn.
struct RowAccesses {
  const SCEV *Step = nullptr; ///< bytes from one iteration to the next; null if accesses differ
  bool IsOpen = false; ///< Step is unknown, because the analysis knows no counter of the loop
  bool IsWritten = false, AreSeveralRows = false;
  SmallVector<const SCEV *, 4>
      Begins; ///< addresses of accesses in the first iterations of all loops

  void add(const SCEV *Address, const Loop &L, ScalarEvolution &SE);
};

/// Returns whether \p Distance is a constant number of steps other than 0.
bool isSomeSteps(const SCEV *Distance, const SCEV *Step, ScalarEvolution &SE) {
  if (isa<SCEVCouldNotCompute>(Distance) || Distance->isZero())
    return false;
  const SCEV *Quotient = nullptr, *Remainder = nullptr;
  SCEVDivision::divide(SE, Distance, Step, &Quotient, &Remainder);
  return Remainder->isZero() && isa<SCEVConstant>(Quotient);
}

/// The bytes by which an address moves from iteration to iteration of loops.
struct Movement {
  const SCEV *Own = nullptr; ///< bytes per iteration of the outermost loop
  SmallVector<const SCEV *, 4> Inner;

  /// Adds the steps of \p S, and returns what it is in the first iterations. Terms that alternate,
  /// as the first column of a colour does, count as constants.
  const SCEV *follow(const SCEV *S, const Loop &L, ScalarEvolution &SE) {
    if (const auto *Sum = dyn_cast<SCEVAddExpr>(S)) {
      SmallVector<const SCEV *, 4> Terms;
      for (const SCEV *Term : Sum->operands())
        Terms.push_back(follow(Term, L, SE));
      return SE.getAddExpr(Terms);
    }
    if (const auto *Product = dyn_cast<SCEVMulExpr>(S);
        Product && isa<SCEVConstant>(Product->getOperand(0)) && Product->getNumOperands() == 2)
      if (const auto *Sum = dyn_cast<SCEVAddExpr>(Product->getOperand(1))) {
        SmallVector<const SCEV *, 4> Terms;
        for (const SCEV *Term : Sum->operands())
          Terms.push_back(follow(SE.getMulExpr(Product->getOperand(0), Term), L, SE));
        return SE.getAddExpr(Terms);
      }
    const auto *Counted = dyn_cast<SCEVAddRecExpr>(S);
    if (!Counted || !L.contains(Counted->getLoop()))
      return S;
    const SCEV *By = Counted->getStepRecurrence(SE);
    if (Counted->getLoop() != &L)
      Inner.push_back(By);
    else
      Own = Own ? SE.getAddExpr(Own, By) : By;
    return follow(Counted->getStart(), L, SE);
  }
};

void RowAccesses::add(const SCEV *Address, const Loop &L, ScalarEvolution &SE) {
  Movement By;
  const SCEV *Begin = By.follow(Address, L, SE);
  const bool IsFirst = Begins.empty();
  IsOpen |= SCEVExprContains(Address, [&](const SCEV *Part) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    const auto *Phi = Unknown ? dyn_cast<PHINode>(Unknown->getValue()) : nullptr;
    return Phi && Phi->getParent() == L.getHeader();
  });
  if (!By.Own || !SE.isLoopInvariant(By.Own, &L) || !(IsFirst || By.Own == Step)) {
    Step = nullptr;
    return Begins.push_back(Begin);
  }
  Step = By.Own;
  // An inner loop may advance by the same rows.
  AreSeveralRows =
      AreSeveralRows || is_contained(By.Inner, Step) || any_of(Begins, [&](const SCEV *Other) {
        return isSomeSteps(SE.getMinusSCEV(Begin, Other), Step, SE);
      });
  Begins.push_back(Begin);
}

using ArraysOfLoop = SmallMapVector<const SCEV *, RowAccesses, 4>;

ArraysOfLoop arraysOf(const Loop &L, ScalarEvolution &SE) {
  ArraysOfLoop All;
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (const Value *Address = getLoadStorePointerOperand(&I)) {
        const SCEV *S = SE.getSCEV(const_cast<Value *>(Address));
        RowAccesses &Of = All[SE.getPointerBase(S)];
        Of.IsWritten |= isa<StoreInst>(I);
        Of.add(S, L, SE);
      }
  return All;
}

} // namespace

Loop *findFollowingNest(const Loop &L, const LoopInfo &LI, ScalarEvolution &SE) {
  Loop *Next = L.isInnermost() ? nullptr : findNextLoop(L, LI);
  if (!Next || Next->isInnermost())
    return nullptr;
  const ArraysOfLoop First = arraysOf(L, SE), Second = arraysOf(*Next, SE);
  const bool Follows = any_of(Second, [&](const auto &Each) {
    const auto *const Found = First.find(Each.first);
    if (Found == First.end())
      return false;
    const RowAccesses &One = Each.second, &Other = Found->second;
    const bool IsSameStep =
        One.Step ? Other.Step == One.Step || Other.IsOpen : One.IsOpen && Other.Step;
    return IsSameStep && (One.IsWritten || Other.IsWritten) &&
           (One.AreSeveralRows || Other.AreSeveralRows);
  });
  return Follows ? Next : nullptr;
}

} // namespace specrt
