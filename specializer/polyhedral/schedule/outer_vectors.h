//===- specializer/polyhedral/schedule/outer_vectors.h - where innermost loops have none -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM vectorises innermost loops whose iterations are independent and touch elements that lie side
// by side. Three kinds of nests have none and are made to have some, in the order of the source
// otherwise:
//
// - A recurrence along j of independent rows i (filters, tridiagonal systems): rows are taken
//   several at a time, and the loop over them becomes the innermost one.
//
//     for i, for j: x[i,j] = f(x[i,j-1])      for I, for j, for i in I: ...
//
// - A loop in which one iteration touches what all others read (all-pairs shortest paths): it is
//   split before and after that iteration.
//
// - Independent columns of a matrix that lies in rows: the loop over them becomes the innermost
// one.
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

/// The schedule of \p S with these changes; it respects the order of all pairs of \p Validity. Null
/// when nothing changes or isl gave up.
isl::schedule vectorizeOuterLoops(polly::Scop &S, const isl::union_map &Validity,
                                  const TilingTarget &Target);

} // namespace specrt

#endif
