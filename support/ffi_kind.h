//===- support/ffi_kind.h - how libffi passes values of a region's kinds ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_FFI_KIND_H
#define SPECRT_SUPPORT_FFI_KIND_H

#include "specrt/abi.h"
#include <ffi.h>

namespace specrt {

/// Returns libffi's type for an enum specrt_kind; null for other numbers. Static.
inline ffi_type *ffiTypeOf(uint32_t Kind, bool IsSigned = false) {
  switch (Kind) {
  case SPECRT_KIND_VOID:
    return &ffi_type_void;
  case SPECRT_KIND_I1:
    return &ffi_type_uint8;
  case SPECRT_KIND_I8:
    return IsSigned ? &ffi_type_sint8 : &ffi_type_uint8;
  case SPECRT_KIND_I16:
    return IsSigned ? &ffi_type_sint16 : &ffi_type_uint16;
  case SPECRT_KIND_I32:
    return IsSigned ? &ffi_type_sint32 : &ffi_type_uint32;
  case SPECRT_KIND_I64:
    return IsSigned ? &ffi_type_sint64 : &ffi_type_uint64;
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

} // namespace specrt

#endif
