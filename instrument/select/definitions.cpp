//===- instrument/select/definitions.cpp - definitions that other ones may replace ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/select/definitions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace specrt {

static bool isFloatingPoint(const Value *V) { return V->getType()->isFPOrFPVectorTy(); }

/// Returns whether the bits of a result of \p I may depend on flags, which decide what operations
/// were fused and what may be reordered. Moving values does not depend on them.
static bool dependsOnFlags(const Instruction &I) {
  // A constant may be the result of an operation that had constant operands.
  if (any_of(I.operands(), [](const Use &U) {
        return isa<Constant>(U) && (isFloatingPoint(U) || U->getType()->isAggregateType());
      }))
    return true;
  if (isa<PHINode, SelectInst, LoadInst, StoreInst, BitCastInst>(I))
    return false;
  // Callees are examined separately.
  if (isa<CallBase>(I) && !isa<IntrinsicInst>(I))
    return false;
  return isFloatingPoint(&I) || any_of(I.operand_values(), isFloatingPoint);
}

bool hasMeaningOfCalls(const Function &F) { return !F.isDeclaration() && !F.isInterposable(); }

bool mayStandForCalls(const Function &F) {
  return hasMeaningOfCalls(F) &&
         ((F.isDefinitionExact() && F.isDSOLocal()) || none_of(instructions(F), dependsOnFlags));
}

bool mayStandForReads(const GlobalVariable &V) {
  // All definitions of an inline variable have the same value.
  return V.isConstant() && V.hasDefinitiveInitializer() &&
         (V.isDSOLocal() || !V.hasExternalLinkage());
}

} // namespace specrt
