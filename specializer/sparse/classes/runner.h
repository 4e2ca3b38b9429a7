//===- specializer/sparse/classes/runner.h - segments of rows, class by class ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runner executes a range of a table's segments (specrt/rows.h): loops for each class, in which
// everything that the class knows of its rows is a constant or an affine function, and a loop over
// any rows for the rest.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_CLASSES_RUNNER_H
#define SPECRT_SPECIALIZER_SPARSE_CLASSES_RUNNER_H

#include "specializer/sparse/loops/row_loop.h"
#include "llvm/ADT/ArrayRef.h"

namespace specrt {

/// For which rows of a class the runner has code (specrt/rows.h).
struct ClassCode {
  bool HasRows = false, HasLanes = false, HasBlocks = false;
  std::optional<llvm::SmallVector<bool>> Given = {}; ///< as givenBesidePattern has it
};

/// Of class number \p Number.
ClassCode classCode(const RowLoop &Rows, const llvm::LoopInfo &LI,
                    llvm::ArrayRef<specrt_row_class> Classes, unsigned Number,
                    unsigned VectorBytes);

/// void (inputs..., ptr table, i64 begin, i64 end): the segments from begin to end. A class that
/// does not fit the loop has the code of the rest. Loops whose rows may wait have code for listed
/// rows. Rows side by side are in vectors of at most \p VectorBytes.
llvm::Function *buildRunner(const RowLoop &Rows, const llvm::LoopInfo &LI,
                            llvm::ArrayRef<specrt_row_class> Classes, unsigned VectorBytes);

} // namespace specrt

#endif
