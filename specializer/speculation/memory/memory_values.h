//===- specializer/speculation/memory/memory_values.h - assumes sizes in memory -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In `for (i = 0; i < s->n; i++)` the bound lies in memory, and a store in the loop might change
// it. A recurring value is assumed to be constant: a LOAD_EQUAL guard checks it at the call, and it
// stays valid if nothing that is written touches it (see disjointness.h).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_MEMORY_MEMORY_VALUES_H
#define SPECRT_SPECIALIZER_SPECULATION_MEMORY_MEMORY_VALUES_H

#include "guards/address.h"
#include "specializer/speculation/speculation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace specrt {

/// Replaces loads of \p Known places that every call executes and that determine loop bounds,
/// branches or subscripts by their values, everywhere in \p F. Returns the assumptions; the caller
/// simplifies \p F and must ensure that these places are not written.
llvm::SmallVector<specrt_cell_fact, 4> assumeMemoryValues(llvm::Function &F,
                                                          const specrt_region &Region,
                                                          llvm::ArrayRef<specrt_cell_fact> Known);

/// Assumes the cells of the request that matter.
const Speculation &memoryValues();

} // namespace specrt

#endif
