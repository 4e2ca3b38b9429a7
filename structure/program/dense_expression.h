//===- structure/program/dense_expression.h - expressions of statements, for zero analysis -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The right-hand side of an assignment, free of the compiler's types. The analysis of zeros
// (equations, conditions, evaluation on data) needs only operators, constants and accesses. Unknown
// stands for all else; it may be nonzero everywhere.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_PROGRAM_DENSE_EXPRESSION_H
#define SPECRT_STRUCTURE_PROGRAM_DENSE_EXPRESSION_H

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace specrt {

enum class DenseOp : uint8_t {
  Constant,
  Unknown, ///< may have any value
  Read,    ///< reads an access
  Add,
  Subtract,
  Multiply,
  Divide,
  Negate,
  Same,        ///< conversion, absolute value, square root: zero exactly where the operand is
  Either,      ///< select, minimum, maximum: each value is one of the operands
  MultiplyAdd, ///< a * b + c
};

struct DenseNode {
  DenseOp Op = DenseOp::Unknown;
  double Value = 0;                     ///< of a constant
  unsigned Access = 0;                  ///< of a read
  std::array<unsigned, 3> Operand = {}; ///< operands: numbers of earlier nodes
};

/// Returns the number of operands.
unsigned numOperands(DenseOp Op);

/// Nodes in topological order; the last one is the root. Nodes may be shared.
struct DenseExpression {
  std::vector<DenseNode> Nodes;

  unsigned constant(double Value) { return add({.Op = DenseOp::Constant, .Value = Value}); }
  unsigned unknown() { return add({}); }
  unsigned read(unsigned Access) { return add({.Op = DenseOp::Read, .Access = Access}); }
  unsigned apply(DenseOp Op, unsigned A, unsigned B = 0, unsigned C = 0) {
    return add({.Op = Op, .Operand = {A, B, C}});
  }
  unsigned root() const { return static_cast<unsigned>(Nodes.size()) - 1; }

  /// Returns text such as "A[i][k] * B[k][j] + 1"; \p AccessText gives the text of a read.
  std::string text(const std::function<std::string(unsigned Access)> &AccessText) const;

private:
  unsigned add(DenseNode Node) {
    Nodes.push_back(Node);
    return root();
  }
};

} // namespace specrt

#endif
