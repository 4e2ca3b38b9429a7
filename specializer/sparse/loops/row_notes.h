//===- specializer/sparse/loops/row_notes.h - arrays in which rows make notes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row may note where it has which column, or sum up a row of a product in an array as long as a
// row of zeros, and leave that array as it was (specrt/rows.h). Whether it does, only the inspector
// can tell; here is what must be so that it could be.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_LOOPS_ROW_NOTES_H
#define SPECRT_SPECIALIZER_SPARSE_LOOPS_ROW_NOTES_H

#include "specializer/sparse/loops/row_loop.h"

namespace specrt {

/// Does it store a constant?
bool isClear(const llvm::StoreInst &Store);

/// One base of a row loop of which RowLoop::BaseOf is known.
class NotedBase {
public:
  NotedBase(const llvm::Loop &L, const RowLoop &Rows, unsigned Base);

  /// Is it written, and are all accesses of one type that notes can have?
  bool mayBe() const;
  /// Does each row store constants last, at places that an array says which says, too, what is
  /// read?
  bool isCleared() const;
  /// Is the base nothing but a place from which notes are counted?
  bool mayMove() const;

private:
  bool reaches(const llvm::Instruction &From, const llvm::Instruction &To) const;

  const llvm::Loop &L;
  const RowLoop &Rows;
  const llvm::Value *const Base; ///< null: rows read it
  llvm::SmallVector<const llvm::Instruction *> Accesses;
};

} // namespace specrt

#endif
