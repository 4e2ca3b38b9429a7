//===- specializer/rounding/loop_hints.cpp - drops pragmas for vectorisation -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/rounding/loop_hints.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {
namespace {

bool forbidsVectors(MDNode *Loop) {
  const MDNode *Enable = findOptionMDForLoopID(Loop, "llvm.loop.vectorize.enable");
  if (!Enable || Enable->getNumOperands() != 2)
    return false;
  const auto *Value = mdconst::dyn_extract<ConstantInt>(Enable->getOperand(1));
  return Value && Value->isZero();
}

} // namespace

void dropVectorHints(Module &M) {
  for (Function &F : M)
    for (BasicBlock &Block : F) {
      Instruction *Jump = Block.getTerminator();
      MDNode *Loop = Jump->getMetadata(LLVMContext::MD_loop);
      if (Loop && !forbidsVectors(Loop))
        Jump->setMetadata(
            LLVMContext::MD_loop,
            makePostTransformationMetadata(M.getContext(), Loop, {"llvm.loop.vectorize."}, {}));
    }
}

} // namespace specrt
