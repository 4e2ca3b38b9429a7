//===- structure/program/dense_program.cpp - substitution of parameters, and text of programs -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/program/dense_program.h"

#include <algorithm>

namespace specrt {
namespace {

bool sameCoefficients(const std::vector<int64_t> &A, const std::vector<int64_t> &B) {
  for (size_t I = 0; I < std::max(A.size(), B.size()); ++I)
    if ((I < A.size() ? A[I] : 0) != (I < B.size() ? B[I] : 0))
      return false;
  return true;
}

/// Parameters are arbitrary numbers. Larger magnitudes are clamped, as no element is that far away.
constexpr int64_t MostConstant = int64_t{1} << 60;

void substitute(AffineValue &In, std::span<const int64_t> Values) {
  // Terms may be large and cancel, so the sum of clamped terms is computed in 128 bits.
  constexpr __int128 MostTerm = __int128{1} << 100;
  __int128 Sum = In.Constant;
  for (size_t P = 0; P < In.Parameters.size(); ++P)
    Sum += std::clamp(__int128{In.Parameters[P]} * Values[P], -MostTerm, MostTerm);
  In.Constant =
      static_cast<int64_t>(std::clamp(Sum, __int128{-MostConstant}, __int128{MostConstant}));
  In.Parameters.clear();
}

void substitute(DenseAccess &In, std::span<const int64_t> Values) {
  for (AffineValue &Subscript : In.Subscripts)
    substitute(Subscript, Values);
}

/// Appends a term such as " + 3i" to \p To.
void addTerm(std::string &To, int64_t Factor, const std::string &Name) {
  if (Factor == 0)
    return;
  const bool IsNegative = Factor < 0;
  const std::string Size = std::to_string(IsNegative ? -Factor : Factor);
  To += To.empty() ? (IsNegative ? "-" : "") : (IsNegative ? " - " : " + ");
  To += Name.empty() ? Size : (Size == "1" ? "" : Size) + Name;
}

} // namespace

bool AffineValue::sameAs(const AffineValue &Other) const {
  return Constant == Other.Constant && sameCoefficients(Loops, Other.Loops) &&
         sameCoefficients(Parameters, Other.Parameters);
}

bool DenseAccess::sameAs(const DenseAccess &Other) const {
  return Array == Other.Array &&
         std::equal(Subscripts.begin(), Subscripts.end(), Other.Subscripts.begin(),
                    Other.Subscripts.end(),
                    [](const AffineValue &A, const AffineValue &B) { return A.sameAs(B); });
}

unsigned DenseAccess::depth() const {
  size_t Depth = 0;
  for (const AffineValue &Subscript : Subscripts)
    for (size_t K = 0; K < Subscript.Loops.size(); ++K)
      if (Subscript.Loops[K] != 0)
        Depth = std::max(Depth, K + 1);
  return static_cast<unsigned>(Depth);
}

static void addStatements(const std::vector<DenseItem> &Items, std::vector<unsigned> &To) {
  for (const DenseItem &Item : Items)
    if (Item.IsLoop)
      addStatements(Item.Body, To);
    else
      To.push_back(Item.Statement);
}

std::vector<unsigned> statementsIn(const std::vector<DenseItem> &Items) {
  std::vector<unsigned> Statements;
  addStatements(Items, Statements);
  return Statements;
}

DenseProgram DenseProgram::with(std::span<const int64_t> Values) const {
  DenseProgram Result = *this;
  Result.Parameters.clear();
  for (DenseArray &Array : Result.Arrays)
    for (AffineValue &Extent : Array.Extents)
      substitute(Extent, Values);
  for (DenseStatement &Statement : Result.Statements) {
    for (auto &Conjunction : Statement.Domain)
      for (AffineValue &Constraint : Conjunction)
        substitute(Constraint, Values);
    substitute(Statement.Write, Values);
    for (DenseAccess &Read : Statement.Reads)
      substitute(Read, Values);
  }
  return Result;
}

std::string counterName(size_t Loop) {
  return Loop < 4 ? std::string(1, static_cast<char>('i' + Loop)) : "i" + std::to_string(Loop);
}

std::string affineText(const AffineValue &Value, std::span<const std::string> Parameters) {
  std::string Text;
  for (size_t K = 0; K < Value.Loops.size(); ++K)
    addTerm(Text, Value.Loops[K], counterName(K));
  for (size_t P = 0; P < Value.Parameters.size(); ++P)
    addTerm(Text, Value.Parameters[P], Parameters[P]);
  addTerm(Text, Value.Constant, "");
  return Text.empty() ? "0" : Text;
}

std::string DenseProgram::accessText(const DenseAccess &Access) const {
  std::string Text = Arrays[Access.Array].Name;
  for (const AffineValue &Subscript : Access.Subscripts)
    Text += "[" + affineText(Subscript, Parameters) + "]";
  return Text;
}

std::string DenseProgram::statementText(unsigned Number) const {
  const DenseStatement &S = Statements[Number];
  return accessText(S.Write) + " = " +
         S.Value.text([&](unsigned Access) { return accessText(S.Reads[Access]); });
}

} // namespace specrt
