//===- specializer/speculation/memory/implied_comparisons.h - comparisons that guards imply -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A guard separates the ranges of two bases. It implies the result of a comparison of two ranges of
// bytes (specializer/rounding/place_comparisons.h) if each of these lies within the range of one of
// the bases; versions without the guard then get the same result. To decide that, the ranges of all
// bases are computed again as if the function also accessed the compared bytes. The bytes are
// contained if the ranges are the same as before, and no range is that of a whole variable.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_MEMORY_IMPLIED_COMPARISONS_H
#define SPECRT_SPECIALIZER_SPECULATION_MEMORY_IMPLIED_COMPARISONS_H

#include "analysis/memory/access_ranges.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace specrt {

/// Marks the comparisons in \p F that guards imply. \p Accesses are those of \p F, \p FindAccesses
/// computes them again, and \p AreGuarded returns whether a guard separates the ranges of two of
/// their bases. \p F is otherwise unchanged.
void decideComparisons(llvm::Function &F, const AccessSummary &Accesses,
                       llvm::function_ref<AccessSummary()> FindAccesses,
                       llvm::function_ref<bool(unsigned, unsigned)> AreGuarded);

} // namespace specrt

#endif
