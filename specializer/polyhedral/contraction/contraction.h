//===- specializer/polyhedral/contraction/contraction.h - a row combined with a column -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C[i,j] = f(C[i,j], a(i,k), b(j,k)): a statement whose result is updated along k from values that
// depend on i but not on j, and on j but not on i. A product of matrices is the best known one, but
// f may be any tree of harmless operations (minimum and sum, two products at once), and a and b any
// expressions of loads (alpha * A[i,k]). i may be absent (a product with a vector).
//
// Such a statement reads every a and b many times, so that the values are worth being computed
// once, packed in the order of use, and combined in vector registers: contraction_kernel.h.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_CONTRACTION_CONTRACTION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "isl/isl-noexceptions.h"
#include <cstdint>
#include <optional>

namespace llvm {
class Type;
class Value;
} // namespace llvm
namespace polly {
class MemoryAccess;
class ScopStmt;
} // namespace polly

namespace specrt {

/// Where an access lies: Constant + sum of PerDim[d] * y_d + sum of the parameters times their
/// factors bytes behind the array's base.
struct LinearAddress {
  polly::MemoryAccess *Access = nullptr;
  llvm::SmallVector<int64_t, 4> PerDim;                         ///< by coordinate, see Contraction
  llvm::SmallVector<std::pair<isl::id, int64_t>, 1> Parameters; ///< may repeat
  int64_t Constant = 0;
};

/// How the value of an instruction of the statement follows from its place in the iteration space.
enum class OperandKind {
  Uniform, ///< the same in all iterations: from outside of the statement, or computed from such
  Row,     ///< depends on k, and on i if there is one; not on j
  Column,  ///< depends on j, perhaps on k; not on i
  Result,  ///< depends on the result so far, or on both i and j: computed in the kernel
};

/// Polly counts every loop from zero, so that the column of a triangular loop is i + j rather than
/// j. All dimensions here are therefore coordinates y_d = x_d + sum over o < d of Shear[d][o] * x_o
/// of the statement's domain, chosen such that the accesses depend on as few of them as possible.
struct Contraction {
  polly::ScopStmt *Stmt = nullptr;
  llvm::SmallVector<llvm::SmallVector<int, 4>, 4> Shear;
  int Row = -1; ///< dimension i, -1: none
  unsigned Column = 0, Reduced = 0;
  llvm::Type *Element = nullptr;
  LinearAddress Result; ///< of C, by its write
  /// Other places that get the same value and that the statement does not read.
  llvm::SmallVector<LinearAddress, 1> Copies;
  llvm::Value *Stored = nullptr; ///< root of f
  /// Values that stand for C[i,j] before the update.
  llvm::SmallVector<llvm::Value *, 2> Before;
  /// All other loads of the statement.
  llvm::MapVector<const llvm::Value *, LinearAddress> Loads;
  /// Kinds of all values below Stored.
  llvm::MapVector<const llvm::Value *, OperandKind> Kinds;
  /// Maximal row and column values: what is packed.
  llvm::SmallVector<llvm::Value *, 2> Rows, Columns;
  unsigned NumOperations = 0; ///< instructions of f per iteration, operands excluded

  /// Is \p V a uniform value that exists before the statement? Other uniform values are computed
  /// from such where they are used.
  bool comesFromOutside(const llvm::Value *V) const;

  /// Of an element of the result.
  int64_t elementBytes() const;
  /// Can a vector of \p V, a column value, be computed from vectors of memory, in which the values
  /// for successive j lie side by side?
  bool isConsecutive(const llvm::Value *V) const;

  unsigned numDims() const { return unsigned(Shear.size()); }
  /// { Stmt[x] -> [y_Dim] }
  isl::aff coordinate(unsigned Dim) const;
  /// { Stmt[x] -> [y_d] } for all d in \p Dims
  isl::multi_aff coordinates(llvm::ArrayRef<unsigned> Dims) const;
  /// { Stmt[x] -> [y] }
  isl::multi_aff coordinates() const;
  /// { Stmt[x] -> Stmt[x'] } of all iterations that update the same result.
  isl::map alongReduction() const;
};

/// How \p Stmt can be read as a contraction, or nothing. Among several ways the one with a row
/// dimension and unit stride of the result along the column dimension is taken. Addresses must be
/// affine with constant strides. Coordinates for which \p isFixed holds have one value where the
/// statement shall be computed; they are none of i, j and k. No operand may be the result itself,
/// as in one row of "C[q,j] += A[k] * C[k,j]": operands are packed before the result is complete.
/// Otherwise says nothing about dependences between iterations.
std::optional<Contraction> recognizeContraction(
    polly::ScopStmt &Stmt,
    llvm::function_ref<bool(const isl::aff &)> isFixed = [](const isl::aff &) { return false; });

} // namespace specrt

#endif
