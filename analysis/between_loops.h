//===- analysis/between_loops.h - values computed between two consecutive loops -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop is entered whenever another is left, and some blocks are between them. The questions here
// decide whether the second loop may begin before the first one ends. The plugin puts such loops
// into one region, and the specializer has to come to the same answers in it.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_BETWEEN_LOOPS_H
#define SPECRT_ANALYSIS_BETWEEN_LOOPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class BasicBlock;
class Loop;
class Value;
} // namespace llvm

namespace specrt {

/// Returns whether \p V depends on a result of \p L, directly or through values that blocks of \p
/// Way compute.
bool followsFrom(const llvm::Value &V, const llvm::Loop &L, llvm::ArrayRef<llvm::BasicBlock *> Way);

/// Returns whether all users of the results of \p Blocks are in blocks for which \p IsOne holds.
bool areUsedOnlyIn(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                   llvm::function_ref<bool(const llvm::BasicBlock *)> IsOne);

} // namespace specrt

#endif
