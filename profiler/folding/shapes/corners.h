//===- profiler/folding/shapes/corners.h - visits the corners of a shape --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Affine functions of the counters have their extremes where each counter is minimal or maximal.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_FOLDING_SHAPES_CORNERS_H
#define SPECRT_PROFILER_FOLDING_SHAPES_CORNERS_H

#include "profiler/folding/shapes/shape.h"

#include <array>

namespace specrt::folding {

/// Calls F(attributes) at each corner of \p S, some more than once.
template <typename Fn> void forEachCorner(const Shape &S, Fn F) {
  std::vector<unsigned> Active;
  S.active().forEach([&](unsigned Level) { Active.push_back(Level); });
  std::array<int64_t, MaxAttributes> Attributes;
  for (uint64_t Highest = 0; Highest < uint64_t(1) << Active.size(); ++Highest) {
    std::array<int64_t, MaxLevels> Y{};
    attributesAt(S, Y.data(), Attributes.data());
    for (unsigned I = 0; I < Active.size(); ++I)
      if (Highest >> I & 1) {
        Y[Active[I]] = Attributes[S.n(Active[I])] - 1; // the counters outside are set already
        attributesAt(S, Y.data(), Attributes.data());
      }
    F(static_cast<const int64_t *>(Attributes.data()));
  }
}

} // namespace specrt::folding

#endif
