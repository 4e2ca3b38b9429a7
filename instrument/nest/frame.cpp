//===- instrument/nest/frame.cpp - stack memory for the calls of regions --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/nest/frame.h"
#include "specrt/abi.h"
#include <algorithm>

using namespace llvm;

namespace specrt {

Value *Frame::address(size_t NumArgs) {
  Type *Word = Type::getInt64Ty(F.getContext());
  if (!Memory) {
    BasicBlock &Entry = F.getEntryBlock();
    IRBuilder<> B(&Entry, Entry.begin());
    Memory = B.CreateAlloca(ArrayType::get(Word, 0), nullptr, "specrt.frame");
    Memory->setAlignment(Align(8));
  }
  const uint64_t Words = sizeof(specrt_frame) / 8 + NumArgs;
  const uint64_t Had = Memory->getAllocatedType()->getArrayNumElements();
  Memory->setAllocatedType(ArrayType::get(Word, std::max(Had, Words)));
  return Memory;
}

Value *memberOf(IRBuilder<> &B, Value *Address, size_t Offset) {
  return Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Address, Offset) : Address;
}

static Value *packed(IRBuilder<> &B, Value *V) {
  Type *T = V->getType(), *I64 = B.getInt64Ty();
  if (T->isPointerTy())
    return B.CreatePtrToInt(V, I64);
  if (T->isFloatTy())
    V = B.CreateBitCast(V, B.getInt32Ty());
  else if (T->isDoubleTy())
    return B.CreateBitCast(V, I64);
  return B.CreateZExt(V, I64);
}

SmallVector<Value *> packInto(IRBuilder<> &B, Value *Address, ArrayRef<Value *> Values) {
  SmallVector<Value *> Places;
  for (Value *V : Values) {
    Places.push_back(
        memberOf(B, Address, offsetof(specrt_frame, packed) + Places.size() * sizeof(uint64_t)));
    B.CreateStore(packed(B, V), Places.back());
  }
  return Places;
}

} // namespace specrt
