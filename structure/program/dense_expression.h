//===- structure/program/dense_expression.h - what a statement computes, as far as zeros go ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expression on the right of an assignment, free of the compiler's types: what is said about
// zeros (equations, conditions, evaluation on data) needs operators, constants and which access is
// read, nothing more. What is not known stays Unknown, which may be nonzero everywhere.
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
  Unknown, ///< any value at all
  Read,    ///< of an access
  Add,
  Subtract,
  Multiply,
  Divide,
  Negate,
  Same,        ///< conversions, absolute values, square roots: zero exactly where their operand is
  Either,      ///< select, minimum, maximum: one of two operands, or one of their values
  MultiplyAdd, ///< a * b + c
};

struct DenseNode {
  DenseOp Op = DenseOp::Unknown;
  double Value = 0;                     ///< of a constant
  unsigned Access = 0;                  ///< of a read
  std::array<unsigned, 3> Operand = {}; ///< numbers of nodes, which come before this one
};

/// How many operands an operator has.
unsigned numOperands(DenseOp Op);

/// Nodes in an order in which operands come first; the last one is the value. A node may be an
/// operand more than once.
struct DenseExpression {
  std::vector<DenseNode> Nodes;

  unsigned constant(double Value) { return add({.Op = DenseOp::Constant, .Value = Value}); }
  unsigned unknown() { return add({}); }
  unsigned read(unsigned Access) { return add({.Op = DenseOp::Read, .Access = Access}); }
  unsigned apply(DenseOp Op, unsigned A, unsigned B = 0, unsigned C = 0) {
    return add({.Op = Op, .Operand = {A, B, C}});
  }
  unsigned root() const { return static_cast<unsigned>(Nodes.size()) - 1; }

  /// "A[i][k] * B[k][j] + 1", with \p AccessText for what is read.
  std::string text(const std::function<std::string(unsigned Access)> &AccessText) const;

private:
  unsigned add(DenseNode Node) {
    Nodes.push_back(Node);
    return root();
  }
};

} // namespace specrt

#endif
