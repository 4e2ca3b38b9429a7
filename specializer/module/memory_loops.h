//===- specializer/module/memory_loops.h - fills and copies as the loops they are ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilers replace a loop that fills or copies memory by a call of memset, memcpy or memmove. In a
// model such a call is one statement that writes a whole block at once, and no order of its
// elements can be chosen. This file turns the calls back into loops over elements.
//
// LLVM's LowerMemIntrinsics.h makes loops of such calls, too, in the widest steps of the target and
// with a loop for the rest: their accesses overlap the elements of other statements in parts.
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

/// Are the two blocks of a memmove separate in every call for which the code is meant?
using AreBlocksApart = llvm::function_ref<bool(const llvm::MemMoveInst &)>;

/// Replaces calls of memset, memcpy and memmove that stand in loops of \p F by loops that store one
/// element per iteration. The elements are those of the other accesses of the same arrays, and a
/// call whose length is not a multiple of them stays. Where these accesses go by rows of constant
/// length, there is a loop for the rows, too. A memmove becomes a loop where the distance of its
/// blocks tells whether the first or the last element has to be moved first, or where \p AreApart
/// says so. Volatile calls stay.
///
/// Returns the number of calls that were replaced. If there are any, analyses of \p F are
/// invalidated; the new loops are rotated and have a preheader.
unsigned expandMemoryCalls(
    llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
    AreBlocksApart AreApart = [](const llvm::MemMoveInst &) { return false; });

/// The same, which leaves \p F in the canonical form of Optimizer::simplify and no analyses cached.
unsigned expandMemoryCalls(
    llvm::Function &F, Optimizer &Passes,
    AreBlocksApart AreApart = [](const llvm::MemMoveInst &) { return false; });

} // namespace specrt

#endif
