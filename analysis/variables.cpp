//===- analysis/variables.cpp - what may become a constant later ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/variables.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace specrt {

static bool isConstantMemory(const LoadInst &Load) {
  const auto *Object = dyn_cast<GlobalVariable>(getUnderlyingObject(Load.getPointerOperand(), 0));
  return Object && Object->isConstant();
}

static bool isVariableItself(const Value *V) {
  if (const auto *Load = dyn_cast<LoadInst>(V))
    return !isConstantMemory(*Load);
  return isa<Argument>(V) || (isa<CallBase>(V) && !isa<IntrinsicInst>(V));
}

bool isVariable(const Value *V, function_ref<bool(const PHINode &)> IsVariable) {
  SmallSetVector<const Value *, 16> From;
  From.insert(V);
  for (size_t Next = 0; Next < From.size(); ++Next) {
    const Value *Of = From[Next];
    const auto *Phi = dyn_cast<PHINode>(Of);
    if (isVariableItself(Of) || (Phi && IsVariable(*Phi)))
      return true;
    if (const auto *I = dyn_cast<Instruction>(Of))
      From.insert(I->op_begin(), I->op_end());
  }
  return false;
}

} // namespace specrt
