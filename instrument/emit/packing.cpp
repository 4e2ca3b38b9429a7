//===- instrument/emit/packing.cpp - code that packs a region's arguments -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/emit/packing.h"

using namespace llvm;

namespace specrt {

static Value *packed(IRBuilder<> &Builder, Value *V) {
  Type *T = V->getType(), *I64 = Builder.getInt64Ty();
  if (T->isPointerTy())
    return Builder.CreatePtrToInt(V, I64);
  if (T->isFloatTy())
    V = Builder.CreateBitCast(V, Builder.getInt32Ty());
  else if (T->isDoubleTy())
    return Builder.CreateBitCast(V, I64);
  return Builder.CreateZExt(V, I64);
}

ArrayType *packedType(const Function &F) {
  return ArrayType::get(Type::getInt64Ty(F.getContext()), std::max<size_t>(F.arg_size(), 1));
}

SmallVector<Value *> packArguments(IRBuilder<> &Builder, ArrayRef<Value *> Values, Value *Packed) {
  SmallVector<Value *> Places;
  for (Value *V : Values) {
    Places.push_back(
        Builder.CreateConstInBoundsGEP1_64(Builder.getInt64Ty(), Packed, Places.size()));
    Builder.CreateStore(packed(Builder, V), Places.back());
  }
  return Places;
}

} // namespace specrt
