//===- specializer/sparse/loops/row_notes.h - arrays in which rows make notes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row may note the positions of its columns, or sum up a row of a product in a dense array, and
// restore the array afterwards (specrt/rows.h). Only the inspector can find out whether it does;
// this file checks the necessary conditions.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_LOOPS_ROW_NOTES_H
#define SPECRT_SPECIALIZER_SPARSE_LOOPS_ROW_NOTES_H

#include "specializer/sparse/loops/row_loop.h"

namespace specrt {

/// Returns whether \p Store stores a constant.
bool isClear(const llvm::StoreInst &Store);

/// A base of a row loop whose BaseOf is set.
class NotedBase {
public:
  NotedBase(const llvm::Loop &L, const RowLoop &Rows, unsigned Base);

  /// Returns whether the base is written, and all accesses have one type that notes can have.
  bool mayBe() const;
  /// Returns whether the last stores of each row to the base are constants, at indices from an
  /// array whose values also index reads.
  bool isCleared() const;
  /// Returns whether the base is only used to compute addresses of notes.
  bool mayMove() const;

private:
  bool reaches(const llvm::Instruction &From, const llvm::Instruction &To) const;

  const llvm::Loop &L;
  const RowLoop &Rows;
  const llvm::Value *const Base; ///< null if rows read it
  llvm::SmallVector<const llvm::Instruction *> Accesses;
};

} // namespace specrt

#endif
