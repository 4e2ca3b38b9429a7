//===- specializer/fast/fast_math.h - what SPECRT_FP=fast changes -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPECRT_FP=fast allows other roundings than those of the original. If every pass were free to use
// that, versions would differ from each other. So everything that is gained from it is written into
// the code at the beginning, and decided by the bitcode and the processor alone: which facts are
// known of a call, which candidate is made and how many threads there are come later. From then on
// the code is treated as in strict mode. The instrumented version of a region gets the same.
//
// * Sums that loops carry get a fixed order in which they become vectors (sum_trees.h), also those
//   in memory (sum_places.h). Regions with loops over sparse rows keep theirs: what is known of
//   rows refers to these loops as they were embedded, and other code computes them row by row.
// * A division by what an innermost loop does not change becomes a product with the reciprocal.
// * Products and sums are fused if the processor can do so.
// * pow(x, y) is x * x for a y of 2 that is only known when the program runs.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_FAST_FAST_MATH_H
#define SPECRT_SPECIALIZER_FAST_FAST_MATH_H

namespace llvm {
class Function;
} // namespace llvm

namespace specrt {

class Optimizer;

/// Rewrites the module of \p F, a region's function as it was embedded. No analyses are cached
/// before or after. Before any speculation.
void applyFastMath(llvm::Function &F, Optimizer &Passes);

} // namespace specrt

#endif
