//===- specializer/sparse/loops/row_loop.cpp - loops over the rows of sparse data ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/loops/row_loop.h"

using namespace llvm;

namespace specrt {

const Loop *RowLoop::opaqueAround(const LoopInfo &LI, const BasicBlock *BB) const {
  for (const Loop *Around = LI.getLoopFor(BB); Around && Around != L;
       Around = Around->getParentLoop())
    if (Opaque.contains(Around))
      return Around;
  return nullptr;
}

bool RowLoop::leavesCounted(const Loop &Inner, const BasicBlock &BB) const {
  return &Inner != L && !Stepped.contains(&Inner) && Inner.getExitingBlock() == &BB;
}

uint32_t RowLoop::inputOf(const RowBase &Base) const {
  const auto Found = llvm::find(Inputs, Base.Pointer);
  return Found == Inputs.end() ? SPECRT_ROWS_NO_INPUT : uint32_t(Found - Inputs.begin());
}

bool RowLoop::hasAddresses() const {
  const auto IsPointer = [](const Instruction *I) { return I->getType()->isPointerTy(); };
  return any_of(Carried, IsPointer) || any_of(Deciding, IsPointer);
}

specrt_rows_places RowLoop::places() const {
  const auto Decides = [](const auto &Input) {
    return std::get<0>(Input)->getType()->isPointerTy() &&
           std::get<1>(Input) == SPECRT_ROWS_DECIDING;
  };
  if (hasAddresses() || any_of(Bases, [](const RowBase &B) { return !B.Pointer; }) ||
      any_of(zip(Inputs, IsDeciding), Decides))
    return SPECRT_ROWS_HERE;
  // They have to be on pages of other accesses.
  return Circular.empty() ? SPECRT_ROWS_ANYWHERE : SPECRT_ROWS_ON_ANY_PAGE;
}

bool RowLoop::hasNarrowCarried() const {
  return all_of(Carried, [](const PHINode *Phi) {
    return Phi->getType()->isIntegerTy() && Phi->getType()->getIntegerBitWidth() <= 32;
  });
}

bool isReadWithin(const Loop &L, const Value &V) {
  SmallSetVector<const Value *, 16> Work;
  Work.insert(&V);
  for (unsigned I = 0; I < Work.size(); ++I) {
    const auto *Step = dyn_cast<Instruction>(Work[I]);
    if (!Step || !L.contains(Step))
      continue;
    if (isa<LoadInst>(Step))
      return true;
    for (const Value *Operand : Step->operands())
      Work.insert(Operand);
  }
  return false;
}

} // namespace specrt
