//===- structure/program/dense_program.h - loops over dense arrays, as data ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop nest in the polyhedral model, in program order and without the compiler's types.
// Propagation of zeros executes it abstractly, and code for the iterations that matter is made from
// it. Bounds and subscripts are affine in loop counters and parameters.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_PROGRAM_DENSE_PROGRAM_H
#define SPECRT_STRUCTURE_PROGRAM_DENSE_PROGRAM_H

#include "structure/program/dense_expression.h"

#include <span>

namespace specrt {

/// Constant + sum of Loops[k] * counter k (outermost first) + sum of Parameters[p] * parameter p.
/// Missing coefficients are 0.
struct AffineValue {
  int64_t Constant = 0;
  std::vector<int64_t> Loops, Parameters;

  int64_t loop(size_t K) const { return K < Loops.size() ? Loops[K] : 0; }
  int64_t at(std::span<const int64_t> Counters) const {
    int64_t Sum = Constant;
    for (size_t K = 0; K < Loops.size(); ++K)
      Sum += Loops[K] * Counters[K];
    return Sum;
  }
  /// Returns whether the functions are equal; trailing zeros do not matter.
  bool sameAs(const AffineValue &Other) const;
};

struct DenseAccess {
  unsigned Array = 0;
  std::vector<AffineValue> Subscripts;
  bool sameAs(const DenseAccess &Other) const;
  /// Returns the depth of the innermost loop whose counter occurs in a subscript.
  unsigned depth() const;
};

struct DenseStatement {
  std::string Name;
  unsigned Depth = 0; ///< loops around it
  /// Union of conjunctions: the statement runs where all values of one of them are >= 0.
  std::vector<std::vector<AffineValue>> Domain;
  DenseAccess Write;
  bool MayWrite = false; ///< whether the old value may stay
  std::vector<DenseAccess> Reads;
  DenseExpression Value;
};

struct DenseArray {
  std::string Name;
  unsigned Rank = 0;
  /// Extents; that of the first dimension of a pointer is unknown: Extents[0].Constant < 0.
  std::vector<AffineValue> Extents;
  bool IsTemporary = false; ///< a value outside of memory, dead after the program
};

/// A loop or a statement; items are in program order.
struct DenseItem {
  bool IsLoop = false;
  unsigned Statement = 0;
  std::vector<DenseItem> Body;
};

/// Returns the statement numbers in \p Items, in their order.
std::vector<unsigned> statementsIn(const std::vector<DenseItem> &Items);

struct DenseProgram {
  std::vector<std::string> Parameters;
  std::vector<DenseArray> Arrays;
  std::vector<DenseStatement> Statements;
  std::vector<DenseItem> Items;

  /// Returns the program with \p Values substituted for its parameters.
  DenseProgram with(std::span<const int64_t> Values) const;
  /// Returns text such as "A[i][k - 1]".
  std::string accessText(const DenseAccess &Access) const;
  std::string statementText(unsigned Number) const;
};

/// Returns "i", "j", "k", "l", then "i4", ...
std::string counterName(size_t Loop);
std::string affineText(const AffineValue &Value, std::span<const std::string> Parameters);

} // namespace specrt

#endif
