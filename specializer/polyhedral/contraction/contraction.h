//===- specializer/polyhedral/contraction/contraction.h - recognises contractions -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C[i,j] = f(C[i,j], a(i,k), b(j,k)): a statement whose result is updated along k from values that
// depend on i but not on j, and on j but not on i. A product of matrices is the best known example,
// but f may be any tree of speculatable operations (minimum and sum, two products at once), and a
// and b any expressions of loads (alpha * A[i,k]). i may be absent (a product with a vector).
//
// Such a statement reads every a and b many times, so it pays to compute the values once, to pack
// them in the order of use, and to combine them in vector registers: contraction_kernel.h.
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

/// The address of an access: the array's base plus Constant + sum of PerDim[d] * y_d + sum of the
/// parameters times their factors, in bytes.
struct LinearAddress {
  polly::MemoryAccess *Access = nullptr;
  llvm::SmallVector<int64_t, 4> PerDim;                         ///< by coordinate, see Contraction
  llvm::SmallVector<std::pair<isl::id, int64_t>, 1> Parameters; ///< may repeat
  int64_t Constant = 0;
};

/// How the value of an instruction depends on the iteration.
enum class OperandKind {
  Uniform, ///< the same in all iterations: computed from values from outside of the statement
  Row,     ///< depends on k, and on i if there is one, but not on j
  Column,  ///< depends on j, and possibly on k, but not on i
  Result,  ///< depends on the previous result, or on both i and j: computed in the kernel
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
  LinearAddress Result; ///< address of C's write
  /// Other addresses to which the statement stores the same value, and that it does not read.
  llvm::SmallVector<LinearAddress, 1> Copies;
  llvm::Value *Stored = nullptr; ///< root of f
  /// Values equal to C[i,j] before the update.
  llvm::SmallVector<llvm::Value *, 2> Before;
  /// All other loads of the statement.
  llvm::MapVector<const llvm::Value *, LinearAddress> Loads;
  /// Kinds of all values below Stored.
  llvm::MapVector<const llvm::Value *, OperandKind> Kinds;
  /// Maximal row and column values, which are packed.
  llvm::SmallVector<llvm::Value *, 2> Rows, Columns;
  unsigned NumOperations = 0; ///< instructions of f per iteration, operands excluded

  /// Returns whether \p V is a uniform value that exists before the statement. Other uniform values
  /// are computed from such values where they are used.
  bool comesFromOutside(const llvm::Value *V) const;

  /// Returns the size of an element of the result.
  int64_t elementBytes() const;
  /// Returns whether vectors of \p V, a column value, can be computed from vectors in memory with
  /// adjacent values for successive j.
  bool isConsecutive(const llvm::Value *V) const;

  unsigned numDims() const { return unsigned(Shear.size()); }
  /// Returns { Stmt[x] -> [y_Dim] }.
  isl::aff coordinate(unsigned Dim) const;
  /// Returns { Stmt[x] -> [y_d] } for all d in \p Dims.
  isl::multi_aff coordinates(llvm::ArrayRef<unsigned> Dims) const;
  /// Returns { Stmt[x] -> [y] }.
  isl::multi_aff coordinates() const;
  /// Returns { Stmt[x] -> Stmt[x'] } of all iterations that update the same result.
  isl::map alongReduction() const;
};

/// Returns \p Stmt as a contraction, or nothing. Prefers a row dimension, and unit stride of the
/// result along the column dimension. Addresses must be affine with constant strides. Coordinates
/// for which \p isFixed returns true have one value in the computed block; they are none of i, j
/// and k. No operand may be the result itself, as in one row of "C[q,j] += A[k] * C[k,j]", because
/// operands are packed before the result is complete. Does not check other dependences between
/// iterations.
std::optional<Contraction> recognizeContraction(
    polly::ScopStmt &Stmt,
    llvm::function_ref<bool(const isl::aff &)> isFixed = [](const isl::aff &) { return false; });

} // namespace specrt

#endif
