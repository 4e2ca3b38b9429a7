//===- tools/propagate/array_numbers.cpp - sizes and numbers of nonzeros of arrays ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/propagate/array_numbers.h"

#include <algorithm>

namespace specrt::tools {

std::vector<int64_t> extentsOf(const specrt_array_structure &A) {
  std::vector<int64_t> Extents(A.extent, A.extent + A.num_dimensions);
  for (uint64_t I = 0; I < A.num_boxes; ++I)
    for (uint32_t D = 0; D < A.num_dimensions; ++D)
      if (A.extent[D] == 0)
        Extents[D] = std::max<int64_t>(Extents[D], int64_t{A.boxes[I].last[D]} + 1);
  return Extents;
}

uint64_t nonzerosOf(const specrt_array_structure &A) {
  uint64_t Sum = 0;
  for (uint64_t I = 0; I < A.num_boxes; ++I) {
    uint64_t Points = 1;
    for (uint32_t D = 0; D < A.num_dimensions; ++D) {
      const auto Side = static_cast<uint64_t>(int64_t{A.boxes[I].last[D]} - A.boxes[I].first[D]);
      if (__builtin_mul_overflow(Points, Side + 1, &Points))
        return UINT64_MAX;
    }
    if (__builtin_add_overflow(Sum, Points, &Sum))
      return UINT64_MAX;
  }
  return Sum;
}

} // namespace specrt::tools
