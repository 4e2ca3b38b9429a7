//===- specializer/rounding/nan_folding.cpp - keeps the signs of NaNs -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/rounding/nan_folding.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {
namespace {

bool containsNaN(const Constant &C) {
  if (const auto *Number = dyn_cast<ConstantFP>(&C))
    return Number->isNaN();
  if (const auto *Data = dyn_cast<ConstantDataSequential>(&C)) {
    if (!Data->getElementType()->isFloatingPointTy())
      return false;
    for (unsigned I = 0; I < Data->getNumElements(); ++I)
      if (Data->getElementAsAPFloat(I).isNaN())
        return true;
    return false;
  }
  return isa<ConstantAggregate>(C) &&
         any_of(C.operands(), [](const Use &U) { return containsNaN(*cast<Constant>(U.get())); });
}

/// Replaces NaNs in \p F by loads, at its start, of variables with unknown contents.
void hideNaNs(Function &F) {
  SmallMapVector<Constant *, Value *, 2> Hidden;
  for (Instruction &I : instructions(F))
    for (Use &U : I.operands()) {
      auto *C = dyn_cast<Constant>(U.get());
      if (!C || isa<GlobalValue>(C) || !containsNaN(*C))
        continue;
      Value *&Known = Hidden[C];
      if (!Known) {
        auto *Place = new GlobalVariable(*F.getParent(), C->getType(), /*isConstant=*/false,
                                         GlobalValue::InternalLinkage, C, "specrt.nan");
        Place->setExternallyInitialized(true);
        BasicBlock &Entry = F.getEntryBlock();
        LoadInst *Load = IRBuilder<>(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca())
                             .CreateLoad(C->getType(), Place);
        Load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(F.getContext(), {}));
        Known = Load;
      }
      U.set(Known);
    }
}

/// Returns whether specialisation, unrolling and forwarding from local variables may make \p V a
/// constant.
bool mayBecomeConstant(const Value *V, SmallPtrSetImpl<const Value *> &Seen) {
  if (!Seen.insert(V).second || isa<Constant, Argument>(V))
    return true;
  if (const auto *Load = dyn_cast<LoadInst>(V)) {
    const Value *Object = getUnderlyingObject(Load->getPointerOperand());
    const auto *Global = dyn_cast<GlobalVariable>(Object);
    return isa<AllocaInst>(Object) || (Global && Global->isConstant());
  }
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || (isa<CallBase>(I) && !isa<IntrinsicInst>(I)))
    return false;
  return all_of(I->operands(),
                [&](const Use &U) { return isa<BasicBlock>(U) || mayBecomeConstant(U, Seen); });
}

/// Emits code that does nothing and hides its result from LLVM: the sign behind
/// llvm.arithmetic.fence would be known.
Value *fence(Value *V, Instruction &Before) {
  Type *T = V->getType();
  auto *Nothing = InlineAsm::get(FunctionType::get(T, {T}, /*isVarArg=*/false), "", "=x,0",
                                 /*hasSideEffects=*/false);
  CallInst *Call = IRBuilder<>(&Before).CreateCall(Nothing, {V});
  Call->setDoesNotAccessMemory();
  Call->setDoesNotThrow();
  Call->addFnAttr(Attribute::WillReturn);
  return Call;
}

bool isFence(const Value *V) {
  const auto *Call = dyn_cast<CallBase>(V);
  return Call && Call->isInlineAsm();
}

/// Returns whether LLVM may fold \p V, or an operation that it consists of, to a NaN.
bool mayBecomeNaN(const Value *V, SmallPtrSetImpl<const Value *> &Seen) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !I->getType()->isFPOrFPVectorTy() || isa<LoadInst>(I) || isFence(V) ||
      !Seen.insert(V).second)
    return false;
  SmallPtrSet<const Value *, 16> Inputs;
  if (isa<BinaryOperator, IntrinsicInst>(I) && mayBecomeConstant(I, Inputs))
    return true;
  return any_of(I->operands(), [&](const Use &U) { return mayBecomeNaN(U, Seen); });
}

bool isInVectorRegister(Type *T) { return T->isFloatTy() || T->isDoubleTy(); }

/// Returns the operand of \p I whose sign bit matters even if it is a NaN; null if there is none.
Use *operandWithSign(Instruction &I) {
  if (auto *Cast = dyn_cast<BitCastInst>(&I))
    return Cast->getSrcTy()->isFPOrFPVectorTy() && !Cast->getDestTy()->isFPOrFPVectorTy()
               ? &Cast->getOperandUse(0)
               : nullptr;
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getIntrinsicID() == Intrinsic::copysign ? &Call->getArgOperandUse(1)
                                                               : nullptr;
}

void fenceSigns(Function &F) {
  SmallVector<Use *, 4> Operands;
  for (Instruction &I : instructions(F)) {
    SmallPtrSet<const Value *, 16> Seen;
    if (Use *U = operandWithSign(I);
        U && isInVectorRegister(U->get()->getType()) && mayBecomeNaN(U->get(), Seen))
      Operands.push_back(U);
  }
  for (Use *U : Operands)
    U->set(fence(U->get(), *cast<Instruction>(U->getUser())));
}

} // namespace

void hideNaNs(Module &M) {
  for (Function &F : M)
    if (!F.isDeclaration())
      hideNaNs(F);
}

void fenceSignsOfNaNs(Module &M) {
  for (Function &F : M)
    fenceSigns(F);
}

bool containsNaN(const Module &M) {
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      for (const Use &U : I.operands())
        if (const auto *C = dyn_cast<Constant>(U.get()); C && containsNaN(*C))
          return true;
  return false;
}

} // namespace specrt
