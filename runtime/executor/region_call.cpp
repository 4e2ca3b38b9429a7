//===- runtime/executor/region_call.cpp - calls compiled code with packed arguments ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/region_call.h"
#include "support/ffi_kind.h"

namespace specrt {

RegionCall::RegionCall(const specrt_region &Region, const uint64_t *Packed) {
  for (uint32_t I = 0; I < Region.num_args; ++I) {
    Types.push_back(ffiTypeOf(Region.arg_kinds[I]));
    // Values narrower than a word are in its low bytes, which come first in memory.
    Arguments.push_back(const_cast<uint64_t *>(&Packed[I]));
    if (!Types.back())
      return;
  }
  ffi_type *const Result = ffiTypeOf(Region.return_kind);
  Good = Result &&
         ffi_prep_cif(&Cif, FFI_DEFAULT_ABI, Region.num_args, Result, Types.data()) == FFI_OK;
}

uint64_t RegionCall::operator()(void *Body) {
  uint64_t Result = 0; // all kinds fit
  ffi_call(&Cif, reinterpret_cast<void (*)()>(Body), &Result, Arguments.data());
  return Result;
}

} // namespace specrt
