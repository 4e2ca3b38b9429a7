//===- specializer/polyhedral/ragged/quadratic_rows.h - rows at quadratic addresses ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a packed triangle row i begins at i (i+1) / 2, in "A[i * i]" at i * i. Such a subscript is a
// quadratic function of an affine expression plus an affine expression. If the rows of an array are
// pairwise disjoint, the access is equivalent, for dependences and orders, to one of [row][column]
// in a two-dimensional array: two accesses meet if and only if row and column are equal (used by
// ragged_arrays.h).
//
// All loops must have constant bounds. Subscripts are evaluated: their form is checked at every
// point of the iteration space, including any wrap-around.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_RAGGED_QUADRATIC_ROWS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_RAGGED_QUADRATIC_ROWS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ValueHandle.h"
#include <cstdint>

namespace llvm {
class Function;
class Instruction;
class LoopInfo;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// An access of a ragged array: 64-bit integer expressions, which are never negative.
struct RaggedAccess {
  llvm::Instruction *Access;                     ///< a load or store
  llvm::SmallVector<const llvm::SCEV *, 2> Rows; ///< one for each level of pointers, or one
  const llvm::SCEV *Column;
};

/// Pointers in memory: the first is First bytes behind an address, the others follow at distance
/// Stride.
struct RowPointers {
  int64_t First, Count, Stride;
};

/// Element [r][c] is at Base + (Curvature * x (x-1) / 2 + Slope * x + c - Shift) elements, x = r +
/// FirstRow. With Pointers it is c - Shift elements behind the pointer of row r; the last level
/// counts fastest.
struct RaggedArray {
  llvm::WeakTrackingVH Base;
  int64_t ElementBytes = 0;
  int64_t Curvature = 0, Slope = 0, FirstRow = 0, Shift = 0;
  llvm::SmallVector<RowPointers, 2> Pointers;
  int64_t Pitch = 0; ///< greater than any column
  llvm::SmallVector<RaggedAccess, 8> Accesses;
};

/// Distance in elements of columns from 0 and from the pitch.
inline constexpr int64_t ColumnMargin = 128;

/// Returns whether a loop contains a subscript that is not affine.
bool hasCurvedSubscripts(llvm::Function &F, llvm::ScalarEvolution &SE, llvm::LoopInfo &LI);

/// Returns whether addresses computed from \p Base are used only by \p Accesses. A pointer that may
/// also be another one has accesses that are not among them.
bool isOnlyAccessedBy(const llvm::Value *Base, llvm::ArrayRef<llvm::Instruction *> Accesses);

bool isSimpleAccess(const llvm::Instruction &I);

/// Returns the arrays of \p F that are only accessed by such rows.
llvm::SmallVector<RaggedArray, 2> findQuadraticRows(llvm::Function &F, llvm::ScalarEvolution &SE,
                                                    llvm::LoopInfo &LI);

} // namespace specrt

#endif
