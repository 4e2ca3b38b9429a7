//===- specializer/sparse/canonical/entry_runs.h - cuts loops over entries into row runs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If a matrix is a list of entries with row and column numbers, a loop over all entries adds each
// product to the element of its row. Entries of one row mostly follow each other. The loop
// therefore becomes two: one over runs of entries that name the same row, and one over the entries
// of a run. The outer one is an ordinary row loop.
//
// libspecrt.so finds the begins of runs when the loop begins, and keeps them (specrt/rows.h). The
// results do not depend on them: the order of execution is the same, wherever the loop is cut.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_CANONICAL_ENTRY_RUNS_H
#define SPECRT_SPECIALIZER_SPARSE_CANONICAL_ENTRY_RUNS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
class Function;
class Loop;
} // namespace llvm

namespace specrt {

/// Cuts one loop of \p F that, in each iteration, updates an element selected by an index array,
/// read consecutively, and accesses another element selected by another array. Returns false if
/// there is no loop left to cut. \p F must be in LoopSimplify form, which may be lost.
bool cutIntoRuns(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Returns whether \p L is a loop over runs that was made from a loop over entries.
bool isOverRuns(const llvm::Loop &L);

/// Returns whether \p Call asks for runs or ends a loop over them.
bool isAboutRuns(const llvm::CallBase &Call);

} // namespace specrt

#endif
