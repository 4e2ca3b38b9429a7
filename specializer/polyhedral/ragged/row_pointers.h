//===- specializer/polyhedral/ragged/row_pointers.h - rows behind row pointers ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of a `double **` or of a vector of vectors, which guards have separated (row_marks.h): for
// dependences and orders, "t[i][j]" is the element [i][j] of a two-dimensional array, wherever the
// rows are (used by ragged_arrays.h). When the code is final, the pointer of each accessed row is
// loaded.
//
// All loops must have constant bounds.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_RAGGED_ROW_POINTERS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_RAGGED_ROW_POINTERS_H

#include "analysis/memory/linear_form.h"
#include "specializer/polyhedral/ragged/quadratic_rows.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace llvm {
class LoadInst;
class Value;
} // namespace llvm

namespace specrt {

/// Finds the tables of one function whose rows are only accessed by affine subscripts.
class RowPointerFinder {
public:
  RowPointerFinder(llvm::Function &F, llvm::ScalarEvolution &SE, llvm::LoopInfo &LI)
      : F(F), SE(SE), LI(LI) {}

  /// Returns the tables. The base of each is a new value that stands for the address of its
  /// pointers.
  llvm::SmallVector<RaggedArray, 2> find();

private:
  /// The accesses to a table's rows, and the loads of its row pointers.
  struct Table {
    llvm::SmallVector<llvm::Instruction *, 8> Accesses;
    llvm::SmallVector<llvm::LoadInst *, 8> Loads;
  };
  /// The path to one row, from the outermost table to the innermost.
  struct Way {
    llvm::Value *Base = nullptr;
    llvm::SmallVector<RowPointers, 2> Levels;
    llvm::SmallVector<LinearForm, 2> Rows;
  };

  void collect();
  std::optional<LinearForm> offsetOf(llvm::Instruction &Access) const;
  std::optional<Way> wayTo(llvm::LoadInst &Load, const llvm::Instruction &Access) const;
  std::optional<RaggedArray> describe(const Table &Of);
  llvm::Value *rootFor(llvm::Value &Base);

  llvm::Function &F;
  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
  llvm::MapVector<unsigned, Table> Tables;
};

} // namespace specrt

#endif
