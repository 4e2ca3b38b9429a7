//===- specializer/sparse/conditions/statement_conditions.cpp - conditions of statements -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/conditions/statement_conditions.h"

#include <algorithm>

namespace specrt {
namespace {

/// nz: the value may be nonzero; ne: it may differ from the element that is written.
struct Attributes {
  Condition Nz = Condition::always();
  Condition Ne = Condition::always();
};

class Attribution {
public:
  Attribution(const DenseStatement &S, const std::vector<bool> &IsSparse)
      : S(S), IsSparse(IsSparse) {}

  StatementConditions run() {
    for (const DenseNode &Node : S.Value.Nodes)
      All.push_back(attributesOf(Node));
    const Attributes &Root = All.back();
    const Condition Target = guardOf(S.Write);
    Result.Nonzero = Root.Nz;
    Result.Executed = Root.Ne & (Target | Root.Nz);
    return std::move(Result);
  }

private:
  Condition guardOf(const DenseAccess &Access);
  Attributes attributesOf(const DenseNode &Node);
  static Attributes sum(const Attributes &A, const Attributes &B) {
    return {A.Nz | B.Nz, (A.Ne | B.Nz) & (A.Nz | B.Ne)};
  }

  const DenseStatement &S;
  const std::vector<bool> &IsSparse;
  std::vector<Attributes> All;
  StatementConditions Result;
};

Condition Attribution::guardOf(const DenseAccess &Access) {
  if (Access.Array >= IsSparse.size() || !IsSparse[Access.Array])
    return Condition::always();
  auto &Guards = Result.Guards;
  const auto Known = std::find_if(Guards.begin(), Guards.end(),
                                  [&](const DenseAccess &Other) { return Other.sameAs(Access); });
  const auto Number = static_cast<unsigned>(Known - Guards.begin());
  if (Known == Guards.end())
    Guards.push_back(Access);
  return Condition::guard(Number);
}

Attributes Attribution::attributesOf(const DenseNode &Node) {
  auto Operand = [&](unsigned K) -> const Attributes & { return All[Node.Operand[K]]; };
  switch (Node.Op) {
  case DenseOp::Constant:
    return {Node.Value == 0 ? Condition::never() : Condition::always(), Condition::always()};
  case DenseOp::Unknown:
    return {};
  case DenseOp::Read: {
    const DenseAccess &Access = S.Reads[Node.Access];
    return {guardOf(Access), Access.sameAs(S.Write) ? Condition::never() : Condition::always()};
  }
  case DenseOp::Add:
    return sum(Operand(0), Operand(1));
  case DenseOp::Subtract:
    return {Operand(0).Nz | Operand(1).Nz, Operand(0).Ne | Operand(1).Nz};
  case DenseOp::Multiply:
    return {Operand(0).Nz & Operand(1).Nz, Condition::always()};
  case DenseOp::Divide:
  case DenseOp::Negate:
  case DenseOp::Same:
    return {Operand(0).Nz, Condition::always()};
  case DenseOp::Either:
    return {Operand(0).Nz | Operand(1).Nz, Condition::always()};
  case DenseOp::MultiplyAdd:
    return sum({Operand(0).Nz & Operand(1).Nz, Condition::always()}, Operand(2));
  }
  return {};
}

/// Finds the guards that dominate each loop of a program.
class SkipFinder {
public:
  SkipFinder(const DenseProgram &Program, const std::vector<bool> &IsSparse) : Program(Program) {
    for (const DenseStatement &Statement : Program.Statements)
      Conditions.push_back(conditionsOf(Statement, IsSparse));
  }

  void visit(const std::vector<DenseItem> &Items, unsigned Depth, std::vector<DenseAccess> Known);
  std::vector<SkipTest> Found;

private:
  bool dominates(const DenseAccess &Guard, const std::vector<unsigned> &Statements) const;
  std::vector<DenseAccess> others(const DenseAccess &Guard,
                                  const std::vector<unsigned> &Statements) const;

  const DenseProgram &Program;
  std::vector<StatementConditions> Conditions;
  unsigned NumLoops = 0;
};

bool contains(const std::vector<DenseAccess> &Where, const DenseAccess &What) {
  return std::any_of(Where.begin(), Where.end(),
                     [&](const DenseAccess &Other) { return Other.sameAs(What); });
}

/// Returns whether \p Guard dominates \p Statements; those that are never executed do not count.
bool SkipFinder::dominates(const DenseAccess &Guard,
                           const std::vector<unsigned> &Statements) const {
  return std::all_of(Statements.begin(), Statements.end(), [&](unsigned Number) {
    const StatementConditions &Of = Conditions[Number];
    if (Of.Executed.isNever())
      return true;
    for (unsigned I = 0; I < Of.Guards.size(); ++I)
      if (Of.Guards[I].sameAs(Guard))
        return Of.Executed.implies(I);
    return false;
  });
}

std::vector<DenseAccess> SkipFinder::others(const DenseAccess &Guard,
                                            const std::vector<unsigned> &Statements) const {
  std::vector<DenseAccess> Result;
  for (unsigned Number : Statements) {
    const DenseStatement &Statement = Program.Statements[Number];
    for (const DenseAccess &Read : Statement.Reads)
      if (!Read.sameAs(Guard) && !Read.sameAs(Statement.Write) && !contains(Result, Read))
        Result.push_back(Read);
  }
  return Result;
}

void SkipFinder::visit(const std::vector<DenseItem> &Items, unsigned Depth,
                       std::vector<DenseAccess> Known) {
  for (const DenseItem &Item : Items) {
    if (!Item.IsLoop)
      continue;
    const unsigned Loop = NumLoops++;
    const std::vector<unsigned> Statements = statementsIn(Item.Body);
    std::vector<DenseAccess> Here = Known;
    for (unsigned Number : Statements)
      for (const DenseAccess &Guard : Conditions[Number].Guards)
        if (Guard.depth() <= Depth && !contains(Here, Guard) && dominates(Guard, Statements)) {
          Here.push_back(Guard);
          Found.push_back({Loop, Depth, Guard, Guard.depth(), others(Guard, Statements)});
        }
    visit(Item.Body, Depth + 1, std::move(Here));
  }
}

} // namespace

StatementConditions conditionsOf(const DenseStatement &Statement,
                                 const std::vector<bool> &IsSparse) {
  return Attribution(Statement, IsSparse).run();
}

std::vector<SkipTest> skipTests(const DenseProgram &Program, const std::vector<bool> &IsSparse) {
  SkipFinder Finder(Program, IsSparse);
  Finder.visit(Program.Items, 1, {});
  return std::move(Finder.Found);
}

} // namespace specrt
