//===- analysis/rounding/reordering.h - reductions in an order of the compiler's ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point operations carry a flag where they may be reordered. LLVM's vectoriser also takes
// a pragma for a permission: `omp simd`, and `clang loop vectorize(enable)` with its relatives. In
// which order it then adds up depends on the target, on what is known of sizes, and on its model of
// costs, so that no second compilation gives the same bits.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_ROUNDING_REORDERING_H
#define SPECRT_ANALYSIS_ROUNDING_REORDERING_H

namespace llvm {
class Instruction;
class Loop;
} // namespace llvm

namespace specrt {

/// Where \p L itself computes a floating-point value from one of the iteration before, without the
/// flag, although a pragma lets the compiler do that in another order; null when nowhere.
/// \p SimplifiedAgain: loops are simplified once more before they are vectorised, as at link time,
/// so that what is in memory now may be in a register then.
const llvm::Instruction *findReorderedReduction(const llvm::Loop &L, bool SimplifiedAgain);

} // namespace specrt

#endif
