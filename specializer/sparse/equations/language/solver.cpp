//===- specializer/sparse/equations/language/solver.cpp - Arden's lemma and elimination ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// X = X.A | B has the least solution X = B.A*. Within a component, unknowns are eliminated one by
// one, the last one first; the rest of an equation then refers only to names before it. Statements
// with the most loops are last: their stars are chains along one loop, whose closure isl knows, and
// the outer ones are left with steps of whole loops.
//
//===----------------------------------------------------------------------===//
#include "specializer/sparse/equations/language/components.h"
#include "specializer/sparse/equations/language/sparsity_system.h"
#include "isl/set.h"

#include <algorithm>
#include <map>

namespace specrt {
namespace {

using Kind = SparsityTerm::Kind;
using Coefficients = std::map<unsigned, RegularExpression>;

/// X = sum of Unknowns . coefficient | Rest.
struct LinearForm {
  Coefficients Unknowns;
  std::vector<SolvedPart> Rest;

  void add(LinearForm Other) {
    for (auto &[Name, Path] : Other.Unknowns)
      Unknowns[Name] = Unknowns[Name] | Path;
    for (SolvedPart &Part : Other.Rest)
      addRest(std::move(Part));
  }
  void addRest(SolvedPart Part) {
    for (SolvedPart &Old : Rest)
      if (!Old.IsTerm && !Part.IsTerm && Old.Name == Part.Name) {
        Old.Path = Old.Path | Part.Path;
        return;
      }
    Rest.push_back(std::move(Part));
  }
  LinearForm then(const RegularExpression &Path) const {
    LinearForm Result = *this;
    for (auto &[Name, Old] : Result.Unknowns)
      Old = Old * Path;
    for (SolvedPart &Part : Result.Rest)
      Part.Path = Part.Path * Path;
    return Result;
  }
};

class Solver {
public:
  explicit Solver(const SparsitySystem &System) : System(System) {}
  SparsitySolution run();

private:
  void solveComponent(const std::vector<unsigned> &Component);
  bool isLinear(const SparsityTerm &Term) const;
  bool mentions(const SparsityTerm &Term) const;
  LinearForm linearForm(const SparsityTerm &Term, const SparsityTerm &Restriction);
  LinearForm linearProduct(const SparsityTerm &Term, const SparsityTerm &Restriction);
  unsigned letter(const isl::map &Relation, const SparsityTerm &Restriction);
  bool isInside(unsigned Name) const {
    return std::find(Inside.begin(), Inside.end(), Name) != Inside.end();
  }

  const SparsitySystem &System;
  SparsitySolution Result;
  std::vector<unsigned> Inside; ///< the component that is being solved
  unsigned Current = 0;         ///< the name whose equation is being solved
};

bool Solver::mentions(const SparsityTerm &Term) const {
  return (Term.K == Kind::Read && isInside(Term.Name)) ||
         std::any_of(Term.Parts.begin(), Term.Parts.end(),
                     [&](const SparsityTerm &Part) { return mentions(Part); });
}

bool Solver::isLinear(const SparsityTerm &Term) const {
  unsigned NumInside = 0;
  for (const SparsityTerm &Part : Term.Parts) {
    if (!isLinear(Part))
      return false;
    NumInside += mentions(Part);
  }
  return Term.K != Kind::Intersection || NumInside <= 1;
}

unsigned Solver::letter(const isl::map &Relation, const SparsityTerm &Restriction) {
  if (Restriction.K == Kind::Everything)
    for (unsigned I = 0; I < Result.Letters.size(); ++I)
      if (Result.Letters[I].Restriction.K == Kind::Everything &&
          Result.Letters[I].Relation.get_space().is_equal(Relation.get_space()).is_true() &&
          Result.Letters[I].Relation.is_equal(Relation).is_true())
        return I;
  Result.Letters.push_back({Relation, Restriction});
  return static_cast<unsigned>(Result.Letters.size()) - 1;
}

/// Returns the linear form of \p Term restricted to \p Restriction, which mentions no unknown.
LinearForm Solver::linearForm(const SparsityTerm &Term, const SparsityTerm &Restriction) {
  LinearForm Form;
  switch (Term.K) {
  case Kind::Empty:
    break;
  case Kind::Read: {
    RegularExpression Path = RegularExpression::letter(letter(Term.Flow, Restriction));
    if (isInside(Term.Name))
      Form.Unknowns[Term.Name] = std::move(Path);
    else
      Form.addRest({false, Term.Name, {}, std::move(Path)});
    break;
  }
  case Kind::Union:
    for (const SparsityTerm &Part : Term.Parts)
      Form.add(linearForm(Part, Restriction));
    break;
  case Kind::Intersection:
    if (mentions(Term)) {
      Form = linearProduct(Term, Restriction);
      break;
    }
    [[fallthrough]];
  case Kind::Everything:
    Form.addRest({true, Current, SparsityTerm::intersectionOf({Term, Restriction}),
                  RegularExpression::epsilon()});
    break;
  }
  return Form;
}

/// Returns the linear form of a product with one factor that has unknowns.
LinearForm Solver::linearProduct(const SparsityTerm &Term, const SparsityTerm &Restriction) {
  std::vector<SparsityTerm> Others = {Restriction};
  const SparsityTerm *Factor = nullptr;
  for (const SparsityTerm &Part : Term.Parts)
    if (mentions(Part))
      Factor = &Part;
    else
      Others.push_back(Part);
  return linearForm(*Factor, SparsityTerm::intersectionOf(std::move(Others)));
}

void Solver::solveComponent(const std::vector<unsigned> &Component) {
  Inside = Component;
  for (unsigned Name : Component)
    if (!isLinear(System[Name].Value)) {
      for (unsigned Each : Component)
        Result.Equations[Each].NeedsIteration = true;
      return;
    }
  std::map<unsigned, LinearForm> Forms;
  for (unsigned Name : Component) {
    Current = Name;
    Forms[Name] = linearForm(System[Name].Value, SparsityTerm::everything());
  }
  for (auto Last = Component.rbegin(); Last != Component.rend(); ++Last) {
    LinearForm &Own = Forms[*Last];
    const RegularExpression Loop = Own.Unknowns[*Last].star();
    Own.Unknowns.erase(*Last);
    Own = Own.then(Loop);
    for (auto Earlier = std::next(Last); Earlier != Component.rend(); ++Earlier) {
      LinearForm &Other = Forms[*Earlier];
      if (const auto Found = Other.Unknowns.find(*Last); Found != Other.Unknowns.end()) {
        const RegularExpression Path = Found->second;
        Other.Unknowns.erase(Found);
        Other.add(Own.then(Path));
      }
    }
  }
  for (unsigned Name : Component) {
    std::vector<SolvedPart> &Parts = Result.Equations[Name].Parts;
    for (auto &[Before, Path] : Forms[Name].Unknowns)
      if (!Path.isEmpty())
        Parts.push_back({false, Before, {}, Path});
    for (SolvedPart &Part : Forms[Name].Rest)
      Parts.push_back(std::move(Part));
  }
}

void addNames(const SparsityTerm &Term, std::vector<unsigned> &To) {
  if (Term.K == Kind::Read)
    To.push_back(Term.Name);
  for (const SparsityTerm &Part : Term.Parts)
    addNames(Part, To);
}

SparsitySolution Solver::run() {
  Result.Equations.resize(System.size());
  std::vector<std::vector<unsigned>> Uses(System.size());
  for (unsigned I = 0; I < System.size(); ++I)
    addNames(System[I].Value, Uses[I]);
  Result.Order = componentsInOrder(Uses);
  auto NumLoops = [&](unsigned Name) {
    return isl_set_dim(System[Name].Domain.get(), isl_dim_set);
  };
  for (std::vector<unsigned> &Component : Result.Order)
    std::sort(Component.begin(), Component.end(), [&](unsigned A, unsigned B) {
      return std::pair(NumLoops(A), A) < std::pair(NumLoops(B), B);
    });
  for (const std::vector<unsigned> &Component : Result.Order)
    if (!System[Component[0]].IsLiveIn)
      solveComponent(Component);
  return std::move(Result);
}

} // namespace

SparsitySolution solve(const SparsitySystem &System) { return Solver(System).run(); }

} // namespace specrt
