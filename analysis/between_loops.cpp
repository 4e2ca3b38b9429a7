//===- analysis/between_loops.cpp - values computed between two consecutive loops -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/between_loops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace specrt {

bool followsFrom(const Value &V, const Loop &L, ArrayRef<BasicBlock *> Way) {
  SmallVector<const Value *> Pending = {&V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Pending.empty()) {
    const auto *I = dyn_cast<Instruction>(Pending.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (L.contains(I))
      return true;
    if (is_contained(Way, I->getParent()))
      append_range(Pending, I->operand_values());
  }
  return false;
}

bool areUsedOnlyIn(ArrayRef<BasicBlock *> Blocks, function_ref<bool(const BasicBlock *)> IsOne) {
  return all_of(Blocks, [&](const BasicBlock *Block) {
    return all_of(*Block, [&](const Instruction &I) {
      return all_of(I.users(),
                    [&](const User *U) { return IsOne(cast<Instruction>(U)->getParent()); });
    });
  });
}

} // namespace specrt
