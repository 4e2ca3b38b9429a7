//===- profiler/folding/shapes/fuse.h - fuses two shapes ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shape grows along a level by another one behind it, which has the same coefficients along the
// levels inside (inactive ones adopt them), and a corner that continues its own by an affine
// function. The fused shape has the points of both, with their labels, or top coefficients.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_FOLDING_SHAPES_FUSE_H
#define SPECRT_PROFILER_FOLDING_SHAPES_FUSE_H

#include "profiler/folding/shapes/shape.h"

#include <array>
#include <optional>

namespace specrt::folding {

struct FuseRules {
  bool Widen = false;  ///< a label may become top
  bool Bridge = false; ///< B may begin later than A ends, which makes the domain inexact
};

/// A plan to append B to A along a level.
struct FusePlan {
  unsigned Level = 0;
  int64_t Distance = 0;                    ///< from A's corner to B's, in steps
  std::array<int64_t, MaxAttributes> Step; ///< by attribute
  std::array<Levels, MaxLabels> Tops;      ///< resulting tops of the labels
  FusePlan() {} // leaves Step uninitialised: it is large, and made per row
};

/// Returns nothing if the shapes do not fit.
std::optional<FusePlan> planFuse(const Shape &A, const Shape &B, unsigned Level, FuseRules Rules);

/// Returns how much the geometry would change from slice to slice; 0 is best.
uint64_t change(const Shape &A, const FusePlan &Plan);

/// Appends B to A according to the plan.
void fuse(Shape &A, const Shape &B, const FusePlan &Plan);

} // namespace specrt::folding

#endif
