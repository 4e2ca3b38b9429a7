//===- runtime/call/call_work.cpp - how much a call does ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/call_work.h"
#include "guards/polynomial.h"

#include <algorithm>
#include <array>
#include <optional>

namespace specrt {

double workOf(const specrt_region &Region, const uint64_t *Packed) {
  constexpr uint32_t MaxDepth = 16;
  std::array<double, MaxDepth + 2> Work{}; // of the loops at each depth, below the next outer one
  for (uint32_t I = Region.num_loops; I-- > 0;) { // outer loops come first
    const specrt_loop &Loop = Region.loops[I];
    if (Loop.depth == 0 || Loop.depth > MaxDepth)
      return 0;
    const std::optional<int64_t> Count = evaluate(Loop.trip_count, Region, Packed);
    if (!Count)
      return 0;
    double &Inside = Work[Loop.depth + 1];
    Work[Loop.depth] += static_cast<double>(std::max<int64_t>(*Count, 0)) * std::max(Inside, 1.0);
    Inside = 0;
  }
  return Work[1];
}

uint64_t ticksPerWork(const specrt_region &Region, const uint64_t *Packed, uint64_t Ticks) {
  constexpr double Fixed = 1 << 20;
  const double Work = workOf(Region, Packed);
  return Work > 0 ? static_cast<uint64_t>(static_cast<double>(Ticks) * (Fixed / Work)) : Ticks;
}

} // namespace specrt
