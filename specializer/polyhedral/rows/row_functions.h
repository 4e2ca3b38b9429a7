//===- specializer/polyhedral/rows/row_functions.h - rows that begin at squares --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a packed triangle row i begins at i (i+1) / 2, in "A[i * i]" at i * i: a subscript that is the
// sum of a quadratic function of one number that is affine in the loop counters and of something
// affine. Where the rows of one array are pairwise disjoint, such an access is that of an element
// [row][column] of an array with two dimensions, as far as dependences and orders go: two accesses
// meet if and only if row and column are the same (row_arrays.h makes use of that).
//
// All loops must have constant bounds. Subscripts are taken by their values: that they are such
// functions is checked at every point of the iteration space, whatever the arithmetic wraps.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_ROWS_ROW_FUNCTIONS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_ROWS_ROW_FUNCTIONS_H

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

/// An access of a row array: integer expressions of 64 bits, none is ever negative.
struct RowAccess {
  llvm::Instruction *Access;                     ///< a load or store
  llvm::SmallVector<const llvm::SCEV *, 2> Rows; ///< one for each level of pointers, or one
  const llvm::SCEV *Column;
};

/// Pointers in memory: the first lies First bytes behind an address, the others Stride bytes apart.
struct RowPointers {
  int64_t First, Count, Stride;
};

/// Element [r][c] lies Curvature * x (x-1) / 2 + Slope * x + c - Shift elements behind Base,
/// x = r + FirstRow. With Pointers it lies c - Shift elements behind the pointer of row r, the last
/// level counting fastest.
struct RowArray {
  llvm::WeakTrackingVH Base;
  int64_t ElementBytes = 0;
  int64_t Curvature = 0, Slope = 0, FirstRow = 0, Shift = 0;
  llvm::SmallVector<RowPointers, 2> Pointers;
  int64_t Pitch = 0; ///< more than any column
  llvm::SmallVector<RowAccess, 8> Accesses;
};

/// Columns are at least so many elements away from 0 and from the pitch.
inline constexpr int64_t RowMargin = 128;

/// Is there a subscript in a loop that is not affine?
bool hasCurvedSubscripts(llvm::Function &F, llvm::ScalarEvolution &SE, llvm::LoopInfo &LI);

/// Does what is computed from \p Base lead to nothing but \p Accesses? A pointer that may be
/// another one, too, leads to accesses that are not among them.
bool isOnlyAccessedBy(const llvm::Value *Base, llvm::ArrayRef<llvm::Instruction *> Accesses);

bool isSimpleAccess(const llvm::Instruction &I);

/// The arrays of \p F that are accessed by such rows and in no other way.
llvm::SmallVector<RowArray, 2> findRowArrays(llvm::Function &F, llvm::ScalarEvolution &SE,
                                             llvm::LoopInfo &LI);

} // namespace specrt

#endif
