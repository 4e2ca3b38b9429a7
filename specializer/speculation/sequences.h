//===- specializer/speculation/sequences.h - what index arrays hold -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `w[k][j]` of a `double **` and `a[index[i]]` are no affine accesses, because a pointer or an
// index is read from memory. Where such elements were seen to follow a pattern (rows the same
// distance apart, indices that count up), the pattern takes the place of the load, SEQUENCE guards
// compare all elements at the call, and they stay valid throughout when nothing that is written
// touches them (see disjointness.h). Only elements that every call reads are compared: others need
// not be there.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_SEQUENCES_H
#define SPECRT_SPECIALIZER_SPECULATION_SEQUENCES_H

#include "specializer/speculation/speculation.h"

namespace specrt {

/// The sequences of the request, as far as they can be checked before the nest runs.
const Speculation &sequences();

} // namespace specrt

#endif
