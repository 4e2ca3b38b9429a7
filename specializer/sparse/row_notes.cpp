//===- specializer/sparse/row_notes.cpp - arrays in which rows make notes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/row_notes.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace specrt {

NotedBase::NotedBase(const Loop &L, const RowLoop &Rows, unsigned Base) : L(L) {
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (const auto At = Rows.BaseOf.find(&I); At != Rows.BaseOf.end() && At->second == Base)
        Accesses.push_back(&I);
}

bool NotedBase::mayBe() const {
  const Type *T = getLoadStoreType(Accesses.front());
  const auto Bits = T->getPrimitiveSizeInBits().getFixedValue();
  const bool IsPlain = T->isIntegerTy() || T->isFloatTy() || T->isDoubleTy();
  return IsPlain && (Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64) &&
         any_of(Accesses, [](const Instruction *I) { return isa<StoreInst>(I); }) &&
         any_of(Accesses, [](const Instruction *I) { return isa<LoadInst>(I); }) &&
         all_of(Accesses, [&](const Instruction *I) { return getLoadStoreType(I) == T; });
}

bool NotedBase::isCleared() const {
  SmallVector<const StoreInst *> Clears, Others;
  for (const Instruction *I : Accesses)
    if (const auto *Store = dyn_cast<StoreInst>(I))
      (isa<ConstantData>(Store->getValueOperand()) ? Clears : Others).push_back(Store);
  if (Clears.empty() || Others.empty())
    return false;
  const auto IsSomewhere = [&](const StoreInst *Clear) {
    return isReadWithin(L, *Clear->getPointerOperand());
  };
  return any_of(Clears, IsSomewhere) && none_of(Clears, [&](const StoreInst *Clear) {
           return any_of(Others, [&](const StoreInst *Other) { return reaches(*Clear, *Other); });
         });
}

/// Can \p To be executed after \p From in the same row?
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
