//===- specializer/speculation/sequences.h - what index arrays hold -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `a[index[i]]` is no affine access, because the index is read from memory. Where indices were seen
// to follow a pattern (they count up), the pattern takes the place of the load, SEQUENCE guards
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
