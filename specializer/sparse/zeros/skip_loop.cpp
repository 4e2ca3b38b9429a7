//===- specializer/sparse/zeros/skip_loop.cpp - loops in which zeros make iterations idle -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/zeros/skip_loop.h"
#include "specializer/loops/loop_shape.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns the memory that \p Access may touch in any iteration of the loops around it.
MemoryLocation anywhere(const Instruction &Access) {
  const MemoryLocation Here = MemoryLocation::get(&Access);
  return MemoryLocation::getBeforeOrAfter(Here.Ptr, Here.AATags);
}

const Value *addressOf(const Instruction &Access) { return getLoadStorePointerOperand(&Access); }

} // namespace

/// Returns whether the bytes that \p Store writes while \p Nest runs are disjoint from those that
/// \p Access touches then.
bool SkipLoopFinder::isApart(const Loop &Nest, const Instruction &Access,
                             const StoreInst &Store) const {
  if (AA.isNoAlias(anywhere(Store), anywhere(Access)))
    return true;
  const DataLayout &Layout = Access.getDataLayout();
  // Returns whether the last byte of One lies before the first byte of Other.
  const auto IsBefore = [&](const Instruction &One, const Instruction &Other) {
    const auto Bound = [&](const Instruction &I, Extreme End) {
      return boundOf(SE.getSCEV(const_cast<Value *>(addressOf(I))), End, &Nest, SE);
    };
    const SCEV *Last = Bound(One, Extreme::Most), *First = Bound(Other, Extreme::Least);
    if (!Last || !First)
      return false;
    const SCEV *Distance = SE.getMinusSCEV(First, Last);
    const TypeSize Bytes = Layout.getTypeStoreSize(getLoadStoreType(&One));
    return !isa<SCEVCouldNotCompute>(Distance) && !Bytes.isScalable() &&
           SE.isKnownNonNegative(SE.getMinusSCEV(
               Distance, SE.getConstant(Distance->getType(), Bytes.getFixedValue())));
  };
  return IsBefore(Access, Store) || IsBefore(Store, Access);
}

bool SkipLoopFinder::isWritten(const Loop &Nest, const Instruction &Access,
                               const LoopWithDemands *ButFor) const {
  const MemoryLocation Where = anywhere(Access);
  for (const BasicBlock *BB : Nest.blocks())
    for (const Instruction &I : *BB) {
      if (isa<AssumeInst>(I))
        continue;
      if (!I.willReturn() || I.mayThrow())
        return true; // and the rest might never be read
      if (!I.mayWriteToMemory())
        continue;
      const auto *Store = dyn_cast<StoreInst>(&I);
      if (ButFor && Store && ButFor->Demands.SumsInMemory.contains(const_cast<StoreInst *>(Store)))
        continue;
      const bool IsApart =
          Store ? isApart(Nest, Access, *Store) : !isModSet(AA.getModRefInfo(&I, Where));
      if (!IsApart)
        return true;
    }
  return false;
}

/// Returns whether the address is invariant in a loop between the walk's nest and the access.
bool SkipLoopFinder::isUsedSeveralTimes(const ZeroWalk &Walk, const BasicBlock &Where) const {
  const unsigned Loops = LI.getLoopDepth(&Where) - Walk.Nest->getLoopDepth() + 1;
  return Walk.Dimensions.size() < Loops;
}

bool SkipLoopFinder::placeList(SkipLoop &To, LoadInst &Element) const {
  const SCEV *Address = SE.getSCEV(Element.getPointerOperand());
  bool Found = false;
  for (Loop *Nest = To.L; Nest && !isWritten(*Nest, Element); Nest = Nest->getParentLoop()) {
    std::optional<ZeroWalk> Walk =
        Walks.within(*Nest, *LI.getLoopFor(Element.getParent()), *Element.getParent(), Address,
                     To.ElementType, /*Alike=*/true);
    if (!Walk || !Walk->isListed(*To.L))
      continue;
    To.List = std::move(*Walk);
    Found = true;
  }
  if (!Found)
    return false;
  To.List.Array = IsSparse(*getUnderlyingObject(addressOf(Element)));
  if (any_of(To.Elements, [&](LoadInst *Same) { return To.Demands.Factors.contains(Same); }))
    To.List.MinExponent = To.Demands.minExponent();
  // A list that is used only once per element does not pay.
  return To.List.Nest != To.L || !To.L->isInnermost();
}

/// Returns whether all writes of \p Nest to the memory of \p Access are stores \p Found of one such
/// number each. Stores that add to sums of \p ButFor do not count.
bool SkipLoopFinder::writesNumbers(const Loop &Nest, const Instruction &Access,
                                   const LoopWithDemands *ButFor,
                                   SmallVectorImpl<StoreInst *> &Found) const {
  Type *Number = getLoadStoreType(&Access);
  const Align Natural(Number->getPrimitiveSizeInBits() / 8);
  Found.clear();
  for (BasicBlock *BB : Nest.blocks())
    for (Instruction &I : *BB) {
      if (!I.mayWriteToMemory() || isa<AssumeInst>(I))
        continue;
      auto *Store = dyn_cast<StoreInst>(&I);
      if (!Store)
        return false;
      if ((ButFor && ButFor->Demands.SumsInMemory.contains(Store)) || isApart(Nest, Access, *Store))
        continue;
      if (!Store->isSimple() || Store->getAlign() < Natural ||
          Store->getValueOperand()->getType() != Number)
        return false;
      Found.push_back(Store);
    }
  return getLoadStoreAlignment(&Access) >= Natural;
}

bool SkipLoopFinder::placeFinite(LoopWithDemands &To, const Loop &Outermost, LoadInst &Read,
                                 Use Least) const {
  const BasicBlock &Where = *Read.getParent();
  const SCEV *Address = SE.getSCEV(Read.getPointerOperand());
  std::optional<LoopWithDemands::Check> Best;
  SmallVector<StoreInst *> Written;
  for (Loop *Nest = To.L; Outermost.contains(Nest); Nest = Nest->getParentLoop()) {
    const bool IsWritten = isWritten(*Nest, Read);
    // Several checks are cheaper than testing each number that is written.
    if (IsWritten && (Best || !writesNumbers(*Nest, Read, nullptr, Written)))
      break;
    std::optional<ZeroWalk> Walk = Walks.within(*Nest, *LI.getLoopFor(&Where), Where, Address,
                                                Read.getType(), /*Alike=*/false);
    if (Walk && (Least == Use::Once || isUsedSeveralTimes(*Walk, Where)))
      Best = {std::move(*Walk), SPECRT_ZEROS_FINITE,
              IsWritten ? Written : SmallVector<StoreInst *>()};
  }
  if (!Best)
    return false;
  if (To.Demands.Factors.contains(&Read))
    Best->Walk.MinExponent = To.Demands.minExponent();
  To.Checks.push_back(std::move(*Best));
  return true;
}

/// Places the check of a sum. A sum that is not -0 stays so from the check on, unless another store
/// writes -0.
bool SkipLoopFinder::placeSum(LoopWithDemands &To, const Loop &Outermost, StoreInst &Store) const {
  const BasicBlock &Where = *Store.getParent();
  const SCEV *Address = SE.getSCEV(Store.getPointerOperand());
  SmallVector<StoreInst *> Written;
  for (Loop *Nest = To.L; Outermost.contains(Nest); Nest = Nest->getParentLoop()) {
    const bool IsWritten = isWritten(*Nest, Store, &To);
    if (IsWritten && !writesNumbers(*Nest, Store, &To, Written))
      return false;
    std::optional<ZeroWalk> Walk =
        Walks.within(*Nest, *LI.getLoopFor(&Where), Where, Address,
                     Store.getValueOperand()->getType(), /*Alike=*/false);
    if (!Walk || !isUsedSeveralTimes(*Walk, Where))
      continue;
    To.Checks.push_back({std::move(*Walk), SPECRT_ZEROS_SUMMED_UP,
                         IsWritten ? Written : SmallVector<StoreInst *>()});
    return true;
  }
  return false;
}

bool SkipLoopFinder::placeChecks(LoopWithDemands &To, const Loop &Outermost, Use Least) const {
  for (LoadInst *Read : To.Demands.Finite)
    if (!placeFinite(To, Outermost, *Read, Least))
      return false;
  for (StoreInst *Store : To.Demands.SumsInMemory)
    if (!placeSum(To, Outermost, *Store))
      return false;
  llvm::sort(To.Checks, [](const LoopWithDemands::Check &A, const LoopWithDemands::Check &B) {
    return A.Walk.Nest->getLoopDepth() < B.Walk.Nest->getLoopDepth();
  });
  return true;
}

/// Returns whether only carried values of the loop are used after it.
bool SkipLoopFinder::leavesSumsOnly(const LoopWithDemands &Of) const {
  const Loop &L = *Of.L;
  const auto IsHandedOn = [&](const Instruction &I) {
    return any_of(L.getHeader()->phis(), [&](PHINode &Phi) {
      return Phi.getIncomingValueForBlock(L.getLoopLatch()) == &I && !counterOf(Phi, L, SE);
    });
  };
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      for (const User *U : I.users())
        if (!L.contains(cast<Instruction>(U)) && (!isa<PHINode>(U) || !IsHandedOn(I)))
          return false;
  return true;
}

std::optional<SkipLoop> SkipLoopFinder::skipFor(Loop &L, LoadInst &Element, Use Least) const {
  SkipProof Proof(L, LI, SE, PresumedZero::readBy(Element, SE));
  if (!Proof.run())
    return std::nullopt;
  SkipLoop Found;
  Found.L = &L;
  Found.ElementType = Element.getType();
  Found.Elements = std::move(Proof.Elements);
  Found.Demands = std::move(Proof.Demands);
  // The skipped iterations are determined when the loop begins, so the loop must not write factors
  // that its later iterations read.
  const bool WritesFactors =
      any_of(Found.Demands.Finite, [&](LoadInst *Read) { return isWritten(L, *Read); });
  if (WritesFactors || !leavesSumsOnly(Found) || !placeList(Found, Element) ||
      !placeChecks(Found, *Found.List.Nest, Least))
    return std::nullopt;
  return Found;
}

std::optional<IdleLoop> SkipLoopFinder::idleFor(Loop &L, const PresumedZero &Element) const {
  SkipProof Proof(L, LI, SE, Element);
  if (!Proof.run())
    return std::nullopt;
  IdleLoop Found;
  Found.L = &L;
  Found.ElementType = Element.Type;
  Found.Demands = std::move(Proof.Demands);
  if (!leavesSumsOnly(Found) || !placeChecks(Found, *L.getOutermostLoop(), Use::Several))
    return std::nullopt;
  return Found;
}

/// Returns whether \p V is an element of an array that may be sparse, or a product or quotient that
/// is zero if one is.
bool SkipLoopFinder::isLeftBySparse(Value &V) const {
  SmallSetVector<Value *, 8> Factors;
  Factors.insert(&V);
  for (size_t At = 0; At < Factors.size(); ++At) {
    const auto *I = dyn_cast<Instruction>(Factors[At]);
    if (!I)
      continue;
    switch (I->getOpcode()) {
    case Instruction::Load:
      if (IsSparse(*getUnderlyingObject(addressOf(*I))) != 0)
        return true;
      break;
    case Instruction::FMul:
    case Instruction::Mul:
      Factors.insert(I->getOperand(1));
      [[fallthrough]];
    case Instruction::FDiv:
    case Instruction::FNeg:
      Factors.insert(I->getOperand(0));
      break;
    default:
      break;
    }
  }
  return false;
}

std::optional<IdleLoop> SkipLoopFinder::lookForIdle(Loop &L) const {
  if (!L.getParentLoop() || !L.getLoopPreheader() || !backedgesOf(L, SE))
    return std::nullopt;
  SmallSetVector<Value *, 8> Numbers;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (Load && BB == L.getHeader() && Load->isSimple() &&
          SE.isLoopInvariant(SE.getSCEV(Load->getPointerOperand()), &L))
        Numbers.insert(Load);
      for (Value *Operand : I.operands())
        if (const auto *Before = dyn_cast<Instruction>(Operand); Before && !L.contains(Before))
          Numbers.insert(Operand);
    }
  for (Value *V : Numbers) {
    if (!zerosKind(V->getType()) || !isLeftBySparse(*V))
      continue;
    auto *Load = dyn_cast<LoadInst>(V);
    const bool IsInside = Load && L.contains(Load);
    std::optional<IdleLoop> Found =
        idleFor(L, IsInside ? PresumedZero::readBy(*Load, SE)
                            : PresumedZero{.Type = V->getType(), .Number = V});
    if (!Found)
      continue;
    Found->Element = IsInside ? Load : nullptr;
    Found->Number = IsInside ? nullptr : V;
    return Found;
  }
  return std::nullopt;
}

std::optional<SkipLoop> SkipLoopFinder::look(Loop &L) const {
  if (!backedgesOf(L, SE))
    return std::nullopt;
  SmallVector<LoadInst *> Candidates;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || !Load->isSimple() || !zerosKind(Load->getType()))
        continue;
      const auto *Address = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Load->getPointerOperand()));
      if (Address && Address->getLoop() == &L && IsSparse(*getUnderlyingObject(addressOf(*Load))))
        Candidates.push_back(Load);
    }
  for (Use Least : {Use::Several, Use::Once})
    for (LoadInst *Load : Candidates)
      if (std::optional<SkipLoop> Found = skipFor(L, *Load, Least))
        return Found;
  return std::nullopt;
}

} // namespace specrt
