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

SmallVector<Value *> packArguments(IRBuilder<> &Builder, Function &F, Value *Packed) {
  SmallVector<Value *> Places;
  for (Argument &Arg : F.args()) {
    Places.push_back(Builder.CreateConstInBoundsGEP2_32(packedType(F), Packed, 0, Arg.getArgNo()));
    Builder.CreateStore(packed(Builder, &Arg), Places.back());
  }
  return Places;
}

} // namespace specrt
