//===- structure/program/dense_expression.cpp - text of expressions -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/program/dense_expression.h"

#include <cstdio>

namespace specrt {

unsigned numOperands(DenseOp Op) {
  switch (Op) {
  case DenseOp::Constant:
  case DenseOp::Unknown:
  case DenseOp::Read:
    return 0;
  case DenseOp::Negate:
  case DenseOp::Same:
    return 1;
  case DenseOp::MultiplyAdd:
    return 3;
  default:
    return 2;
  }
}

namespace {

using AccessTexts = std::function<std::string(unsigned)>;

/// Returns the precedence of an operator.
int rankOf(DenseOp Op) {
  switch (Op) {
  case DenseOp::Add:
  case DenseOp::Subtract:
  case DenseOp::MultiplyAdd:
    return 1;
  case DenseOp::Multiply:
  case DenseOp::Divide:
    return 2;
  default:
    return 3;
  }
}

struct Writer {
  const DenseExpression &Of;
  const AccessTexts &AccessText;

  std::string operand(const DenseNode &Node, unsigned Number, int MinRank) const {
    const unsigned At = Node.Operand[Number];
    const std::string Text = write(At);
    return rankOf(Of.Nodes[At].Op) < MinRank ? "(" + Text + ")" : Text;
  }
  std::string both(const DenseNode &Node, const char *Between, int Left, int Right) const {
    return operand(Node, 0, Left) + Between + operand(Node, 1, Right);
  }

  std::string write(unsigned At) const {
    const DenseNode &Node = Of.Nodes[At];
    switch (Node.Op) {
    case DenseOp::Constant: {
      char Text[32];
      (void)std::snprintf(Text, sizeof Text, "%g", Node.Value);
      return Text;
    }
    case DenseOp::Unknown:
      return "?";
    case DenseOp::Read:
      return AccessText(Node.Access);
    case DenseOp::Add:
      return both(Node, " + ", 1, 1);
    case DenseOp::Subtract:
      return both(Node, " - ", 1, 2);
    case DenseOp::Multiply:
      return both(Node, " * ", 2, 2);
    case DenseOp::Divide:
      return both(Node, " / ", 2, 3);
    case DenseOp::Negate:
      return "-" + operand(Node, 0, 3);
    case DenseOp::Same:
      return "f(" + write(Node.Operand[0]) + ")";
    case DenseOp::Either:
      return "either(" + both(Node, ", ", 0, 0) + ")";
    case DenseOp::MultiplyAdd:
      return both(Node, " * ", 2, 2) + " + " + operand(Node, 2, 1);
    }
    return "?";
  }
};

} // namespace

std::string DenseExpression::text(const AccessTexts &AccessText) const {
  return Nodes.empty() ? "?" : Writer{*this, AccessText}.write(root());
}

} // namespace specrt
