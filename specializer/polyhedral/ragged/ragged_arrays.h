//===- specializer/polyhedral/ragged/ragged_arrays.h - ragged arrays in models ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For modelling, scheduling and code generation, an access of a ragged array is written as an
// access of "Base[row][column]" in a virtual array with rows of one length, which all passes can
// treat like a real array. When the code is final, every address into it is replaced by the real
// place of the element. So no value and no accessed byte changes.
//
// Row and column are computed from the address. No access is closer to the end of its row than
// ColumnMargin elements. Therefore this is also correct for vectors with inactive lanes, and for
// loops that move by less per iteration and access memory in each: they stay in their row.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_RAGGED_RAGGED_ARRAYS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_RAGGED_RAGGED_ARRAYS_H

#include "specializer/polyhedral/ragged/quadratic_rows.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"

namespace specrt {

/// Finds the ragged arrays of \p F and rewrites their accesses as [row][column]; invalidates
/// affected analyses in \p FAM.
llvm::SmallVector<RaggedArray, 2> writeAsRagged(llvm::Function &F,
                                                llvm::FunctionAnalysisManager &FAM);

/// Restores the real addresses of all accesses: in \p F, in bodies of parallel loops generated for
/// it, and in the functions it calls. Returns false if an address cannot be followed; then the
/// module must not be used.
bool restoreAddresses(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                      llvm::ArrayRef<RaggedArray> Arrays);

} // namespace specrt

#endif
