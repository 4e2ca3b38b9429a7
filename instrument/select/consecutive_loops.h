//===- instrument/select/consecutive_loops.h - loops over one matrix, one after the other ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sweep and the residual after it, or a product and one with the transpose, read the same matrix
// twice. In one region they may read it once: a row of the second loop is executed as soon as the
// rows of the first loop that it depends on are complete.
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

/// Returns the loop that is entered whenever \p L is left, if nothing between them has an effect,
/// and neither it nor the code after it uses a result of \p L. Returns null if there is none.
llvm::Loop *findNextLoop(const llvm::Loop &L, const llvm::LoopInfo &LI);

/// Returns the loop that findNextLoop() returns, if integers in memory describe its rows as they do
/// those of \p L, both read the same entries of the rows, integers and numbers, and take the rows
/// in the same direction. Returns null otherwise.
llvm::Loop *findLoopOverSameRows(const llvm::Loop &L, const llvm::LoopInfo &LI,
                                 llvm::ScalarEvolution &SE);

/// Returns the blocks between \p L and \p Next, which is the loop that findNextLoop() returns.
llvm::SmallVector<llvm::BasicBlock *> blocksBetween(const llvm::Loop &L, const llvm::Loop &Next);

} // namespace specrt

#endif
