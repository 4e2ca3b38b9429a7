//===- structure/program/dense_program.h - loops over dense arrays, as data ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop nest as the polyhedral model sees it, in program order and without the compiler's types:
// what propagation of zeros executes abstractly, and what code for the iterations that matter will
// be made from. Bounds and subscripts are affine in loop counters and parameters.
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
  /// Equality of functions; zeros at the end do not matter.
  bool sameAs(const AffineValue &Other) const;
};

struct DenseAccess {
  unsigned Array = 0;
  std::vector<AffineValue> Subscripts;
  bool sameAs(const DenseAccess &Other) const;
  /// How many loops, from the outermost on, have counters that it depends on.
  unsigned depth() const;
};

struct DenseStatement {
  std::string Name;
  unsigned Depth = 0; ///< loops around it
  /// It runs where one of these holds: all values of a conjunction are >= 0.
  std::vector<std::vector<AffineValue>> Domain;
  DenseAccess Write;
  bool MayWrite = false; ///< the old value may stay
  std::vector<DenseAccess> Reads;
  DenseExpression Value;
};

struct DenseArray {
  std::string Name;
  unsigned Rank = 0;
  /// Extents; the first one of a pointer is not known and has no value: Extents[0].Constant < 0.
  std::vector<AffineValue> Extents;
  bool IsTemporary = false; ///< a value outside of memory: nobody sees it afterwards
};

/// A loop or a statement, in the order of the program.
struct DenseItem {
  bool IsLoop = false;
  unsigned Statement = 0;
  std::vector<DenseItem> Body;
};

/// The numbers of those in \p Items, in their order.
std::vector<unsigned> statementsIn(const std::vector<DenseItem> &Items);

struct DenseProgram {
  std::vector<std::string> Parameters;
  std::vector<DenseArray> Arrays;
  std::vector<DenseStatement> Statements;
  std::vector<DenseItem> Items;

  /// With numbers in place of parameters.
  DenseProgram with(std::span<const int64_t> Values) const;
  /// "A[i][k - 1]"
  std::string accessText(const DenseAccess &Access) const;
  std::string statementText(unsigned Number) const;
};

/// "i", "j", "k", "l", then "i4" …
std::string counterName(size_t Loop);
std::string affineText(const AffineValue &Value, std::span<const std::string> Parameters);

} // namespace specrt

#endif
