//===- specializer/sparse/loops/row_inputs.h - passes inputs to code of a row loop -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_LOOPS_ROW_INPUTS_H
#define SPECRT_SPECIALIZER_SPARSE_LOOPS_ROW_INPUTS_H

#include "specializer/sparse/loops/row_loop.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace specrt {

/// Packs the inputs into words as specrt_rows_begin takes them; all must be known at \p B. Returns
/// a pointer to the words, with room for one more. \p As: the value that replaces each input.
llvm::Value *packInputs(
    llvm::IRBuilderBase &B, const RowLoop &Rows,
    llvm::function_ref<llvm::Value *(llvm::Value *)> As = [](llvm::Value *V) { return V; });
/// Loads input number \p I from such words.
llvm::Value *unpackInput(llvm::IRBuilderBase &B, const RowLoop &Rows, llvm::Value *Words,
                         unsigned I);

/// Creates void (inputs..., \p More...) for code of rows. Its pointers may be noalias: a table
/// exists only if accesses through different bases are apart, and without a table it is not called.
llvm::Function *createWithInputs(const RowLoop &Rows, llvm::ArrayRef<llvm::Type *> More,
                                 const llvm::Twine &Suffix);
/// Maps the inputs to the arguments of such a function.
void mapInputs(const RowLoop &Rows, llvm::Function &Into, llvm::ValueToValueMapTy &Map);

/// Loads the member at \p Offset bytes of the structure \p Of (specrt/rows.h).
llvm::Value *loadField(llvm::IRBuilderBase &B, llvm::Type *T, llvm::Value *Of, size_t Offset);
/// Converts \p Word, from a list or trace, to a carried integer or pointer.
llvm::Value *narrowed(llvm::IRBuilderBase &B, llvm::Value *Word, llvm::Type *To);

/// Returns the value of \p C in row \p Row, an i64, if it is \p Start in the first one.
llvm::Value *counterInRow(llvm::IRBuilderBase &B, const RowCounter &C, llvm::Value *Start,
                          llvm::Value *Row);

} // namespace specrt

#endif
