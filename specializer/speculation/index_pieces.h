//===- specializer/speculation/index_pieces.h - indices that change their step ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an index array counts up in one way and from some element on in another, the loop over it
// becomes several, and in each the index is an affine function.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_INDEX_PIECES_H
#define SPECRT_SPECIALIZER_SPECULATION_INDEX_PIECES_H

#include "specializer/speculation/speculation.h"

namespace specrt {

/// Splits one loop by all that is said of the indices it reads. False when there is none; then
/// \p Refused says why.
bool splitByIndices(Speculative &On, Notes &Refused);

} // namespace specrt

#endif
