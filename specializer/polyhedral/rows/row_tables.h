//===- specializer/polyhedral/rows/row_tables.h - rows behind row pointers --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of a `double **` or of a vector of vectors, which guards have found to be apart
// (row_marks.h): "t[i][j]" is the element [i][j] of an array with two dimensions, wherever the
// rows are, as far as dependences and orders go (row_arrays.h makes use of that). When the code is
// final its row pointer is read for each row that is accessed.
//
// All loops must have constant bounds.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_ROWS_ROW_TABLES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_ROWS_ROW_TABLES_H

#include "analysis/memory/linear_form.h"
#include "specializer/polyhedral/rows/row_functions.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace llvm {
class LoadInst;
class Value;
} // namespace llvm

namespace specrt {

/// Finds the tables of one function whose rows are accessed by affine subscripts and in no other
/// way.
class RowTableFinder {
public:
  RowTableFinder(llvm::Function &F, llvm::ScalarEvolution &SE, llvm::LoopInfo &LI)
      : F(F), SE(SE), LI(LI) {}

  /// The base of each is a new value that stands for where its pointers lie.
  llvm::SmallVector<RowArray, 2> find();

private:
  /// The accesses by the number of their table, and the loads of its row pointers.
  struct Table {
    llvm::SmallVector<llvm::Instruction *, 8> Accesses;
    llvm::SmallVector<llvm::LoadInst *, 8> Loads;
  };
  /// The way to one row, from the outermost table to the innermost.
  struct Way {
    llvm::Value *Base = nullptr;
    llvm::SmallVector<RowPointers, 2> Levels;
    llvm::SmallVector<LinearForm, 2> Rows;
  };

  void collect();
  std::optional<LinearForm> offsetOf(llvm::Instruction &Access) const;
  std::optional<Way> wayTo(llvm::LoadInst &Load, const llvm::Instruction &Access) const;
  std::optional<RowArray> describe(const Table &Of);
  llvm::Value *rootFor(llvm::Value &Base);

  llvm::Function &F;
  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
  llvm::MapVector<unsigned, Table> Tables;
};

} // namespace specrt

#endif
