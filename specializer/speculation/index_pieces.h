//===- specializer/speculation/index_pieces.h - splits loops at steps of index arrays -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If the elements of an index array follow one arithmetic progression up to some element and
// another one from there on, the loop over it is split into several loops, in each of which the
// index is an affine function.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_INDEX_PIECES_H
#define SPECRT_SPECIALIZER_SPECULATION_INDEX_PIECES_H

#include "specializer/speculation/speculation.h"

namespace specrt {

/// Splits one loop by the known sequences of the indices it reads. Returns false if there is none
/// left; \p Refused then has the reasons.
bool splitByIndices(Speculative &On, Notes &Refused);

} // namespace specrt

#endif
