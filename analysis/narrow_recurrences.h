//===- analysis/narrow_recurrences.h - subscripts that wrap around --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a[(i + 1) % 1024] the subscript is an integer of ten bits to scalar evolution, one that may
// wrap. The vectoriser assumes that it does not, and has code check that before the loop. LLVM 22
// leaves the check out when the loop needs one for wider integers, too, with a larger start: it
// takes that for sufficient, and reads past the end. A row of a grid that is closed to a ring is
// enough.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_NARROW_RECURRENCES_H
#define SPECRT_ANALYSIS_NARROW_RECURRENCES_H

#include "llvm/IR/PassManager.h"

namespace specrt {

/// To run right before the vectoriser, for loops that would need checks for recurrences of several
/// widths. Iterations in which one wraps are peeled off where they are the first or the last ones,
/// so that none does in between, which the check would deny. Otherwise all but the widest are
/// hidden from scalar evolution, and what they address is accessed element by element.
class TameNarrowRecurrencesPass : public llvm::PassInfoMixin<TameNarrowRecurrencesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

} // namespace specrt

#endif
