//===- instrument/select/preparation/folded_counters.h - counters with a folded value ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     if (i == 0) { ...; next = 1; } else { ...; next = i + 1; }      next = i + 1
//
// In loops such as those of a factorisation in place LLVM makes a path of its own for the first
// iteration, and folds sums of the counter there. The phi that joins both is no function of the
// counter to scalar evolution, so that the loop has no known number of iterations.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_PREPARATION_FOLDED_COUNTERS_H
#define SPECRT_INSTRUMENT_SELECT_PREPARATION_FOLDED_COUNTERS_H

namespace llvm {
class DominatorTree;
class Function;
} // namespace llvm

namespace specrt {

/// Replaces phis of \p F that are a number plus a constant on all paths by the sum. Returns whether
/// there were any. Keeps the blocks.
bool unfoldCounters(llvm::Function &F, const llvm::DominatorTree &DT);

} // namespace specrt

#endif
