//===- specializer/polyhedral/rows/row_arrays.h - rows as a model and as memory --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For modelling, ordering and generating code, an access of a row array is written as one of
// "Base[row][column]" in an array with rows of one length, which does not exist. Everything that
// treats such arrays treats these. When the code is final, every address into it is replaced by the
// place where the row really is. So no value and no byte that is accessed changes.
//
// Row and column are found from the address: nobody has to keep them apart. No access is closer to
// the end of its row than RowMargin elements, so that this is also right for vectors of which only
// some lanes are accessed, and a loop that accesses memory in each iteration and moves on by less
// stays in its row.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_ROWS_ROW_ARRAYS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_ROWS_ROW_ARRAYS_H

#include "specializer/polyhedral/rows/row_functions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"

namespace specrt {

/// Finds the row arrays of \p F and writes their accesses as [row][column]; analyses in \p FAM that
/// this affects are invalidated.
llvm::SmallVector<RowArray, 2> writeByRows(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Gives every access its place again: in \p F, and in what was generated for it, the bodies of
/// parallel loops and the functions it calls. False when some address goes where it cannot be
/// followed: then the module must not be used.
bool placeRows(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
               llvm::ArrayRef<RowArray> Arrays);

} // namespace specrt

#endif
