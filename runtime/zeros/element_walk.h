//===- runtime/zeros/element_walk.h - visits the elements that a version accesses ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ZEROS_ELEMENT_WALK_H
#define SPECRT_RUNTIME_ZEROS_ELEMENT_WALK_H

#include "specrt/zeros.h"
#include <algorithm>
#include <array>
#include <cstddef>

namespace specrt {

/// Returns the bytes of an element.
constexpr unsigned elementBytes(uint32_t Kind) {
  constexpr unsigned Bytes[] = {1, 2, 4, 8, 4, 8};
  return Bytes[Kind];
}

/// Returns the trip count of loop \p D when the loops around it have these counters.
inline int64_t tripsOf(const specrt_zeros_walk &W, uint32_t D,
                       const std::array<int64_t, SPECRT_ZEROS_MAX_LOOPS> &Counters) {
  int64_t Trips = W.loops[D].trips;
  for (uint32_t E = 0; E < D; ++E)
    Trips += W.loops[D].slope[E] * Counters[E];
  return std::max<int64_t>(Trips, 0);
}

/// Calls \p Row (address, count, step) for each run of the innermost loop, in order, until it
/// returns false. Returns whether it never did.
template <typename F> bool forEachRow(const specrt_zeros_walk &W, F Row) {
  std::array<int64_t, SPECRT_ZEROS_MAX_LOOPS> Counters{};
  const auto *Base = static_cast<const std::byte *>(W.base);
  if (W.num_loops == 0)
    return Row(Base, int64_t{1}, int64_t{0});
  const uint32_t Last = W.num_loops - 1;
  auto Visit = [&](auto &Self, uint32_t D, const std::byte *At) -> bool {
    const int64_t Trips = tripsOf(W, D, Counters);
    if (D == Last)
      return Trips == 0 ? Row(At, int64_t{0}, int64_t{0}) : Row(At, Trips, W.loops[D].step);
    for (int64_t I = 0; I < Trips; ++I) {
      Counters[D] = I;
      if (!Self(Self, D + 1, At + I * W.loops[D].step))
        return false;
    }
    return true;
  };
  return Visit(Visit, 0, Base);
}

/// The range of memory that contains the elements, and their number.
struct ElementHull {
  const std::byte *Begin = nullptr;
  size_t Bytes = 0;
  uint64_t Elements = 0, Rows = 0;
};
ElementHull hullOf(const specrt_zeros_walk &W);

/// Returns whether the elements meet the demand.
bool fits(const specrt_zeros_walk &W, uint32_t Demand);

} // namespace specrt

#endif
