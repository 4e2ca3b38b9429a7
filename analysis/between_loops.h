//===- analysis/between_loops.h - what is computed from one loop to the next ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop is entered whenever another is left, by way of some blocks. May the second one begin
// before the first is over? The plugin puts loops into one region of which the specializer has to
// see the same.
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

/// Does \p V, which blocks of \p Way compute or which is from elsewhere, follow from what \p L
/// computes?
bool followsFrom(const llvm::Value &V, const llvm::Loop &L, llvm::ArrayRef<llvm::BasicBlock *> Way);

/// Are all users of what \p Blocks compute in blocks for which \p IsOne?
bool areUsedOnlyIn(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                   llvm::function_ref<bool(const llvm::BasicBlock *)> IsOne);

} // namespace specrt

#endif
