//===- specializer/sparse/zeros/sparse_arrays.h - arrays observed to be mostly zero -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_ZEROS_SPARSE_ARRAYS_H
#define SPECRT_SPECIALIZER_SPARSE_ZEROS_SPARSE_ARRAYS_H

#include "specrt/jit_api.h"
#include <optional>

namespace llvm {
class Value;
}

namespace specrt {

/// Returns the number of an access of \p Region to the memory that begins at \p Array, a value of
/// its function. Arrays whose pointers are loaded are not distinguished.
std::optional<uint32_t> accessOf(const specrt_region &Region, const llvm::Value &Array);

/// Returns specrt_zeros_array of the memory that begins at \p Array if it was observed to be mostly
/// zero; otherwise 0.
uint32_t sparseArray(const specrt_jit_request &Request, const llvm::Value &Array);

} // namespace specrt

#endif
