//===- specializer/sparse/equations/language/concretisation.cpp - solutions as sets ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/equations/language/concretisation.h"
#include "isl/union_map.h"

#include <algorithm>

namespace specrt {
namespace {

using Kind = SparsityTerm::Kind;

class Concretiser {
public:
  Concretiser(const SparsitySystem &System, const SparsitySolution &Solution,
              std::vector<isl::set> Nonzero)
      : System(System), Solution(Solution) {
    Result.Nonzero = std::move(Nonzero);
  }

  std::optional<ConcreteStructures> run(unsigned MaxRounds);
  isl::union_map relation(const RegularExpression &Path);
  bool isExact() const { return Result.IsExact; }

private:
  isl::set valueOf(const SparsityTerm &Term, const isl::set &Domain) const;
  isl::union_set image(isl::union_set Of, const RegularExpression &Path);
  isl::set solved(unsigned Name);
  isl::union_map closure(const RegularExpression &Of);
  isl::union_map relationOfLetter(unsigned Number) const;
  isl::union_map emptyRelation() const { return isl::union_map::empty(System[0].Domain.ctx()); }
  bool iterate(const std::vector<unsigned> &Component, unsigned MaxRounds);

  const SparsitySystem &System;
  const SparsitySolution &Solution;
  ConcreteStructures Result;
};

isl::set Concretiser::valueOf(const SparsityTerm &Term, const isl::set &Domain) const {
  switch (Term.K) {
  case Kind::Empty:
    break;
  case Kind::Everything:
    return Domain;
  case Kind::Read:
    return Result.Nonzero[Term.Name].apply(Term.Flow).intersect(Domain);
  case Kind::Union: {
    isl::set All = isl::set::empty(Domain.get_space());
    for (const SparsityTerm &Part : Term.Parts)
      All = All.unite(valueOf(Part, Domain));
    return All.coalesce();
  }
  case Kind::Intersection: {
    isl::set All = Domain;
    for (const SparsityTerm &Part : Term.Parts)
      All = All.intersect(valueOf(Part, All));
    return All.coalesce();
  }
  }
  return isl::set::empty(Domain.get_space());
}

isl::union_map Concretiser::relationOfLetter(unsigned Number) const {
  const RelationLetter &Letter = Solution.Letters[Number];
  if (Letter.Restriction.K == Kind::Everything)
    return isl::union_map(Letter.Relation);
  const isl::set Range = Letter.Relation.range();
  return isl::union_map(Letter.Relation.intersect_range(valueOf(Letter.Restriction, Range)));
}

isl::union_map Concretiser::closure(const RegularExpression &Of) {
  isl_bool IsExact = isl_bool_true;
  isl::union_map Closure =
      isl::manage(isl_union_map_transitive_closure(relation(Of).coalesce().release(), &IsExact));
  Result.IsExact &= IsExact == isl_bool_true;
  return Closure.coalesce();
}

isl::union_map Concretiser::relation(const RegularExpression &Path) {
  auto Identity = [&] {
    isl::union_map All = emptyRelation();
    for (const SparsityEquation &Equation : System)
      All = All.unite(isl::union_set(Equation.Domain).identity());
    return All;
  };
  switch (Path.kind()) {
  case RegularExpression::Kind::Empty:
    break;
  case RegularExpression::Kind::Epsilon:
    return Identity();
  case RegularExpression::Kind::Letter:
    return relationOfLetter(Path.letterNumber());
  case RegularExpression::Kind::Union: {
    isl::union_map All = emptyRelation();
    for (const RegularExpression &Part : Path.parts())
      All = All.unite(relation(Part));
    return All;
  }
  case RegularExpression::Kind::Concatenation: {
    isl::union_map All = relation(Path.parts().front());
    for (size_t I = 1; I < Path.parts().size(); ++I)
      All = All.apply_range(relation(Path.parts()[I]));
    return All;
  }
  case RegularExpression::Kind::Star:
    return closure(Path.parts()[0]).unite(Identity());
  }
  return emptyRelation();
}

/// Applies the relation of \p Path step by step, which needs less than composing it.
isl::union_set Concretiser::image(isl::union_set Of, const RegularExpression &Path) {
  switch (Path.kind()) {
  case RegularExpression::Kind::Epsilon:
    return Of;
  case RegularExpression::Kind::Union: {
    isl::union_set All = isl::union_set::empty(Of.ctx());
    for (const RegularExpression &Part : Path.parts())
      All = All.unite(image(Of, Part));
    return All;
  }
  case RegularExpression::Kind::Concatenation:
    for (const RegularExpression &Part : Path.parts())
      Of = image(Of, Part);
    return Of;
  case RegularExpression::Kind::Star:
    return Of.unite(Of.apply(closure(Path.parts()[0])));
  default:
    return Of.apply(relation(Path));
  }
}

isl::set Concretiser::solved(unsigned Name) {
  const isl::set &Domain = System[Name].Domain;
  isl::union_set All = isl::union_set::empty(Domain.ctx());
  for (const SolvedPart &Part : Solution.Equations[Name].Parts) {
    const isl::set Start =
        Part.IsTerm ? valueOf(Part.Term, System[Part.Name].Domain) : Result.Nonzero[Part.Name];
    All = All.unite(image(isl::union_set(Start), Part.Path));
  }
  return All.extract_set(Domain.get_space()).intersect(Domain).coalesce();
}

bool Concretiser::iterate(const std::vector<unsigned> &Component, unsigned MaxRounds) {
  for (unsigned Name : Component)
    Result.Nonzero[Name] = isl::set::empty(System[Name].Domain.get_space());
  for (unsigned Round = 1; Round <= MaxRounds; ++Round) {
    bool HasGrown = false;
    for (unsigned Name : Component) {
      const isl::set Next = valueOf(System[Name].Value, System[Name].Domain).coalesce();
      const isl::boolean IsKnown = Next.is_subset(Result.Nonzero[Name]);
      if (IsKnown.is_error())
        return false;
      if (IsKnown.is_false()) {
        HasGrown = true;
        Result.Nonzero[Name] = Next;
      }
    }
    if (!HasGrown) {
      Result.Rounds = std::max(Result.Rounds, Round);
      return true;
    }
  }
  return false;
}

std::optional<ConcreteStructures> Concretiser::run(unsigned MaxRounds) {
  for (const std::vector<unsigned> &Component : Solution.Order) {
    if (System[Component[0]].IsLiveIn)
      continue;
    if (Solution.Equations[Component[0]].NeedsIteration) {
      if (!iterate(Component, MaxRounds))
        return std::nullopt;
      continue;
    }
    for (unsigned Name : Component) {
      Result.Nonzero[Name] = solved(Name);
      if (Result.Nonzero[Name].is_null())
        return std::nullopt;
    }
  }
  return std::move(Result);
}

} // namespace

std::optional<ConcreteStructures> concretise(const SparsitySystem &System,
                                             const SparsitySolution &Solution,
                                             const std::map<unsigned, isl::set> &LiveIns,
                                             unsigned MaxRounds) {
  std::vector<isl::set> Nonzero;
  for (unsigned I = 0; I < System.size(); ++I) {
    const auto Known = LiveIns.find(I);
    Nonzero.push_back(Known != LiveIns.end() ? Known->second
                      : System[I].IsLiveIn   ? System[I].Domain
                                             : isl::set::empty(System[I].Domain.get_space()));
  }
  return Concretiser(System, Solution, std::move(Nonzero)).run(MaxRounds);
}

isl::union_map relationOf(const RegularExpression &Path, const SparsitySystem &System,
                          const SparsitySolution &Solution, const std::vector<isl::set> &Nonzero,
                          bool &IsExact) {
  Concretiser Of(System, Solution, Nonzero);
  isl::union_map Relation = Of.relation(Path);
  IsExact = Of.isExact();
  return Relation;
}

} // namespace specrt
