//===- structure/program/zero_rules.h - rules for where an expression may be nonzero -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum is nonzero where any operand is, a product where all are. The caller chooses the
// representation of sets: known nodes, or relations.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_PROGRAM_ZERO_RULES_H
#define SPECRT_STRUCTURE_PROGRAM_ZERO_RULES_H

#include "structure/program/dense_expression.h"

#include <utility>
#include <vector>

namespace specrt {

/// Larger expressions count as nonzero everywhere.
constexpr size_t MaxRuledNodes = 64;
/// So do subexpressions that become larger without sharing, such as x * x * x ... by squares.
constexpr size_t MaxUnsharedNodes = 1024;

/// Returns where the value of \p Of may be nonzero. \p Rules provides never(), always(),
/// read(access), anyOf(a, b) and allOf(a, b), all of one type.
template <typename Rules> auto nonzeroWhere(const DenseExpression &Of, Rules &&By) {
  using Where = decltype(By.always());
  if (Of.Nodes.size() > MaxRuledNodes)
    return By.always();
  std::vector<Where> Known;
  std::vector<size_t> Size;
  for (const DenseNode &Node : Of.Nodes) {
    auto Operand = [&](unsigned K) -> const Where & { return Known[Node.Operand[K]]; };
    size_t Mine = 1;
    for (unsigned K = 0; K < numOperands(Node.Op); ++K)
      Mine += Size[Node.Operand[K]];
    Where Value = By.always();
    switch (Mine > MaxUnsharedNodes ? DenseOp::Unknown : Node.Op) {
    case DenseOp::Constant:
      if (Node.Value == 0)
        Value = By.never();
      break;
    case DenseOp::Unknown:
      Mine = 1;
      break;
    case DenseOp::Read:
      Value = By.read(Node.Access);
      break;
    case DenseOp::Add:
    case DenseOp::Subtract:
    case DenseOp::Either:
      Value = By.anyOf(Operand(0), Operand(1));
      break;
    case DenseOp::Multiply:
      Value = By.allOf(Operand(0), Operand(1));
      break;
    case DenseOp::Divide:
    case DenseOp::Negate:
    case DenseOp::Same:
      Value = Operand(0);
      break;
    case DenseOp::MultiplyAdd:
      Value = By.anyOf(By.allOf(Operand(0), Operand(1)), Operand(2));
      break;
    }
    Known.push_back(std::move(Value));
    Size.push_back(Mine);
  }
  return std::move(Known.back());
}

} // namespace specrt

#endif
