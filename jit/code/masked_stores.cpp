//===- jit/code/masked_stores.cpp - splits stores that LLVM 22 would make too wide ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/code/masked_stores.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

/// Returns the only active lane of \p Mask, or nothing unless the mask's constants and known bits
/// prove that exactly one lane is active. The code generator knows no more about a mask.
std::optional<unsigned> onlyActiveLane(const Value &Mask, const DataLayout &Layout) {
  auto *Type = dyn_cast<FixedVectorType>(Mask.getType());
  if (!Type)
    return std::nullopt;
  std::optional<unsigned> Active;
  for (unsigned Lane = 0, E = Type->getNumElements(); Lane < E; ++Lane) {
    KnownBits Known = computeKnownBits(&Mask, APInt::getOneBitSet(E, Lane), SimplifyQuery(Layout));
    if (Known.isZero())
      continue;
    // A poison lane may have any value, so it is neither known to be active nor inactive.
    if (!Known.isAllOnes() || Active)
      return std::nullopt;
    Active = Lane;
  }
  return Active;
}

/// Returns whether \p T is a vector of integers. Only integers are truncated.
bool holdsIntegers(const Type &T) { return T.isVectorTy() && T.isIntOrIntVectorTy(); }

bool split(IntrinsicInst &Store, const DataLayout &Layout) {
  Value *Vector = Store.getArgOperand(0), *Pointer = Store.getArgOperand(1);
  Type *Element = Vector->getType()->getScalarType();
  if (!holdsIntegers(*Vector->getType()) || !Layout.typeSizeEqualsStoreSize(Element))
    return false;
  std::optional<unsigned> Lane = onlyActiveLane(*Store.getArgOperand(2), Layout);
  if (!Lane)
    return false;
  IRBuilder<> Builder(&Store);
  uint64_t Offset = *Lane * Layout.getTypeStoreSize(Element).getFixedValue();
  StoreInst *One =
      Builder.CreateAlignedStore(Builder.CreateExtractElement(Vector, *Lane),
                                 Builder.CreatePtrAdd(Pointer, Builder.getInt64(Offset)),
                                 commonAlignment(Store.getParamAlign(1).valueOrOne(), Offset));
  One->copyMetadata(Store);
  return true;
}

/// Splits a select, because a store of it would become a masked store.
bool split(SelectInst &Blend, const DataLayout &Layout) {
  if (!holdsIntegers(*Blend.getType()) || !Blend.getCondition()->getType()->isVectorTy())
    return false;
  std::optional<unsigned> Lane = onlyActiveLane(*Blend.getCondition(), Layout);
  if (!Lane)
    return false;
  IRBuilder<> Builder(&Blend);
  Blend.replaceAllUsesWith(Builder.CreateInsertElement(
      Blend.getFalseValue(), Builder.CreateExtractElement(Blend.getTrueValue(), *Lane), *Lane));
  return true;
}

bool split(Instruction &I, const DataLayout &Layout) {
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return Call->getIntrinsicID() == Intrinsic::masked_store && split(*Call, Layout);
  auto *Blend = dyn_cast<SelectInst>(&I);
  return Blend && split(*Blend, Layout);
}

} // namespace

void splitMaskedStores(Module &M) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (split(I, M.getDataLayout()))
        I.eraseFromParent();
}

} // namespace specrt
