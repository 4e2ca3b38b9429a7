//===- specializer/polyhedral/stencil/stencil_nest.h - loops around time steps -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stencil nest is a loop over time around loops over space. Its dependences are short: a point
// needs its neighbours of the same or of the last step. A tile may then span several steps when its
// sides lean back in time far enough. For one axis x the leaning side is the coordinate
//
//     phi(S[t, x]) = x + Time * t + Shift(S)
//
// and it may be cut anywhere when no dependence decreases it: for every dependence from P to S that
// spans dt steps and dx points, Time * dt + dx + Shift(S) - Shift(P) >= 0. With Time fixed these
// are difference constraints; the least Time for which they have a solution is skewed least. The
// other diagonal, -x + Time * t + Shift(S), obeys the same rule; where both exist tiles may be
// diamonds.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_STENCIL_STENCIL_NEST_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_STENCIL_STENCIL_NEST_H

#include "specializer/polyhedral/stencil/time_tile_sizes.h"
#include "llvm/ADT/SmallVector.h"
#include "isl/isl-noexceptions.h"
#include <optional>
#include <string>

namespace polly {
class Dependences;
class Scop;
class ScopStmt;
} // namespace polly

namespace specrt {

/// A coordinate that no dependence decreases.
struct ConeRow {
  unsigned Axis = 0;
  bool Mirrored = false;             ///< -x instead of x
  long Time = 0;                     ///< points per time step
  llvm::SmallVector<long, 4> Shifts; ///< per statement, the least is 0
};

class StencilNest {
public:
  /// The stencil nest that \p S is as a whole. Nothing, with the reason in \p Why, when it is none.
  static std::optional<StencilNest> find(polly::Scop &S, const polly::Dependences &D,
                                         std::string &Why);

  /// Are the loops and statements of \p S those of a stencil nest, whatever the dependences?
  static bool hasLoopsOfOne(polly::Scop &S, std::string &Why);

  /// Sizes and costs; which axes can be cut, and how far tiles must be skewed, is not yet filled
  /// in.
  const StencilShape &shape() const { return Shape; }
  unsigned numAxes() const { return Shape.Axes.size(); }
  /// Where all of it lives: objects that isl could not make have no context to ask for.
  isl::ctx ctx() const;

  /// The cone row along \p Axis with the least skew. Nothing when none is skewed by less than
  /// MaxSkew.
  std::optional<ConeRow> coneRow(unsigned Axis, bool Mirrored = false) const;

  /// The least s for which the points x + s * row of the innermost loop x and the loop around it
  /// do not depend on each other; then those rows can advance side by side. Nothing when the
  /// innermost loop is parallel as it is, when there are several statements, or when s exceeds
  /// MaxSkew.
  std::optional<long> wavefront() const;

  /// The time step as a function of the statement instances.
  isl::union_pw_aff time() const;
  /// The cone row as a function of the statement instances.
  isl::union_pw_aff coordinate(const ConeRow &Row) const;
  /// The place along \p Axis as a function of the statement instances.
  isl::union_pw_aff place(unsigned Axis) const;

  static constexpr long MaxSkew = 8;

private:
  struct Statement {
    polly::ScopStmt *Stmt;
    /// For every axis the loop that runs along it, or -1: the statement is at one place of it.
    llvm::SmallVector<int, 4> LoopOfAxis;
  };
  struct Edge {
    unsigned From, To;
    isl::set Deltas; ///< { [dt, dx...] }
  };

  bool collectStatements(polly::Scop &S, std::string &Why);
  bool matchLoops(Statement &Inner, const Statement &Reference) const;
  bool collectEdges(const polly::Dependences &D, std::string &Why);
  bool measure(std::string &Why);
  void countAccesses();
  isl::map position(const Statement &St) const;
  long leastAdvance(const Edge &E, const ConeRow &Row, bool &Bounded) const;
  bool solveShifts(ConeRow &Row) const;

  llvm::SmallVector<Statement, 4> Statements;
  llvm::SmallVector<Edge, 8> Edges;
  StencilShape Shape;
};

} // namespace specrt

#endif
