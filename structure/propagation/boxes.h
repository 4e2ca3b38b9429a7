//===- structure/propagation/boxes.h - sets of points as boxes ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_PROPAGATION_BOXES_H
#define SPECRT_STRUCTURE_PROPAGATION_BOXES_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace specrt {

/// Limit on dimensions of arrays, and on loops around statements.
constexpr unsigned MaxDimensions = 6;
/// Stands for an unknown extent; farther away than any element.
constexpr int32_t FarAway = 1 << 30;

struct IndexInterval {
  int32_t Low, High; ///< both inclusive
  bool isEmpty() const { return Low > High; }
  int64_t size() const { return int64_t{High} - Low + 1; }
  IndexInterval operator&(const IndexInterval &Other) const {
    return {std::max(Low, Other.Low), std::min(High, Other.High)};
  }
  bool operator==(const IndexInterval &) const = default;
  auto operator<=>(const IndexInterval &) const = default;
};

/// A product of intervals. Unused dimensions are [0, 0].
struct Box {
  std::array<IndexInterval, MaxDimensions> Sides{};

  bool isEmpty() const {
    return std::any_of(Sides.begin(), Sides.end(),
                       [](const IndexInterval &S) { return S.isEmpty(); });
  }
  Box operator&(const Box &Other) const {
    Box Both;
    for (unsigned D = 0; D < MaxDimensions; ++D)
      Both.Sides[D] = Sides[D] & Other.Sides[D];
    return Both;
  }
  /// Returns the number of points; INT64_MAX if there are at least as many.
  int64_t size() const {
    if (isEmpty())
      return 0;
    int64_t Points = 1;
    for (const IndexInterval &Side : Sides)
      if (__builtin_mul_overflow(Points, Side.size(), &Points))
        return INT64_MAX;
    return Points;
  }
  bool operator==(const Box &) const = default;
};

using Boxes = std::vector<Box>;

/// Sets that reach this size are incomplete: the operation gave up, as they take too much memory.
constexpr size_t MaxBoxes = size_t{1} << 21;

/// Returns the same set in a canonical form: slabs along the first dimension, ascending and as
/// thick as possible, each of them in slabs along the second, and so on. For matrices: runs of
/// equal rows by intervals of columns. Boxes do not overlap.
Boxes inSlabs(Boxes Of);

/// Returns the points of A that are not in B. The boxes of A must not overlap, and those of the
/// result do not.
Boxes difference(const Boxes &A, const Boxes &B);

/// Returns the intersections of boxes of A and B.
Boxes intersection(const Boxes &A, const Boxes &B);

/// Returns the number of points of boxes that do not overlap; INT64_MAX if there are at least as
/// many.
int64_t numPoints(const Boxes &Of);

} // namespace specrt

#endif
