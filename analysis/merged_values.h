//===- analysis/merged_values.h - phis of an expression and its value -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a loop over j, LLVM may compute j * (j + 1) / 2, or the start of row j, only where j is not 0
// if there is a branch for that anyway, and merges it with 0 by a phi. Neither ScalarEvolution nor
// Polly looks through such phis, so they are replaced by the expression.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_MERGED_VALUES_H
#define SPECRT_ANALYSIS_MERGED_VALUES_H

namespace llvm {
class DominatorTree;
class Function;
} // namespace llvm

namespace specrt {

/// Replaces phis that merge an expression with its value for one number by the expression. Returns
/// whether it changed \p F; keeps all blocks.
bool computeMergedValues(llvm::Function &F, const llvm::DominatorTree &DT);

} // namespace specrt

#endif
