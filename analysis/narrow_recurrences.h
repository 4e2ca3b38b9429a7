//===- analysis/narrow_recurrences.h - keeps the vectoriser from wrapping subscripts -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ScalarEvolution sees the subscript of a[(i + 1) % 1024] as an integer of ten bits that may wrap.
// The vectoriser assumes that it does not wrap and emits a check before the loop. LLVM 22 omits
// this check if the loop also needs one for wider integers with a larger start, which it takes to
// be sufficient; the loop then reads past the end. A row of a periodic grid is enough to trigger
// this.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_NARROW_RECURRENCES_H
#define SPECRT_ANALYSIS_NARROW_RECURRENCES_H

#include "llvm/IR/PassManager.h"

namespace specrt {

/// Must run right before the vectoriser. Changes loops that would need checks for recurrences of
/// several widths. If recurrences wrap only in the first or last iterations, these are peeled off;
/// the check would otherwise reject the loop. If not, all but the widest recurrences are hidden
/// from ScalarEvolution, and the accesses they address stay scalar.
class TameNarrowRecurrencesPass : public llvm::PassInfoMixin<TameNarrowRecurrencesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

} // namespace specrt

#endif
