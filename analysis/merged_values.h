//===- analysis/merged_values.h - phis of an expression and its value -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a loop over j, LLVM computes j * (j + 1) / 2, or the start of row j, only where j is not 0,
// when a branch asks for that anyway, and gets 0 from the other side by a phi. Neither
// ScalarEvolution nor Polly looks through that. Such phis become the expression again.
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
