//===- instrument/select/rounding/exchanged_values.cpp - numbers in and out of nests ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/select/rounding/exchanged_values.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace specrt {

bool exchangesLanes(const Loop &L, function_ref<bool(const Instruction &)> Counts) {
  SmallDenseMap<const Type *, SmallPtrSet<const Value *, 4>> OfType;
  const auto Add = [&](const Instruction &Value, const Instruction &Around) {
    if (Value.getType()->isFPOrFPVectorTy() && !L.contains(&Around) && Counts(Around))
      OfType[Value.getType()].insert(&Value);
  };
  for (const PHINode &Carried : L.getHeader()->phis())
    for (const Value *Each : Carried.incoming_values())
      if (const auto *Start = dyn_cast<Instruction>(Each))
        Add(*Start, *Start);
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      for (const User *Each : I.users())
        Add(I, *cast<Instruction>(Each));
  return any_of(OfType, [](const auto &Values) { return Values.second.size() > 1; });
}

/// Returns whether something outside of \p L reads or writes \p Array, or has its address.
static bool isUsedAround(const AllocaInst &Array, const Loop &L) {
  SmallVector<const Value *> Addresses = {&Array};
  for (size_t Next = 0; Next < Addresses.size(); ++Next)
    for (const User *Each : Addresses[Next]->users()) {
      const auto *I = cast<Instruction>(Each);
      if (isa<GetElementPtrInst>(I))
        Addresses.push_back(I);
      else if (!I->isLifetimeStartOrEnd() && !L.contains(I))
        return true;
    }
  return false;
}

bool sharesArrayOfRegisters(const Loop &L, function_ref<bool(const Value &)> MayBecomeConstant) {
  SmallDenseMap<const AllocaInst *, bool> MayVanish;
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block) {
      const Value *Address = getLoadStorePointerOperand(&I);
      const auto *Array =
          Address ? dyn_cast<AllocaInst>(getUnderlyingObject(Address, /*MaxLookup=*/0)) : nullptr;
      if (!Array || !getLoadStoreType(&I)->isFPOrFPVectorTy())
        continue;
      bool &AreConstant = MayVanish.try_emplace(Array, true).first->second;
      while (const auto *Element = dyn_cast<GetElementPtrInst>(Address)) {
        AreConstant &= all_of(Element->indices(), [&](const Use &Subscript) {
          return isa<Constant>(*Subscript) || MayBecomeConstant(*Subscript);
        });
        Address = Element->getPointerOperand();
      }
    }
  return any_of(MayVanish,
                [&](const auto &Each) { return Each.second && isUsedAround(*Each.first, L); });
}

} // namespace specrt
