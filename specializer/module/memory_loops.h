//===- specializer/module/memory_loops.h - expands fills and copies into loops -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilers replace a loop that fills or copies memory by a call of memset, memcpy or memmove. In a
// model such a call is one statement that writes a whole block at once, and no order of its
// elements can be chosen. This file turns the calls back into loops over elements.
//
// LLVM's LowerMemIntrinsics.h also expands such calls, but in the widest steps of the target and
// with a loop for the rest, so that accesses partly overlap the elements of other statements.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_MODULE_MEMORY_LOOPS_H
#define SPECRT_SPECIALIZER_MODULE_MEMORY_LOOPS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class MemMoveInst;
} // namespace llvm

namespace specrt {

class Optimizer;

/// Returns whether the two blocks of a memmove are disjoint in every call that the code is for.
using AreBlocksApart = llvm::function_ref<bool(const llvm::MemMoveInst &)>;

/// Replaces calls of memset, memcpy and memmove in loops of \p F by loops that store one element
/// per iteration. The element type is that of other accesses to the same arrays; a call stays if
/// its length is not a multiple of it. If these accesses use rows of constant length, a loop over
/// rows is added. A memmove becomes a loop if the distance of its blocks determines whether the
/// first or the last element must be moved first, or if \p AreApart returns true. Volatile calls
/// stay.
///
/// Returns the number of replaced calls. If there are any, analyses of \p F are invalidated; the
/// new loops are rotated and have a preheader.
unsigned expandMemoryCalls(
    llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
    AreBlocksApart AreApart = [](const llvm::MemMoveInst &) { return false; });

/// Does the same, and leaves \p F in the canonical form of Optimizer::simplify, without cached
/// analyses.
unsigned expandMemoryCalls(
    llvm::Function &F, Optimizer &Passes,
    AreBlocksApart AreApart = [](const llvm::MemMoveInst &) { return false; });

} // namespace specrt

#endif
