//===- analysis/rounding/reordering.cpp - reductions in an order that the compiler chooses -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/rounding/reordering.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Vectorize/LoopVectorizationLegality.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns whether the vectoriser may reorder, by its own reading of pragmas and options.
bool mayReorder(const Loop &L) {
  OptimizationRemarkEmitter Remarks(L.getHeader()->getParent());
  return LoopVectorizeHints(&L, /*InterleaveOnlyWhenForced=*/false, Remarks).allowReordering();
}

/// Returns whether the result of such operations depends on their order.
bool isOrdered(const Instruction &I) {
  if (!isa<FPMathOperator>(I) || I.hasAllowReassoc())
    return false;
  return isa<BinaryOperator, CallBase>(I);
}

/// Returns the instructions of \p L that \p From is computed from.
SetVector<const Instruction *> computedFrom(const Value *From, const Loop &L) {
  SetVector<const Instruction *> Slice;
  auto Add = [&](const Value *V) {
    if (const auto *I = dyn_cast<Instruction>(V); I && L.contains(I))
      Slice.insert(I);
  };
  Add(From);
  for (size_t I = 0; I < Slice.size(); ++I)
    for (const Value *Operand : Slice[I]->operands())
      Add(Operand);
  return Slice;
}

/// Returns an ordered operation on the way from \p Before to \p After, its next value; null if
/// there is none.
const Instruction *findOrdered(const Instruction &Before, const Value *After, const Loop &L) {
  for (const Instruction *I : computedFrom(After, L))
    if (isOrdered(*I) && computedFrom(I, L).contains(&Before))
      return I;
  return nullptr;
}

/// Returns an ordered operation if \p I stores to an invariant place a value computed from that
/// place.
const Instruction *findOrderedUpdate(const Instruction &I, const Loop &L) {
  const auto *Store = dyn_cast<StoreInst>(&I);
  if (!Store || !L.isLoopInvariant(Store->getPointerOperand()))
    return nullptr;
  for (const Instruction *From : computedFrom(Store->getValueOperand(), L))
    if (isa<LoadInst>(From) && L.isLoopInvariant(From->getOperand(0)))
      if (const Instruction *Found = findOrdered(*From, Store->getValueOperand(), L))
        return Found;
  return nullptr;
}

} // namespace

const Instruction *findReorderedReduction(const Loop &L, bool SimplifiedAgain) {
  const BasicBlock *Latch = L.getLoopLatch();
  if (!Latch || !mayReorder(L))
    return nullptr;
  for (const PHINode &Phi : L.getHeader()->phis()) {
    const Value *Next = Phi.getIncomingValueForBlock(Latch);
    if (Phi.getType()->isFPOrFPVectorTy())
      if (const Instruction *Found = findOrdered(Phi, Next, L))
        return Found;
  }
  if (!SimplifiedAgain)
    return nullptr;
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (const Instruction *Found = findOrderedUpdate(I, L))
        return Found;
  return nullptr;
}

} // namespace specrt
