//===- specializer/polyhedral/model/access_alignment.cpp - alignment of redirected accesses -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/model/access_alignment.h"
#include "polly/ScopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns the load or store of an access; null for values and calls.
Instruction *instructionOf(const polly::MemoryAccess &Access) {
  Instruction *I = Access.isOriginalArrayKind() ? Access.getAccessInstruction() : nullptr;
  return I && isa<LoadInst, StoreInst>(I) ? I : nullptr;
}

} // namespace

bool isNaturallyAligned(polly::Scop &S) {
  const DataLayout &Layout = S.getFunction().getDataLayout();
  for (const polly::ScopStmt &Stmt : S)
    for (const polly::MemoryAccess *Access : Stmt)
      if (Instruction *I = instructionOf(*Access))
        if (getLoadStoreAlignment(I) < Layout.getABITypeAlign(getLoadStoreType(I)))
          return false;
  return true;
}

void forgetAlignmentOfMoved(polly::Scop &S) {
  for (polly::ScopStmt &Stmt : S)
    for (polly::MemoryAccess *Access : Stmt) {
      Instruction *I = Access->hasNewAccessRelation() ? instructionOf(*Access) : nullptr;
      if (auto *Load = dyn_cast_or_null<LoadInst>(I))
        Load->setAlignment(Align(1));
      else if (auto *Store = dyn_cast_or_null<StoreInst>(I))
        Store->setAlignment(Align(1));
    }
}

} // namespace specrt
