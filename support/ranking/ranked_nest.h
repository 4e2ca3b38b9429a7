//===- support/ranking/ranked_nest.h - numbers the iterations of a nest in their order ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The innermost iterations of a nest whose loops have affine numbers of iterations,
//
//     for (x0 = 0; x0 < c; ++x0)
//       for (x1 = 0; x1 < c + f0 x0; ++x1)
//         for (x2 = 0; x2 < c + f0 x0 + f1 x1; ++x2)
//
// are numbered in the order of the program. How many come before iteration x of a loop, for given
// iterations of the loops around it, is a polynomial Q(x), the ranking polynomial. A rank K is
// inverted level by level: the largest x with Q(x) <= K, then K - Q(x) in the loops inside (Clauss,
// "Counting solutions to linear and nonlinear constraints through Ehrhart polynomials").
//
// The polynomials are sums of binomials, Q(x) = q1 x + q2 C(x,2) + q3 C(x,3), which have integer
// coefficients: the finite differences of the iterations that single values of x contain. A
// floating-point root is where the search begins, and integers decide where it ends.
//
//===----------------------------------------------------------------------------------===//
#ifndef SPECRT_SUPPORT_RANKING_RANKED_NEST_H
#define SPECRT_SUPPORT_RANKING_RANKED_NEST_H

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace specrt {

/// The most loops that a ranked nest consists of: with more, ranking polynomials have a degree for
/// which there is no simple start of the search for a root.
inline constexpr unsigned MaxRankedLoops = 3;

/// The number of iterations of a loop: Constant plus Factors times the numbers, from 0 on, of the
/// iterations of the loops around it, from outside in.
struct LoopExtent {
  int64_t Constant = 0;
  std::array<int64_t, MaxRankedLoops - 1> Factors = {};
};

/// The numbers, from 0 on, of an iteration of each loop, from outside in. Those of loops that a
/// nest does not have are 0.
using NestPoint = std::array<uint64_t, MaxRankedLoops>;

/// A value without mutable state, so that threads may share a constant one.
class RankedNest {
public:
  /// Returns the nest whose loops have the numbers of iterations \p Extents, from outside in, 1 to
  /// MaxRankedLoops of them. An outermost iteration for which the loop inside has fewer than no
  /// iterations has none. Returns nothing if the nest has no iterations, if the third loop has
  /// fewer than none somewhere, or if a box around the iterations has more than 2^62 points.
  static std::optional<RankedNest> of(std::span<const LoopExtent> Extents);

  /// Returns the number of innermost iterations, at least 1.
  uint64_t total() const { return Total; }
  unsigned depth() const { return Depth; }
  /// Returns the number of iterations of the outermost loop, empty ones included.
  uint64_t numRows() const { return AllRows; }

  /// Returns the innermost iteration with the number \p Rank, which is less than total().
  NestPoint at(uint64_t Rank) const;
  /// Returns the number of innermost iterations before the iteration \p Row of the outermost loop,
  /// which is at most numRows().
  uint64_t rankOfRow(uint64_t Row) const;

  /// Returns a bound, which is met, for the number of innermost iterations that one iteration of
  /// the loop \p Level contains, 1: the outermost one.
  uint64_t largestOf(unsigned Level) const { return Largest[Level - 1]; }

private:
  /// A ranking polynomial. True values are below 2^63, so that its coefficients and all
  /// intermediate results may be computed modulo 2^64.
  struct Ranking {
    std::array<uint64_t, MaxRankedLoops> Coefficients = {}; ///< of C(x,1), C(x,2), C(x,3)

    uint64_t before(uint64_t X) const;
    double root(uint64_t Rank, uint64_t Count) const;
    uint64_t invert(uint64_t Rank, uint64_t Count) const;
  };

  using Wide = __int128;
  bool skipEmptyRows();
  bool measure();
  Wide columnsOf(Wide Row) const {
    return Wide(Loops[1].Constant) + Wide(Loops[1].Factors[0]) * Row;
  }
  Wide pointsOf(Wide Row, Wide Column) const;
  Wide sizeOfRow(Wide Row) const;
  Ranking rankingOfRow(uint64_t Row) const;

  std::array<LoopExtent, MaxRankedLoops> Loops; ///< counted from the first row that is not empty
  unsigned Depth = 0;
  uint64_t AllRows = 0;
  uint64_t FirstRow = 0, NumRows = 0; ///< the rows that are not empty
  uint64_t Total = 0;
  std::array<uint64_t, MaxRankedLoops> Largest = {};
  Ranking Rows;
};

} // namespace specrt

#endif
