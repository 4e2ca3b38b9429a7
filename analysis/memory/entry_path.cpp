//===- analysis/memory/entry_path.cpp - instructions that every call executes -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/memory/entry_path.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace specrt {

DenseSet<const Instruction *> instructionsOnEntryPath(const Function &F) {
  DenseSet<const Instruction *> Path;
  SmallPtrSet<const BasicBlock *, 8> Seen;
  for (const BasicBlock *BB = &F.getEntryBlock(); BB && Seen.insert(BB).second;
       BB = BB->getUniqueSuccessor())
    for (const Instruction &I : *BB) {
      Path.insert(&I);
      if (!isGuaranteedToTransferExecutionToSuccessor(&I))
        return Path;
    }
  return Path;
}

} // namespace specrt
