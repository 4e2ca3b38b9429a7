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

} // namespace

bool SkipLoopFinder::isWritten(const Loop &Nest, const Instruction &Access,
                               const SkipLoop *ButFor) const {
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
          Store ? AA.isNoAlias(anywhere(I), Where) : !isModSet(AA.getModRefInfo(&I, Where));
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

/// Does \p Nest write what \p Read reads only by stores outside of \p But, each of one such number?
bool SkipLoopFinder::writesNumbers(const Loop &Nest, const Loop &But, const LoadInst &Read,
                                   SmallVectorImpl<StoreInst *> &Found) const {
  const Align Natural(Read.getType()->getPrimitiveSizeInBits() / 8);
  const MemoryLocation Where = anywhere(Read);
  Found.clear();
  for (BasicBlock *BB : Nest.blocks())
    for (Instruction &I : *BB) {
      if (!I.mayWriteToMemory() || isa<AssumeInst>(I))
        continue;
      auto *Store = dyn_cast<StoreInst>(&I);
      if (!Store)
        return false;
      if (AA.isNoAlias(anywhere(I), Where))
        continue;
      if (But.contains(BB) || !Store->isSimple() || Store->getAlign() < Natural ||
          Store->getValueOperand()->getType() != Read.getType())
        return false;
      Found.push_back(Store);
    }
  return Read.getAlign() >= Natural;
}

bool SkipLoopFinder::placeFinite(SkipLoop &To, LoadInst &Read, Use Least) const {
  const BasicBlock &Where = *Read.getParent();
  const SCEV *Address = SE.getSCEV(Read.getPointerOperand());
  std::optional<SkipLoop::Check> Best;
  SmallVector<StoreInst *> Written;
  for (Loop *Nest = To.L; To.List.Nest->contains(Nest); Nest = Nest->getParentLoop()) {
    const bool IsWritten = isWritten(*Nest, Read);
    // Rather look several times than at each number that is written.
    if (IsWritten && (Best || !writesNumbers(*Nest, *To.L, Read, Written)))
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

/// What is added to stays no -0 from the check on, if nobody else writes it.
bool SkipLoopFinder::placeSum(SkipLoop &To, StoreInst &Store) const {
  const BasicBlock &Where = *Store.getParent();
  const SCEV *Address = SE.getSCEV(Store.getPointerOperand());
  for (Loop *Nest = To.L; To.List.Nest->contains(Nest) && !isWritten(*Nest, Store, &To);
       Nest = Nest->getParentLoop())
    if (std::optional<ZeroWalk> Walk =
            Walks.within(*Nest, *LI.getLoopFor(&Where), Where, Address,
                         Store.getValueOperand()->getType(), /*Alike=*/false))
      if (isUsedSeveralTimes(*Walk, Where)) {
        To.Checks.push_back({std::move(*Walk), SPECRT_ZEROS_SUMMED_UP});
        return true;
      }
  return false;
}

/// Of what the loop computes, only what it hands on is used after it.
bool SkipLoopFinder::leavesSumsOnly(const SkipLoop &Of) const {
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
  SkipProof Proof(L, LI, SE, SE.getSCEV(Element.getPointerOperand()), Element.getType());
  if (!Proof.run())
    return std::nullopt;
  SkipLoop Found;
  Found.L = &L;
  Found.ElementType = Element.getType();
  Found.Elements = std::move(Proof.Elements);
  Found.Demands = std::move(Proof.Demands);
  if (!leavesSumsOnly(Found) || !placeList(Found, Element))
    return std::nullopt;
  for (LoadInst *Read : Found.Demands.Finite)
    if (!placeFinite(Found, *Read, Least))
      return std::nullopt;
  for (StoreInst *Store : Found.Demands.SumsInMemory)
    if (!placeSum(Found, *Store))
      return std::nullopt;
  llvm::sort(Found.Checks, [](const SkipLoop::Check &A, const SkipLoop::Check &B) {
    return A.Walk.Nest->getLoopDepth() < B.Walk.Nest->getLoopDepth();
  });
  return Found;
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
