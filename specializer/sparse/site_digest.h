//===- specializer/sparse/site_digest.h - loops of which the same is found out ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_SITE_DIGEST_H
#define SPECRT_SPECIALIZER_SPARSE_SITE_DIGEST_H

#include "specrt/rows.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"
#include <array>

namespace specrt {

/// Of an inspector, of what it is said to describe, and of classes: specrt_rows_site::digest.
/// Names do not count. 0, 0: the inspector refers to what has another place in each module.
std::array<uint64_t, 2> digestOf(const llvm::Function &Inspector,
                                 llvm::ArrayRef<uint32_t> Description,
                                 llvm::ArrayRef<specrt_row_class> Classes);

} // namespace specrt

#endif
