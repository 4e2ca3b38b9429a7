//===- specializer/loops/loop_copy.cpp - copies a loop to another function ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/loop_copy.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include <algorithm>

using namespace llvm;

namespace specrt {

bool isOnlySaid(const Instruction &I) {
  return isa<DbgInfoIntrinsic, AssumeInst, NoAliasScopeDeclInst>(I);
}

bool maySplit(const Loop &L, size_t Times) {
  constexpr size_t MaxInstructions = 2000;
  size_t Size = 0;
  for (const BasicBlock *Block : L.blocks())
    Size += Block->size();
  return Times <= MaxInstructions / std::max<size_t>(Size, 1);
}

void eraseWithOperands(Instruction &I) {
  SmallVector<WeakTrackingVH, 4> Operands(I.op_begin(), I.op_end());
  I.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Operands);
}

Function *createLike(const Function &Like, Type *Result, ArrayRef<Type *> Arguments,
                     const Twine &Name) {
  auto *T = FunctionType::get(Result, Arguments, /*isVarArg=*/false);
  Function *New = Function::Create(T, GlobalValue::InternalLinkage, Name,
                                   const_cast<Module *>(Like.getParent()));
  for (const Attribute &A : Like.getAttributes().getFnAttrs())
    if (A.isStringAttribute() && A.getKindAsString() != "specrt-region")
      New->addFnAttr(A);
  for (Attribute::AttrKind Kind :
       {Attribute::NoUnwind, Attribute::MustProgress, Attribute::StrictFP})
    if (Like.hasFnAttribute(Kind))
      New->addFnAttr(Kind);
  New->setUWTableKind(Like.getUWTableKind());
  return New;
}

SmallVector<BasicBlock *> copyLoop(const Loop &L, Function &Into, ValueToValueMapTy &Map,
                                   bool KeepsLines) {
  SmallVector<BasicBlock *> Copies;
  for (BasicBlock *BB : L.blocks()) {
    BasicBlock *Copy = CloneBasicBlock(BB, Map, ".copy", &Into);
    Map[BB] = Copy;
    Copies.push_back(Copy);
  }
  remapInstructionsInBlocks(Copies, Map);
  for (BasicBlock *BB : Copies)
    for (Instruction &I : make_early_inc_range(*BB)) {
      if (!KeepsLines)
        I.setDebugLoc({});
      if (isOnlySaid(I))
        I.eraseFromParent();
    }
  return Copies;
}

} // namespace specrt
