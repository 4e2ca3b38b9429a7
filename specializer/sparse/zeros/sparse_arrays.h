//===- specializer/sparse/zeros/sparse_arrays.h - arrays that were seen to be mostly zero ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_ZEROS_SPARSE_ARRAYS_H
#define SPECRT_SPECIALIZER_SPARSE_ZEROS_SPARSE_ARRAYS_H

#include "specrt/jit_api.h"
#include <optional>

namespace llvm {
class Value;
}

namespace specrt {

/// What \p Region accesses from \p Array on, a value of its function: the number of such an access.
/// Arrays whose pointers are read are not told from each other.
std::optional<uint32_t> accessOf(const specrt_region &Region, const llvm::Value &Array);

/// specrt_zeros_array of what begins at \p Array, where that was seen to be mostly zero; otherwise
/// 0.
uint32_t sparseArray(const specrt_jit_request &Request, const llvm::Value &Array);

} // namespace specrt

#endif
