//===- profiler/folding/run.h - a row that points are added to ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run consists of the points of the innermost iterator while all others are constant: equally
// spaced, with labels that are affine or top. It exposes its prediction, so that Folder::add can
// compare.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_FOLDING_RUN_H
#define SPECRT_PROFILER_FOLDING_RUN_H

#include "profiler/folding/shapes/residuals.h"
#include "profiler/folding/shapes/shape.h"

namespace specrt::folding {

class Run {
public:
  Run(unsigned Iterators, unsigned Labels);

  bool empty() const { return !Count; }
  uint64_t count() const { return Count; }
  void clear() { Count = 0; }
  /// Begins a new row with its first point.
  void begin(const int64_t *Point, const int64_t *Labels);
  /// Counts \p More predicted points, for which next() has been advanced.
  void count(uint64_t More) { Count += More; }
  /// Adds \p More points that agree with the prediction.
  void advance(uint64_t More) {
    Count += More;
    predict();
  }
  /// Adds the next point of the same row; returns false if it does not fit. With \p Widen any
  /// labels fit.
  bool extend(int64_t X, const int64_t *Labels, bool Widen);

  /// Inserts a point before the first one, by the steps.
  void prepend();

  const int64_t *point() const { return Start.data(); } ///< the first
  int64_t lastX() const { return Start[Iterators - 1] + int64_t(Count - 1) * Step[0]; }
  int64_t lastLabel(unsigned Label) const;
  bool isTop(unsigned Label) const { return Tops[Label].Is; }
  /// Returns whether there is more than one point, and the prediction has these steps.
  bool continuesWith(int64_t StepX, const int64_t *StepLabels) const;

  /// See Folder: next() is the point with labels that would continue the run, steps() the steps of
  /// the innermost iterator and of the labels.
  int64_t *next() { return Next.data(); }
  const int64_t *steps() const { return Step.data(); }

  Shape shape() const;

private:
  bool fits(const int64_t *Labels) const;
  void makeTop(unsigned Label);
  void predict();

  struct TopLabel {
    bool Is = false;
    /// Hashes of all points, and of those without the last one, two, ...
    std::array<Residue, RowEnds> Hashes;
    int64_t Last = 0;
  };
  const unsigned Iterators, Labels;
  uint64_t Count = 0;
  std::vector<int64_t> Start, Next; ///< point and labels
  std::vector<int64_t> Step;
  std::vector<TopLabel> Tops; ///< per label
  unsigned NumTops = 0;
  Residue Power; ///< base^Count while there are tops
};

} // namespace specrt::folding

#endif
