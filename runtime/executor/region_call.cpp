//===- runtime/executor/region_call.cpp - calls compiled code with packed arguments ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/region_call.h"

namespace specrt {
namespace {

/// Null: no kind of argument.
ffi_type *typeOf(uint32_t Kind) {
  switch (Kind) {
  case SPECRT_KIND_VOID:
    return &ffi_type_void;
  case SPECRT_KIND_I1:
  case SPECRT_KIND_I8:
    return &ffi_type_uint8;
  case SPECRT_KIND_I16:
    return &ffi_type_uint16;
  case SPECRT_KIND_I32:
    return &ffi_type_uint32;
  case SPECRT_KIND_I64:
    return &ffi_type_uint64;
  case SPECRT_KIND_F32:
    return &ffi_type_float;
  case SPECRT_KIND_F64:
    return &ffi_type_double;
  case SPECRT_KIND_POINTER:
    return &ffi_type_pointer;
  default:
    return nullptr;
  }
}

} // namespace

RegionCall::RegionCall(const specrt_region &Region, const uint64_t *Packed) {
  for (uint32_t I = 0; I < Region.num_args; ++I) {
    Types.push_back(typeOf(Region.arg_kinds[I]));
    // Integers and floats are in the low bytes, which come first.
    Arguments.push_back(const_cast<uint64_t *>(&Packed[I]));
    if (!Types.back())
      return;
  }
  ffi_type *const Result = typeOf(Region.return_kind);
  Good = Result &&
         ffi_prep_cif(&Cif, FFI_DEFAULT_ABI, Region.num_args, Result, Types.data()) == FFI_OK;
}

uint64_t RegionCall::operator()(void *Body) {
  alignas(16) uint64_t Result[2] = {};
  ffi_call(&Cif, reinterpret_cast<void (*)()>(Body), Result, Arguments.data());
  return Result[0];
}

} // namespace specrt
