//===- specializer/polyhedral/rows/row_arrays.h - arrays by rows in models and in memory -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For modelling, scheduling and code generation, an access of a row array is written as an access
// of "Base[row][column]" in a virtual array with rows of one length, which all passes can treat
// like a real array. When the code is final, every address into it is replaced by the real place of
// the element. So no value and no accessed byte changes.
//
// Row and column are computed from the address. No access is closer to the end of its row than
// RowMargin elements. Therefore this is also correct for vectors with inactive lanes, and for loops
// that move by less per iteration and access memory in each: they stay in their row.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_ROWS_ROW_ARRAYS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_ROWS_ROW_ARRAYS_H

#include "specializer/polyhedral/rows/row_functions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"

namespace specrt {

/// Finds the row arrays of \p F and rewrites their accesses as [row][column]; invalidates affected
/// analyses in \p FAM.
llvm::SmallVector<RowArray, 2> writeByRows(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Restores the real addresses of all accesses: in \p F, in bodies of parallel loops generated for
/// it, and in the functions it calls. Returns false if an address cannot be followed; then the
/// module must not be used.
bool placeRows(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
               llvm::ArrayRef<RowArray> Arrays);

} // namespace specrt

#endif
