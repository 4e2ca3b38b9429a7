//===- specializer/sparse/loops/row_notes.cpp - arrays in which rows make notes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/loops/row_notes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace specrt {

NotedBase::NotedBase(const Loop &L, const RowLoop &Rows, unsigned Base)
    : L(L), Rows(Rows), Base(Rows.Bases[Base].Pointer) {
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (const auto At = Rows.BaseOf.find(&I); At != Rows.BaseOf.end() && At->second == Base)
        Accesses.push_back(&I);
}

bool NotedBase::mayBe() const {
  const Type *T = getLoadStoreType(Accesses.front());
  const auto Bits = T->getPrimitiveSizeInBits().getFixedValue();
  const bool IsPlain = T->isIntegerTy() || T->isFloatTy() || T->isDoubleTy();
  return Base && IsPlain && (Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64) &&
         any_of(Accesses, [](const Instruction *I) { return isa<StoreInst>(I); }) &&
         any_of(Accesses, [](const Instruction *I) { return isa<LoadInst>(I); }) &&
         all_of(Accesses, [&](const Instruction *I) { return getLoadStoreType(I) == T; });
}

bool isClear(const StoreInst &Store) {
  const Value *V = Store.getValueOperand();
  return isa<ConstantData>(V) && !isa<UndefValue>(V);
}

/// Returns the load of the index of \p Access; null if the index is computed otherwise.
static const LoadInst *indexOf(const Instruction &Access) {
  const auto *Gep = dyn_cast<GetElementPtrInst>(getLoadStorePointerOperand(&Access));
  if (!Gep || Gep->getNumIndices() != 1)
    return nullptr;
  const Value *Index = *Gep->idx_begin();
  while (const auto *Cast = dyn_cast<CastInst>(Index))
    Index = Cast->getOperand(0);
  return dyn_cast<LoadInst>(Index);
}

bool NotedBase::isCleared() const {
  SmallVector<const StoreInst *> Clears, Others;
  SmallDenseSet<unsigned> Indices; // bases of the indices of reads
  for (const Instruction *I : Accesses) {
    if (const auto *Store = dyn_cast<StoreInst>(I))
      (isClear(*Store) ? Clears : Others).push_back(Store);
    else if (const auto *Index = indexOf(*I))
      if (const auto At = Rows.BaseOf.find(Index); At != Rows.BaseOf.end())
        Indices.insert(At->second);
  }
  const auto IsOfWhatIsRead = [&](const StoreInst *Clear) {
    const LoadInst *Index = indexOf(*Clear);
    const auto At = Index ? Rows.BaseOf.find(Index) : Rows.BaseOf.end();
    return At != Rows.BaseOf.end() && Indices.contains(At->second);
  };
  return !Others.empty() && any_of(Clears, IsOfWhatIsRead) &&
         none_of(Clears, [&](const StoreInst *Clear) {
           return any_of(Others, [&](const StoreInst *Other) { return reaches(*Clear, *Other); });
         });
}

static bool isOnlyAccessed(const Value &Pointer, const Loop &L) {
  return all_of(Pointer.uses(), [&](const Use &U) {
    const auto *User = cast<Instruction>(U.getUser());
    if (!L.contains(User))
      return true;
    if (isa<GetElementPtrInst>(User))
      return U.getOperandNo() == GetElementPtrInst::getPointerOperandIndex() &&
             isOnlyAccessed(*User, L);
    return getLoadStorePointerOperand(User) == &Pointer &&
           !(isa<StoreInst>(User) && cast<StoreInst>(User)->getValueOperand() == &Pointer);
  });
}

bool NotedBase::mayMove() const {
  return (isa<Argument>(Base) || isa<Instruction>(Base)) && isOnlyAccessed(*Base, L);
}

/// Returns whether \p To can be executed after \p From in the same row.
bool NotedBase::reaches(const Instruction &From, const Instruction &To) const {
  if (From.getParent() == To.getParent() && From.comesBefore(&To))
    return true;
  SmallSetVector<const BasicBlock *, 16> Blocks;
  const auto Follow = [&](const BasicBlock *BB) {
    for (const BasicBlock *Next : successors(BB))
      if (L.contains(Next) && Next != L.getHeader())
        Blocks.insert(Next);
  };
  Follow(From.getParent());
  for (unsigned I = 0; I < Blocks.size(); ++I) {
    if (Blocks[I] == To.getParent())
      return true;
    Follow(Blocks[I]);
  }
  return false;
}

} // namespace specrt
