//===- specializer/loops/independence/loop_accesses.cpp - memory that a loop accesses ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/independence/loop_accesses.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/polyhedral/model/unordered_calls.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace specrt {
namespace {

/// Limits the time of the proof: each pair of accesses takes about a tenth of a microsecond.
constexpr size_t MaxAccesses = 2000;

/// Returns whether the result of \p I may depend on the thread although \p I accesses no memory,
/// such as the address of errno or the number of the thread.
bool dependsOnThread(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  if (Call->getIntrinsicID() != Intrinsic::not_intrinsic)
    return Call->getIntrinsicID() == Intrinsic::threadlocal_address;
  return Call->arg_empty() || Call->getType()->isPointerTy();
}

} // namespace

bool dependsOnData(const SCEV *S, const Loop &L) {
  return SCEVExprContains(S, [&](const SCEV *Part) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    const auto *Made = Unknown ? dyn_cast<Instruction>(Unknown->getValue()) : nullptr;
    return Made && L.contains(Made);
  });
}

bool beginsAnew(const AllocaInst &Room, const Loop &L, const DominatorTree &DT) {
  const auto Begins = [&](const User *Of) {
    const auto *Start = dyn_cast<LifetimeIntrinsic>(Of);
    return Start && Start->getIntrinsicID() == Intrinsic::lifetime_start &&
           L.contains(Start->getParent()) && areAllAccesses(Room, [&](const Instruction &Access) {
             return &Access == Start || (L.contains(&Access) && DT.dominates(Start, &Access));
           });
  };
  return any_of(Room.users(), Begins);
}

LoopAccesses::LoopAccesses(const Loop &L, FunctionAnalysisManager &FAM)
    : L(L), SE(FAM.getResult<ScalarEvolutionAnalysis>(*L.getHeader()->getParent())),
      AA(FAM.getResult<AAManager>(*L.getHeader()->getParent())) {
  AA.enableCrossIterationMode();
}

bool LoopAccesses::add(Instruction &I, function_ref<bool(const AllocaInst &)> IsPrivate) {
  const auto Add = [&](Value *Pointer, uint64_t Bytes, bool IsWrite) {
    const SCEV *Address = SE.getSCEV(Pointer);
    const SCEV *Base = SE.getPointerBase(Address);
    const auto *Unknown = dyn_cast<SCEVUnknown>(Base);
    const auto *Room = Unknown ? dyn_cast<AllocaInst>(Unknown->getValue()) : nullptr;
    if (Room && Room->isStaticAlloca() && IsPrivate(*Room))
      return true;
    AAMDNodes Known = I.getAAMetadata();
    Known.TBAAStruct = nullptr;
    const auto Typed = MemoryLocation::getBeforeOrAfter(Pointer, Known);
    const AccessKind Kind{getUnderlyingObject(Pointer, /*MaxLookup=*/0), Known.TBAA, Known.Scope,
                          Known.NoAlias};
    const unsigned Number = Kinds.insert({Kind, unsigned(Kinds.size())}).first->second;
    Known.TBAA = nullptr;
    Accesses.push_back({&I, MemoryLocation::getBeforeOrAfter(Pointer, Known), Typed, IsWrite,
                        Address, Base, Bytes, Number, keepsType(Pointer, Address)});
    return Accesses.size() <= MaxAccesses;
  };
  const DataLayout &DL = I.getDataLayout();
  const auto BytesOf = [&](Type *T) { return DL.getTypeStoreSize(T).getKnownMinValue(); };
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() && Add(Load->getPointerOperand(), BytesOf(Load->getType()), false);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isSimple() &&
           Add(Store->getPointerOperand(), BytesOf(Store->getValueOperand()->getType()), true);
  if (auto *Block = dyn_cast<MemIntrinsic>(&I)) {
    const auto *Length = dyn_cast<ConstantInt>(Block->getLength());
    const auto *Copy = dyn_cast<MemTransferInst>(Block);
    return !Block->isVolatile() && Length && Length->getValue().isIntN(31) &&
           Add(Block->getRawDest(), Length->getZExtValue(), true) &&
           (!Copy || Add(Copy->getRawSource(), Length->getZExtValue(), false));
  }
  return isOnlySaid(I) || I.isLifetimeStartOrEnd() || isUnordered(I) || isErrnoOnly(I) ||
         (!I.mayReadOrWriteMemory() && !I.mayThrow() && I.willReturn() && !dependsOnThread(I));
}

bool LoopAccesses::collect(function_ref<bool(const AllocaInst &)> IsPrivate) {
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (!add(I, IsPrivate))
        return false;
  return true;
}

/// Returns whether memory at \p Address keeps its type. Variables do. Memory whose address depends
/// on data has no known bounds and is assumed to keep its type, as LLVM assumes.
bool LoopAccesses::keepsType(const Value *Pointer, const SCEV *Address) const {
  const auto *Variable = dyn_cast<GlobalVariable>(getUnderlyingObject(Pointer, /*MaxLookup=*/0));
  if (Variable &&
      (Variable->getValueType()->isSingleValueType() || Variable->getValueType()->isStructTy()))
    return true;
  return dependsOnData(Address, L);
}

bool LoopAccesses::areDifferentObjects(const LoopAccess &A, const LoopAccess &B) {
  const auto Ask = [&](AreApartByKind &Known, const MemoryLocation &First,
                       const MemoryLocation &Second) {
    const auto [At, IsNew] = Known.insert({std::minmax(A.Kind, B.Kind), false});
    if (IsNew)
      At->second = AA.isNoAlias(First, Second);
    return At->second;
  };
  return Ask(AreApart, A.Where, B.Where) ||
         ((A.KeepsType || B.KeepsType) && Ask(AreApartByType, A.Typed, B.Typed));
}

} // namespace specrt
