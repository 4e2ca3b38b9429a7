//===- structure/propagation/zero_terms.cpp - when a value may be nonzero ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/propagation/zero_terms.h"

#include <algorithm>

namespace specrt {
namespace {

using Kind = ZeroTerm::Kind;

/// Beyond it a value is taken for nonzero: terms share nothing.
constexpr size_t MaxNodes = 64;

ZeroTerm leaf(Kind K) { return {K, 0, {}}; }

/// \p Neutral changes nothing, \p Absorbing decides.
ZeroTerm join(Kind Wanted, Kind Neutral, Kind Absorbing, const ZeroTerm &A, const ZeroTerm &B) {
  if (A.K == Absorbing || B.K == Absorbing)
    return leaf(Absorbing);
  if (A.K == Neutral)
    return B;
  if (B.K == Neutral)
    return A;
  ZeroTerm Both = leaf(Wanted);
  for (const ZeroTerm *Side : {&A, &B})
    if (Side->K == Wanted)
      Both.Parts.insert(Both.Parts.end(), Side->Parts.begin(), Side->Parts.end());
    else
      Both.Parts.push_back(*Side);
  return Both;
}
ZeroTerm anyOf(const ZeroTerm &A, const ZeroTerm &B) {
  return join(Kind::Any, Kind::Never, Kind::Always, A, B);
}
ZeroTerm allOf(const ZeroTerm &A, const ZeroTerm &B) {
  return join(Kind::All, Kind::Always, Kind::Never, A, B);
}

} // namespace

bool ZeroTerm::isOldValue(const DenseStatement &Of) const {
  return K == Kind::Read && Of.Reads[Access].sameAs(Of.Write);
}

bool ZeroTerm::includesOldValue(const DenseStatement &Of) const {
  return K == Kind::Any && std::any_of(Parts.begin(), Parts.end(),
                                       [&](const ZeroTerm &Part) { return Part.isOldValue(Of); });
}

ZeroTerm ZeroTerm::withoutOldValue(const DenseStatement &Of) const {
  if (K != Kind::Any)
    return *this;
  ZeroTerm Rest = leaf(Kind::Any);
  for (const ZeroTerm &Part : Parts)
    if (!Part.isOldValue(Of))
      Rest.Parts.push_back(Part);
  return Rest;
}

ZeroTerm zeroTerm(const DenseStatement &Of, const std::vector<bool> &IsEverywhere) {
  if (Of.Value.Nodes.size() > MaxNodes)
    return leaf(Kind::Always);
  std::vector<ZeroTerm> Terms;
  for (const DenseNode &Node : Of.Value.Nodes) {
    auto Operand = [&](unsigned K) -> const ZeroTerm & { return Terms[Node.Operand[K]]; };
    ZeroTerm Term = leaf(Kind::Always);
    switch (Node.Op) {
    case DenseOp::Constant:
      Term = leaf(Node.Value == 0 ? Kind::Never : Kind::Always);
      break;
    case DenseOp::Unknown:
      break;
    case DenseOp::Read:
      if (!IsEverywhere[Of.Reads[Node.Access].Array])
        Term = {Kind::Read, Node.Access, {}};
      break;
    case DenseOp::Add:
    case DenseOp::Subtract:
    case DenseOp::Either:
      Term = anyOf(Operand(0), Operand(1));
      break;
    case DenseOp::Multiply:
      Term = allOf(Operand(0), Operand(1));
      break;
    case DenseOp::Divide:
    case DenseOp::Negate:
    case DenseOp::Same:
      Term = Operand(0);
      break;
    case DenseOp::MultiplyAdd:
      Term = anyOf(allOf(Operand(0), Operand(1)), Operand(2));
      break;
    }
    Terms.push_back(std::move(Term));
  }
  return std::move(Terms.back());
}

} // namespace specrt
