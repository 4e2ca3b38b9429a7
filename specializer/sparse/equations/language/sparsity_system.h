//===- specializer/sparse/equations/language/sparsity_system.h - zeros as equations ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The unknowns are, per statement, the set [S] of its iterations whose value may be nonzero; each
// live-in array has a name for the set of its nonzero elements. The value of a statement becomes a
// term over these by rules 9-17 of "Specializing dense polyhedral programs on sparse inputs": sums
// are unions, products intersections, and a read applies the value-based flow { T[j] -> S[i] } to
// [T]. An accumulation reads what its own statement wrote before, so reductions are recurrences,
// too.
//
// The equations are solved as language equations (section 5.2). A relation is a letter; a term that
// does not depend on the unknowns of its strongly connected component is a letter as a whole. A
// product in which only one factor depends on them is that factor, restricted to where the others
// may be nonzero, and so is still linear. With two such factors it is not, and the component needs
// iteration.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_EQUATIONS_LANGUAGE_SPARSITY_SYSTEM_H
#define SPECRT_SPECIALIZER_SPARSE_EQUATIONS_LANGUAGE_SPARSITY_SYSTEM_H

#include "specializer/sparse/equations/language/regular_expression.h"
#include "isl/isl-noexceptions.h"

#include <string>
#include <vector>

namespace specrt {

/// The right-hand side of an equation, or a part of it.
struct SparsityTerm {
  enum class Kind { Empty, Everything, Read, Union, Intersection };

  Kind K = Kind::Empty;
  unsigned Name = 0; ///< of a read: the name that it reads
  isl::map Flow;     ///< of a read: { T[j] -> S[i] }
  std::vector<SparsityTerm> Parts;

  static SparsityTerm everything() { return {Kind::Everything, 0, {}, {}}; }
  static SparsityTerm read(unsigned Name, const isl::map &Flow) {
    return {Kind::Read, Name, Flow, {}};
  }
  /// Returns the union, or the intersection, of \p Parts, without neutral parts.
  static SparsityTerm unionOf(std::vector<SparsityTerm> Parts);
  static SparsityTerm intersectionOf(std::vector<SparsityTerm> Parts);
};

struct SparsityEquation {
  std::string Name;
  isl::set Domain; ///< iterations of a statement; all elements of a live-in
  SparsityTerm Value;
  bool IsLiveIn = false; ///< an input, without a value of its own
};

/// Names are numbers of equations.
using SparsitySystem = std::vector<SparsityEquation>;

/// A relation that a letter stands for.
struct RelationLetter {
  isl::map Relation;
  /// Unless Empty: the relation only applies where this term may be nonzero.
  SparsityTerm Restriction;
};

/// A union of languages: names or terms, each followed by an expression.
struct SolvedPart {
  bool IsTerm = false;
  unsigned Name = 0; ///< of a term: the statement of its iterations
  SparsityTerm Term;
  RegularExpression Path;
};

struct SolvedEquation {
  std::vector<SolvedPart> Parts;
  /// The equation is in a component with a product of its own unknowns: it has no closed form, and
  /// Parts is empty.
  bool NeedsIteration = false;
};

struct SparsitySolution {
  std::vector<RelationLetter> Letters;
  std::vector<SolvedEquation> Equations; ///< as in the system
  /// Strongly connected components, each after those that it depends on. Within one, an equation
  /// refers only to names before it.
  std::vector<std::vector<unsigned>> Order;
};

SparsitySolution solve(const SparsitySystem &System);

} // namespace specrt

#endif
