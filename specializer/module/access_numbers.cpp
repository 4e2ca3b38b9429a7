//===- specializer/module/access_numbers.cpp - numbers of loads and stores -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/access_numbers.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace specrt {

static constexpr StringLiteral MetadataName = "specrt.access";

void numberAccesses(Function &F) {
  LLVMContext &Context = F.getContext();
  const unsigned Kind = Context.getMDKindID(MetadataName);
  Type *T = Type::getInt32Ty(Context);
  unsigned Number = 0;
  for (Instruction &I : instructions(F))
    if (isa<LoadInst, StoreInst>(I)) {
      Metadata *Named = ConstantAsMetadata::get(ConstantInt::get(T, Number++));
      I.setMetadata(Kind, MDNode::get(Context, Named));
    }
}

std::optional<unsigned> accessNumber(const Instruction &Access) {
  const MDNode *Node = Access.getMetadata(MetadataName);
  const auto *Number = Node && Node->getNumOperands() == 1
                           ? mdconst::dyn_extract<ConstantInt>(Node->getOperand(0))
                           : nullptr;
  if (!Number || Number->getBitWidth() != 32)
    return std::nullopt;
  return static_cast<unsigned>(Number->getZExtValue());
}

} // namespace specrt
