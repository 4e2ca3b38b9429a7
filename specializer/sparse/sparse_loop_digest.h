//===- specializer/sparse/sparse_loop_digest.h - digests that identify equal row loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_SPARSE_LOOP_DIGEST_H
#define SPECRT_SPECIALIZER_SPARSE_SPARSE_LOOP_DIGEST_H

#include "specrt/rows.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"
#include <array>

namespace specrt {

/// Returns specrt_sparse_loop::digest, over an inspector, its description and its classes; names do
/// not count. Returns 0, 0 if the inspector refers to something that other modules place elsewhere.
std::array<uint64_t, 2> digestOf(const llvm::Function &Inspector,
                                 llvm::ArrayRef<uint32_t> Description,
                                 llvm::ArrayRef<specrt_row_class> Classes);

} // namespace specrt

#endif
