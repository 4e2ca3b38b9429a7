//===- specializer/polyhedral/schedule/outer_vectors.h - vectorises outer loops -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM vectorises innermost loops whose iterations are independent and access adjacent elements.
// Three kinds of nests without such loops are transformed, otherwise in the order of the source:
//
// - A recurrence along j of independent rows i (filters, tridiagonal systems): rows are taken
//   several at a time, and the loop over them becomes the innermost one.
//
//     for i, for j: x[i,j] = f(x[i,j-1])      for I, for j, for i in I: ...
//
// - A loop in which one iteration writes what all others read (all-pairs shortest paths): it is
// split before and after that iteration.
//
// - Independent columns of a matrix that is stored by rows: the loop over them becomes the
// innermost one.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_OUTER_VECTORS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_OUTER_VECTORS_H

#include "specializer/polyhedral/schedule/tiling_target.h"
#include "isl/isl-noexceptions.h"

namespace polly {
class Scop;
} // namespace polly

namespace specrt {

/// Returns the schedule of \p S with these changes; it respects the order of all pairs of \p
/// Validity. Null if nothing changes or isl gave up.
isl::schedule vectorizeOuterLoops(polly::Scop &S, const isl::union_map &Validity,
                                  const TilingTarget &Target);

} // namespace specrt

#endif
