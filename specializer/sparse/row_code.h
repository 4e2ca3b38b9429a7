//===- specializer/sparse/row_code.h - functions made from a row loop -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inspector writes down the traces of rows (specrt/rows.h). The runner executes a range of a
// table's segments: one loop per class, in which everything that the class knows of its rows is a
// constant or an affine function, and a loop over any rows for the rest.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_ROW_CODE_H
#define SPECRT_SPECIALIZER_SPARSE_ROW_CODE_H

#include "specializer/sparse/row_loop.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

/// A new function of its module with the attributes of \p Like as far as they concern how it is
/// compiled.
llvm::Function *createLike(const llvm::Function &Like, llvm::Type *Result,
                           llvm::ArrayRef<llvm::Type *> Arguments, const llvm::Twine &Name);

/// The inputs as the words in which specrt_rows_begin gets them; \p B stands where all are known.
/// Returns a pointer to them, with room for one more.
llvm::Value *packInputs(llvm::IRBuilderBase &B, const RowLoop &Rows);
/// Input number \p I out of such words.
llvm::Value *unpackInput(llvm::IRBuilderBase &B, const RowLoop &Rows, llvm::Value *Words,
                         unsigned I);

/// What \p C is in row \p Row, an i64, when it is \p Start in the first one.
llvm::Value *counterInRow(llvm::IRBuilderBase &B, const RowCounter &C, llvm::Value *Start,
                          llvm::Value *Row);

/// void (ptr inputs, ptr trace): specrt_rows_inspector.
llvm::Function *buildInspector(const RowLoop &Rows, const llvm::LoopInfo &LI);

/// Has the runner code for rows of \p Class?
bool hasCode(const RowLoop &Rows, const llvm::LoopInfo &LI, const specrt_row_class &Class);
/// Has the runner code for rows of class number \p Number side by side?
bool hasLanes(const RowLoop &Rows, const llvm::LoopInfo &LI,
              llvm::ArrayRef<specrt_row_class> Classes, unsigned Number);

/// Has it code for whole blocks of rows?
bool hasBlocks(const RowLoop &Rows, const llvm::LoopInfo &LI, const specrt_row_class &Class,
               unsigned VectorBytes);

/// void (inputs..., ptr table, i64 begin, i64 end): the segments from begin to end. A class that
/// does not fit the loop has the code of the rest. Loops whose rows may wait have code for listed
/// rows. Rows side by side are in vectors of at most \p VectorBytes.
llvm::Function *buildRunner(const RowLoop &Rows, const llvm::LoopInfo &LI,
                            llvm::ArrayRef<specrt_row_class> Classes, unsigned VectorBytes);

} // namespace specrt

#endif
