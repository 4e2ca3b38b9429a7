//===- specializer/polyhedral/schedule/delinearisation.h - rows of flat arrays ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With constant sizes T[i * n + j] has one subscript, and equality of elements is an equation
// between sums with factors n that isl solves by divisions, in many pieces. If every subscript of
// an array is n * r + c with 0 <= c < n, the elements are [r, c], and equations are between rows
// and between columns.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_DELINEARISATION_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_DELINEARISATION_H

#include "llvm/ADT/DenseMap.h"
#include "isl/isl-noexceptions.h"

namespace polly {
class MemoryAccess;
class Scop;
} // namespace polly

namespace specrt {

/// Returns { Stmt[x] -> Array[e] } for every access of \p S on its domain. Two accesses have a
/// common element here if and only if they do in the model. Relations are null if isl gives up.
llvm::DenseMap<const polly::MemoryAccess *, isl::map> delinearisedAccesses(polly::Scop &S);

} // namespace specrt

#endif
