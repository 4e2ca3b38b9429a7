//===- analysis/kinds.cpp - LLVM types and the kinds of descriptors -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/kinds.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace specrt {

std::optional<uint8_t> kindOf(const Type *T) {
  if (T->isVoidTy())
    return SPECRT_KIND_VOID;
  if (T->isFloatTy())
    return SPECRT_KIND_F32;
  if (T->isDoubleTy())
    return SPECRT_KIND_F64;
  if (T->isPointerTy() && T->getPointerAddressSpace() == 0)
    return SPECRT_KIND_POINTER;
  if (!T->isIntegerTy())
    return std::nullopt;
  switch (T->getIntegerBitWidth()) {
  case 1:
    return SPECRT_KIND_I1;
  case 8:
    return SPECRT_KIND_I8;
  case 16:
    return SPECRT_KIND_I16;
  case 32:
    return SPECRT_KIND_I32;
  case 64:
    return SPECRT_KIND_I64;
  default:
    return std::nullopt;
  }
}

Type *typeOf(unsigned Kind, LLVMContext &Context) {
  switch (Kind) {
  case SPECRT_KIND_VOID:
    return Type::getVoidTy(Context);
  case SPECRT_KIND_I1:
    return Type::getInt1Ty(Context);
  case SPECRT_KIND_I8:
    return Type::getInt8Ty(Context);
  case SPECRT_KIND_I16:
    return Type::getInt16Ty(Context);
  case SPECRT_KIND_I32:
    return Type::getInt32Ty(Context);
  case SPECRT_KIND_I64:
    return Type::getInt64Ty(Context);
  case SPECRT_KIND_F32:
    return Type::getFloatTy(Context);
  case SPECRT_KIND_F64:
    return Type::getDoubleTy(Context);
  case SPECRT_KIND_POINTER:
    return PointerType::get(Context, 0);
  default:
    return nullptr;
  }
}

} // namespace specrt
