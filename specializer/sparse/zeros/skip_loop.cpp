//===- specializer/sparse/zeros/skip_loop.cpp - loops of which zeros skip iterations ===//
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

/// What \p Access may touch in any iteration of loops around it.
MemoryLocation anywhere(const Instruction &Access) {
  const MemoryLocation Here = MemoryLocation::get(&Access);
  return MemoryLocation::getBeforeOrAfter(Here.Ptr, Here.AATags);
}

const Value *addressOf(const Instruction &Access) { return getLoadStorePointerOperand(&Access); }

/// The lowest and the highest address that \p Access has while \p Nest runs, as numbers that are
/// known before; nulls when they cannot be told.
std::pair<const SCEV *, const SCEV *> addressesIn(const Loop &Nest, const Instruction &Access,
                                                  ScalarEvolution &SE) {
  const auto End = [&](bool Highest) -> const SCEV * {
    const SCEV *At = SE.getSCEV(const_cast<Value *>(addressOf(Access)));
    while (const auto *Varying = dyn_cast<SCEVAddRecExpr>(At)) {
      const Loop *With = Varying->getLoop();
      if (!Nest.contains(With))
        break;
      const SCEV *Step = Varying->getStepRecurrence(SE), *Trips = tripsOf(*With, SE);
      const bool Ascends = SE.isKnownNonNegative(Step);
      if (!Varying->isAffine() || !Trips || !(Ascends || SE.isKnownNonPositive(Step)))
        return nullptr;
      At = Ascends == Highest ? Varying->evaluateAtIteration(
                                    SE.getMinusSCEV(Trips, SE.getOne(Trips->getType())), SE)
                              : Varying->getStart();
    }
    return isKnownBefore(Nest, At, SE) ? At : nullptr;
  };
  return {End(false), End(true)};
}

} // namespace

/// Does what \p Store writes while \p Nest runs have no byte in common with what \p Access touches
/// then?
bool SkipLoopFinder::isApart(const Loop &Nest, const Instruction &Access,
                             const StoreInst &Store) const {
  if (AA.isNoAlias(anywhere(Store), anywhere(Access)))
    return true;
  const auto [Low, High] = addressesIn(Nest, Access, SE);
  const auto [WrittenLow, WrittenHigh] = addressesIn(Nest, Store, SE);
  if (!Low || !High || !WrittenLow || !WrittenHigh)
    return false;
  const auto IsBehind = [&](const SCEV *Behind, const SCEV *Before, const Type *T) {
    const SCEV *Distance = SE.getMinusSCEV(Behind, Before);
    return !isa<SCEVCouldNotCompute>(Distance) &&
           SE.isKnownNonNegative(SE.getMinusSCEV(
               Distance, SE.getConstant(Distance->getType(), T->getPrimitiveSizeInBits() / 8)));
  };
  return IsBehind(WrittenLow, High, getLoadStoreType(&Access)) ||
         IsBehind(Low, WrittenHigh, Store.getValueOperand()->getType());
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

/// Is there a loop from the walk's nest to the access with which the address does not vary?
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
  // A list that is made for each element once is worth nothing.
  return To.List.Nest != To.L || !To.L->isInnermost();
}

/// Does \p Nest write what \p Access accesses only by stores outside of \p But, each of one such
/// number? Those that demand something themselves in \p ButFor are left out.
bool SkipLoopFinder::writesNumbers(const Loop &Nest, const Loop *But, const Instruction &Access,
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
      if ((But && But->contains(BB)) || !Store->isSimple() || Store->getAlign() < Natural ||
          Store->getValueOperand()->getType() != Number)
        return false;
      Found.push_back(Store);
    }
  return getLoadStoreAlignment(&Access) >= Natural;
}

bool SkipLoopFinder::placeFinite(LoopWithDemands &To, const Loop &Outermost, LoadInst &Read,
                                 Use Least, const Loop *ButIn) const {
  const BasicBlock &Where = *Read.getParent();
  const SCEV *Address = SE.getSCEV(Read.getPointerOperand());
  std::optional<SkipLoop::Check> Best;
  SmallVector<StoreInst *> Written;
  for (Loop *Nest = To.L; Outermost.contains(Nest); Nest = Nest->getParentLoop()) {
    const bool IsWritten = isWritten(*Nest, Read);
    // Rather look several times than at each number that is written.
    if (IsWritten && (Best || !writesNumbers(*Nest, ButIn, Read, nullptr, Written)))
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

/// What is added to stays no -0 from the check on, if what else is written there is none.
bool SkipLoopFinder::placeSum(LoopWithDemands &To, const Loop &Outermost, StoreInst &Store) const {
  const BasicBlock &Where = *Store.getParent();
  const SCEV *Address = SE.getSCEV(Store.getPointerOperand());
  SmallVector<StoreInst *> Written;
  for (Loop *Nest = To.L; Outermost.contains(Nest); Nest = Nest->getParentLoop()) {
    const bool IsWritten = isWritten(*Nest, Store, &To);
    if (IsWritten && !writesNumbers(*Nest, nullptr, Store, &To, Written))
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

bool SkipLoopFinder::placeChecks(LoopWithDemands &To, const Loop &Outermost, Use Least,
                                 const Loop *ButIn) const {
  for (LoadInst *Read : To.Demands.Finite)
    if (!placeFinite(To, Outermost, *Read, Least, ButIn))
      return false;
  for (StoreInst *Store : To.Demands.SumsInMemory)
    if (!placeSum(To, Outermost, *Store))
      return false;
  llvm::sort(To.Checks, [](const SkipLoop::Check &A, const SkipLoop::Check &B) {
    return A.Walk.Nest->getLoopDepth() < B.Walk.Nest->getLoopDepth();
  });
  return true;
}

/// Of what the loop computes, only what it hands on is used after it.
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

std::optional<SkipLoop> SkipLoopFinder::skipFor(Loop &L, LoadInst &Element, Use Least,
                                                const Loop *ButIn) const {
  SkipProof Proof(L, LI, SE, PresumedZero::readBy(Element, SE));
  if (!Proof.run())
    return std::nullopt;
  SkipLoop Found;
  Found.L = &L;
  Found.ElementType = Element.getType();
  Found.Elements = std::move(Proof.Elements);
  Found.Demands = std::move(Proof.Demands);
  if (!leavesSumsOnly(Found) || !placeList(Found, Element) ||
      !placeChecks(Found, *Found.List.Nest, Least, ButIn))
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
  if (!leavesSumsOnly(Found) ||
      !placeChecks(Found, *L.getOutermostLoop(), Use::Several, /*ButIn=*/nullptr))
    return std::nullopt;
  return Found;
}

/// Is \p V an element of an array that may be sparse, or zero where one is?
bool SkipLoopFinder::isLeftBySparse(const Value &V, unsigned Depth) const {
  constexpr unsigned MaxDepth = 4;
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || Depth > MaxDepth)
    return false;
  const auto IsOperand = [&](unsigned K) { return isLeftBySparse(*I->getOperand(K), Depth + 1); };
  switch (I->getOpcode()) {
  case Instruction::Load:
    return IsSparse(*getUnderlyingObject(addressOf(*I))) != 0;
  case Instruction::FDiv:
  case Instruction::FNeg:
    return IsOperand(0);
  case Instruction::FMul:
  case Instruction::Mul:
    return IsOperand(0) || IsOperand(1);
  default:
    return false;
  }
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
  // Rather do not look at what the loop writes itself.
  const std::pair<Use, const Loop *> Ways[] = {
      {Use::Several, &L}, {Use::Several, nullptr}, {Use::Once, &L}};
  for (const auto &[Least, ButIn] : Ways)
    for (LoadInst *Load : Candidates)
      if (std::optional<SkipLoop> Found = skipFor(L, *Load, Least, ButIn))
        return Found;
  return std::nullopt;
}

} // namespace specrt
