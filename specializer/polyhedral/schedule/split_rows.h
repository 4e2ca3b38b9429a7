//===- specializer/polyhedral/schedule/split_rows.h - rows and columns of flat arrays ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With constant sizes T[i * n + j] is one subscript, and "the same element" an equation between
// sums of products of n that isl solves by divisions, in many pieces. Where every subscript of an
// array is n * r + c with 0 <= c < n, the elements are those of [r, c], and equations are between
// rows and between columns.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_SPLIT_ROWS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_SPLIT_ROWS_H

#include "llvm/ADT/DenseMap.h"
#include "isl/isl-noexceptions.h"

namespace polly {
class MemoryAccess;
class Scop;
} // namespace polly

namespace specrt {

/// { Stmt[x] -> Array[e] } for every access of \p S in its domain. Two accesses have an element in
/// common here if and only if they have one in the model. Null relations when isl gives up.
llvm::DenseMap<const polly::MemoryAccess *, isl::map> accessesByRows(polly::Scop &S);

} // namespace specrt

#endif
