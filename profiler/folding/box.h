//===- profiler/folding/box.h - what is kept of a stream that was given up ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the box around all points grows then. Every coefficient is top, but for the innermost
// iterator's where all neighbours in a row agree: that can be told without keeping any of them.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_FOLDING_BOX_H
#define SPECRT_PROFILER_FOLDING_BOX_H

#include "profiler/folding/run.h"
#include "profiler/folding/shapes/shape.h"

#include <span>

namespace specrt::folding {

/// A box as a shape of \p Points points in which all labels are top, at unknown constants.
Shape boxShape(const Bounds &B, unsigned Labels, uint64_t Points);

class BoundingBox {
public:
  BoundingBox(unsigned Iterators, unsigned Labels) : Innermost(Labels), Iterators(Iterators) {}

  /// A run that is complete.
  void include(const Run &R);
  /// The run goes on in the same row, but not as it was.
  void includeBreak(const Run &R, int64_t X, const int64_t *Labels);
  Shape shape(uint64_t Points) const;

private:
  /// What the innermost iterator adds to a label.
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
