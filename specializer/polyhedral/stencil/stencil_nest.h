//===- specializer/polyhedral/stencil/stencil_nest.h - recognises stencil nests -===//
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
  /// Returns \p S as a stencil nest; nothing, with the reason in \p Why, if it is none.
  static std::optional<StencilNest> find(polly::Scop &S, const polly::Dependences &D,
                                         std::string &Why);

  /// Returns whether \p S has the loops and statements of a stencil nest, regardless of
  /// dependences.
  static bool hasLoopsOfOne(polly::Scop &S, std::string &Why);

  /// Returns sizes and costs, without the axes that can be cut and the skews of tiles.
  const StencilShape &shape() const { return Shape; }
  unsigned numAxes() const { return Shape.Axes.size(); }
  /// Returns the context of its objects, which null objects cannot provide.
  isl::ctx ctx() const;

  /// Returns the cone row along \p Axis with the least skew; nothing if none is skewed by at most
  /// MaxSkew.
  std::optional<ConeRow> coneRow(unsigned Axis, bool Mirrored = false) const;

  /// Returns the least s for which the points x + s * row of the innermost loop x and the loop
  /// around it are independent, so that these rows can advance side by side. Nothing if the
  /// innermost loop is parallel already, if there are several statements, or if s exceeds MaxSkew.
  std::optional<long> wavefront() const;

  /// Returns the time step as a function of the statement instances.
  isl::union_pw_aff time() const;
  /// Returns the cone row as a function of the statement instances.
  isl::union_pw_aff coordinate(const ConeRow &Row) const;
  /// Returns the position along \p Axis as a function of the statement instances.
  isl::union_pw_aff place(unsigned Axis) const;

  static constexpr long MaxSkew = 8;

private:
  struct Statement {
    polly::ScopStmt *Stmt;
    /// The loop along each axis, or -1 if the statement has one fixed position on it.
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
