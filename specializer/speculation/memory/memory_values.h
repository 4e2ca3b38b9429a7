//===- specializer/speculation/memory/memory_values.h - sizes that live in memory ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `for (i = 0; i < s->n; i++)`: the bound lies in memory, and a store in the loop might change it.
// A value that recurs is taken for a constant; a LOAD_EQUAL guard checks it at the call, and it
// stays valid throughout when nothing that is written touches it (see disjointness.h).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_MEMORY_MEMORY_VALUES_H
#define SPECRT_SPECIALIZER_SPECULATION_MEMORY_MEMORY_VALUES_H

#include "guards/address.h"
#include "specializer/speculation/speculation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace specrt {

/// Replaces loads of \p Known places that every call executes and that decide about loop bounds,
/// branches or subscripts by the values they are known to have, everywhere in \p F. Returns what
/// was assumed; the caller simplifies \p F and sees to it that those places are not written.
llvm::SmallVector<specrt_cell_fact, 4> assumeMemoryValues(llvm::Function &F,
                                                          const specrt_region &Region,
                                                          llvm::ArrayRef<specrt_cell_fact> Known);

/// The cells of the request, as far as they matter.
const Speculation &memoryValues();

} // namespace specrt

#endif
