//===- specializer/rounding/place_comparisons.h - range comparisons that all versions share ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A comparison of two ranges of bytes decides the order of a sum in memory (sum_places.h). All
// versions have to get the same result, so a version may omit a comparison only if its guards imply
// the result exactly. A proof that the accesses are separate does not suffice: interleaved elements
// are separate although their ranges overlap.
//
// So a comparison is a call of a function without body while guards are chosen, and passes cannot
// decide it. The speculation that adds guards (disjointness.h) knows which ranges they separate,
// and marks the comparisons that they imply. Then expandComparisons() replaces all calls.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_ROUNDING_PLACE_COMPARISONS_H
#define SPECRT_SPECIALIZER_ROUNDING_PLACE_COMPARISONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include <array>

namespace specrt {

/// The addresses of the bytes [Begin, End), at least one.
struct ByteRange {
  llvm::Value *Begin, *End;
};

/// Creates an i1 that is true if \p X and \p Y have no byte in common.
llvm::Value *createComparison(llvm::IRBuilderBase &B, const ByteRange &X, const ByteRange &Y);

/// Returns the comparisons in \p F.
llvm::SmallVector<llvm::CallInst *> comparisonsIn(llvm::Function &F);

/// Returns the two ranges that \p Comparison compares.
std::array<ByteRange, 2> rangesOf(const llvm::CallInst &Comparison);

/// Records that guards separate the two ranges of \p Comparison.
void markImplied(llvm::CallInst &Comparison);

/// Replaces the comparisons in \p M by true if they are implied, and by code otherwise. Returns
/// their number.
unsigned expandComparisons(llvm::Module &M);

} // namespace specrt

#endif
