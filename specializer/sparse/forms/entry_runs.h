//===- specializer/sparse/forms/entry_runs.h - loops over entries by their rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a matrix is a list of entries, each with the numbers of its row and its column, a loop over
// all entries adds each product to the element of its row. Entries of one row mostly follow each
// other. So the loop becomes two: one over runs of entries that name the same row, and one over the
// entries of a run. The outer one is a row loop like any other.
//
// Where runs begin libspecrt.so finds out when the loop begins, and remembers (specrt/rows.h).
// Nothing depends on its answer but how fast the loop is: it is executed in the same order,
// wherever it is cut.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_FORMS_ENTRY_RUNS_H
#define SPECRT_SPECIALIZER_SPARSE_FORMS_ENTRY_RUNS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
class Function;
class Loop;
} // namespace llvm

namespace specrt {

/// Cuts a loop of \p F that reads and changes, in each iteration, an element that an array of
/// numbers names, one after the other, and accesses another that some other array names. False:
/// there is none that has not been cut. \p F is in the form of LoopSimplify before, and may not be
/// afterwards.
bool cutIntoRuns(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Is \p L a loop over runs that has been made of one over entries?
bool isOverRuns(const llvm::Loop &L);

/// Does \p Call ask where runs begin, or say that the loop over them is over?
bool isAboutRuns(const llvm::CallBase &Call);

} // namespace specrt

#endif
