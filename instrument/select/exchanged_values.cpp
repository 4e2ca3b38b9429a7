//===- instrument/select/exchanged_values.cpp - numbers that enter and leave nests in registers
//===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/select/exchanged_values.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
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

} // namespace specrt
