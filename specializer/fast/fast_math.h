//===- specializer/fast/fast_math.h - rewrites floating point for SPECRT_FP=fast -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPECRT_FP=fast permits other roundings than those of the original. If each pass used that
// freedom, versions would differ from each other. So the code is rewritten once, at the beginning,
// and the new code depends only on the bitcode and the processor. Facts about calls, the kind of
// candidate and the number of threads do not influence it. All later passes treat the code as in
// strict mode. The instrumented version of a region is rewritten in the same way.
//
// * Sums that loops carry get a fixed order in which they can become vectors (sum_trees.h), also
//   sums in memory (sum_places.h). Regions with loops over sparse rows keep the order of their
//   sums: facts about rows refer to these loops as they were embedded, and other code computes them
//   row by row.
// * A division by a value that its innermost loop does not change becomes a product with the
//   reciprocal.
// * Products and sums become fused operations if the processor has them.
// * pow(x, y) becomes x * x in calls where y is 2, if y is not a constant. If pow may set errno, it
//   is still called where it would.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_FAST_FAST_MATH_H
#define SPECRT_SPECIALIZER_FAST_FAST_MATH_H

namespace llvm {
class Function;
} // namespace llvm

namespace specrt {

class Optimizer;

/// Rewrites all functions in the module of \p F, a region's function as it was embedded. Must run
/// before any speculation that depends on the request, and after guardOnFpEnvironment(), which
/// reads the original's flags. The rewrites do not depend on the compile budget.
/// expandComparisons() has to run after guards are chosen (place_comparisons.h). No analyses may be
/// cached before the call, and none are after it.
void applyFastMath(llvm::Function &F, Optimizer &Passes);

} // namespace specrt

#endif
