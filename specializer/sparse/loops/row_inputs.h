//===- specializer/sparse/loops/row_inputs.h - what code of a row loop gets from outside ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_LOOPS_ROW_INPUTS_H
#define SPECRT_SPECIALIZER_SPARSE_LOOPS_ROW_INPUTS_H

#include "specializer/sparse/loops/row_loop.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace specrt {

/// The inputs as the words in which specrt_rows_begin gets them; \p B stands where all are known.
/// Returns a pointer to them, with room for one more. \p As: what takes the place of each.
llvm::Value *packInputs(
    llvm::IRBuilderBase &B, const RowLoop &Rows,
    llvm::function_ref<llvm::Value *(llvm::Value *)> As = [](llvm::Value *V) { return V; });
/// Input number \p I out of such words.
llvm::Value *unpackInput(llvm::IRBuilderBase &B, const RowLoop &Rows, llvm::Value *Words,
                         unsigned I);

/// void (inputs..., \p More...): a function that rows are done in. A table exists only where
/// accesses through different bases are apart, and without one nobody calls it.
llvm::Function *createWithInputs(const RowLoop &Rows, llvm::ArrayRef<llvm::Type *> More,
                                 const llvm::Twine &Suffix);
/// The inputs to the arguments of such a function.
void mapInputs(const RowLoop &Rows, llvm::Function &Into, llvm::ValueToValueMapTy &Map);

/// What a structure of specrt/rows.h has \p Offset bytes from its beginning \p Of.
llvm::Value *loadField(llvm::IRBuilderBase &B, llvm::Type *T, llvm::Value *Of, size_t Offset);
/// A carried integer or pointer out of \p Word, as which lists and traces have it.
llvm::Value *narrowed(llvm::IRBuilderBase &B, llvm::Value *Word, llvm::Type *To);

/// What \p C is in row \p Row, an i64, when it is \p Start in the first one.
llvm::Value *counterInRow(llvm::IRBuilderBase &B, const RowCounter &C, llvm::Value *Start,
                          llvm::Value *Row);

} // namespace specrt

#endif
