//===- instrument/select/consecutive_loops.h - loops over one matrix, one after the other ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sweep and the residual after it, a product and one with the transpose: such loops read the same
// matrix twice. In one region they may read it once, where rows of the second loop are done as soon
// as those rows of the first one are over that they depend on.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_CONSECUTIVE_LOOPS_H
#define SPECRT_INSTRUMENT_SELECT_CONSECUTIVE_LOOPS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// Returns the loop that is entered whenever \p L is left, before anything else happens, and begins
/// with nothing that \p L computes, nor does what comes after it. Null: there is none.
llvm::Loop *findNextLoop(const llvm::Loop &L, const llvm::LoopInfo &LI);

/// The loop that findNextLoop() returns, if integers in memory describe its rows as they do those
/// of \p L, both read the same entries of the rows, integers and numbers, and take the rows in the
/// same direction. Null otherwise.
llvm::Loop *findLoopOverSameRows(const llvm::Loop &L, const llvm::LoopInfo &LI,
                                 llvm::ScalarEvolution &SE);

/// The blocks between \p L and \p Next, which is entered whenever \p L is left; empty: it is not.
llvm::SmallVector<llvm::BasicBlock *> blocksBetween(const llvm::Loop &L, const llvm::Loop &Next);

} // namespace specrt

#endif
