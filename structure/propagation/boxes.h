//===- structure/propagation/boxes.h - sets of points as boxes ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_PROPAGATION_BOXES_H
#define SPECRT_STRUCTURE_PROPAGATION_BOXES_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace specrt {

/// Dimensions of arrays, and loops around statements.
constexpr unsigned MaxDimensions = 6;
/// Further away than any element: where an extent is not known.
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

/// A product of intervals. Dimensions beyond those that are used hold [0, 0].
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
  /// Its points; INT64_MAX: so many or more.
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

/// A set with so many is not all: it takes too much memory, and was given up.
constexpr size_t MaxBoxes = size_t{1} << 21;

/// The same points in a form that sets which are equal share: slabs along the first dimension,
/// ascending and as thick as possible, in each of them the same along the second, and so on. For
/// matrices: runs of equal rows by intervals of columns. Boxes do not overlap.
Boxes inSlabs(Boxes Of);

/// What lies in A and not in B; A's boxes do not overlap, nor do those of the result.
Boxes difference(const Boxes &A, const Boxes &B);

/// Where boxes of A and of B overlap.
Boxes intersection(const Boxes &A, const Boxes &B);

/// Of boxes that do not overlap; INT64_MAX: so many or more.
int64_t numPoints(const Boxes &Of);

} // namespace specrt

#endif
