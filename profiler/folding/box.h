//===- profiler/folding/box.h - the bounding box of an abandoned stream ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the box around all points grows then. Every coefficient is top, except the innermost
// iterator's where all neighbours in a row agree: that can be determined without storing any of
// them.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_FOLDING_BOX_H
#define SPECRT_PROFILER_FOLDING_BOX_H

#include "profiler/folding/run.h"
#include "profiler/folding/shapes/shape.h"

#include <span>

namespace specrt::folding {

/// Returns a box as a shape of \p Points points in which all labels are top, with unknown
/// constants.
Shape boxShape(const Bounds &B, unsigned Labels, uint64_t Points);

class BoundingBox {
public:
  BoundingBox(unsigned Iterators, unsigned Labels) : Innermost(Labels), Iterators(Iterators) {}

  /// Adds a complete run.
  void include(const Run &R);
  /// Adds a point of the same row that does not continue the run.
  void includeBreak(const Run &R, int64_t X, const int64_t *Labels);
  Shape shape(uint64_t Points) const;

private:
  /// The change of a label per step of the innermost iterator.
  struct Stride {
    bool Known = false, Top = false;
    int64_t Value = 0;
    void meet(int64_t Difference);
  };
  std::vector<Stride> Innermost;
  Bounds Around;
  unsigned Iterators;
};

} // namespace specrt::folding

#endif
