//===- specializer/speculation/memory_values.h - sizes that live in memory ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `for (i = 0; i < s->n; i++)`: the bound lies in memory, and a store in the loop might change it.
// Its present value is looked up in the arguments of a recent call and taken for a constant; a
// LOAD_EQUAL guard checks it at the call, and it stays valid throughout when all written ranges
// are apart from it (DISJOINT guards).
//
// The arguments are those of an earlier call and may point to memory that is gone. The operating
// system copies the bytes, which reports a missing page instead of faulting; the value is only a
// guess anyway.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_MEMORY_VALUES_H
#define SPECRT_SPECIALIZER_SPECULATION_MEMORY_VALUES_H

#include "guards/address.h"
#include "specializer/speculation/speculation.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class Function;
}

namespace specrt {

/// One place in memory that was taken for a constant.
struct AssumedCell {
  specrt_base Base{};
  int64_t Offset = 0; ///< bytes from the base
  unsigned Width = 0; ///< bytes
  uint64_t Value = 0; ///< zero-extended
};

/// Copies \p Width (<= 8) bytes at \p Address of this process; none when they are not readable.
std::optional<uint64_t> peekMemory(uint64_t Address, unsigned Width);

/// Replaces loads that every call executes and that decide about loop bounds, branches or
/// subscripts by the values they have now, everywhere in \p F. Returns the cells; the caller
/// simplifies \p F and has them confirmed by separateArrays, or discards \p F.
llvm::SmallVector<AssumedCell, 4> assumeMemoryValues(llvm::Function &F, const specrt_region &Region,
                                                     const uint64_t *SampleArguments);

} // namespace specrt

#endif
