//===- specializer/sparse/equations/language/sparsity_system.h - zeros as equations ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One unknown per statement, the set [S] of its iterations whose value may be nonzero, and one name
// per live-in array, the set of its nonzero elements. What a statement computes becomes a term over
// these by rules 9-17 of "Specializing dense polyhedral programs on sparse inputs": sums are
// unions, products intersections, and a read takes [T] along the value-based flow { T[j] -> S[i] }.
// An accumulation reads what its own statement wrote before; so reductions are recurrences as well.
//
// Solved as language equations (section 5.2). A relation is a letter; what does not depend on the
// unknowns of one strongly connected component is a letter as a whole. A product of which only one
// factor depends on them is that factor, restricted to where the others may be nonzero: still
// linear. With two such factors it is not; then only iteration remains.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_EQUATIONS_LANGUAGE_SPARSITY_SYSTEM_H
#define SPECRT_SPECIALIZER_SPARSE_EQUATIONS_LANGUAGE_SPARSITY_SYSTEM_H

#include "specializer/sparse/equations/language/regular_expression.h"
#include "isl/isl-noexceptions.h"

#include <string>
#include <vector>

namespace specrt {

/// The right side of an equation, or a part of it.
struct SparsityTerm {
  enum class Kind { Empty, Everything, Read, Union, Intersection };

  Kind K = Kind::Empty;
  unsigned Name = 0; ///< of a read: what it takes its values from
  isl::map Flow;     ///< of a read: { T[j] -> S[i] }
  std::vector<SparsityTerm> Parts;

  static SparsityTerm everything() { return {Kind::Everything, 0, {}, {}}; }
  static SparsityTerm read(unsigned Name, const isl::map &Flow) {
    return {Kind::Read, Name, Flow, {}};
  }
  /// Simplified: without parts that add or take away nothing.
  static SparsityTerm unionOf(std::vector<SparsityTerm> Parts);
  static SparsityTerm intersectionOf(std::vector<SparsityTerm> Parts);
};

struct SparsityEquation {
  std::string Name;
  isl::set Domain; ///< iterations of a statement; the elements of a live-in, all
  SparsityTerm Value;
  bool IsLiveIn = false; ///< an input, without a value of its own
};

/// Names are numbers of equations.
using SparsitySystem = std::vector<SparsityEquation>;

/// A relation that an expression names.
struct RelationLetter {
  isl::map Relation;
  /// Not Empty: only where this may be nonzero.
  SparsityTerm Restriction;
};

/// A union of languages: names or terms, each followed by an expression.
struct SolvedPart {
  bool IsTerm = false;
  unsigned Name = 0; ///< of a term: whose iterations it is about
  SparsityTerm Term;
  RegularExpression Path;
};

struct SolvedEquation {
  std::vector<SolvedPart> Parts;
  /// Part of a component with a product of its own unknowns: there is no closed form, and Parts is
  /// empty.
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
