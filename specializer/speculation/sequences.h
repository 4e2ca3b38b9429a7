//===- specializer/speculation/sequences.h - replaces loads of regular index arrays -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `a[index[i]]` is not an affine access, because the index is read from memory. If the indices were
// observed to follow a pattern (an arithmetic progression), the pattern replaces the load. SEQUENCE
// guards compare all elements at the call, and these stay valid if nothing that is written touches
// them (see disjointness.h). Only elements that every call reads are compared, as others need not
// exist.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_SEQUENCES_H
#define SPECRT_SPECIALIZER_SPECULATION_SEQUENCES_H

#include "specializer/speculation/speculation.h"

namespace specrt {

/// Applies the sequences of the request that can be checked before the nest runs.
const Speculation &sequences();

} // namespace specrt

#endif
