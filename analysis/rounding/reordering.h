//===- analysis/rounding/reordering.h - reductions in an order that the compiler chooses -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point operations carry a flag if they may be reordered. LLVM's vectoriser also takes a
// pragma for a permission: `omp simd`, and `clang loop vectorize(enable)` and its relatives. The
// order of the additions then depends on the target, on known sizes and on the cost model, so that
// a second compilation need not give the same bits.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_ROUNDING_REORDERING_H
#define SPECRT_ANALYSIS_ROUNDING_REORDERING_H

namespace llvm {
class Instruction;
class Loop;
} // namespace llvm

namespace specrt {

/// Returns an operation of \p L without the flag that computes a floating-point value from one of
/// the previous iteration, and that a pragma allows to reorder; null if there is none. \p
/// SimplifiedAgain: loops are simplified once more before vectorisation, as at link time, so that
/// values now in memory may be in registers then.
const llvm::Instruction *findReorderedReduction(const llvm::Loop &L, bool SimplifiedAgain);

} // namespace specrt

#endif
