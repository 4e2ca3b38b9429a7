//===- support/ranking/nest_range.h - consecutive iterations of a nest as runs of its loops -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The iterations from one point of a nest to before another one are the rest of a partial row, full
// rows, and the beginning of another partial row, the same for the rows of loops inside:
//
//     from (2,3,4) to before (5,1,2):   x0 = 2, x1 = 3, x2 = 4 ...      the rest
//                                       x0 = 2, x1 = 4 ...              the rest
//                                       x0 = 3, 4
//                                       x0 = 5, x1 = 0
//                                       x0 = 5, x1 = 1, x2 = 0, 1
//
// Whatever the points are, ranges of which each begins where another one ends contain every
// iteration once. So the result of a nest never depends on the arithmetic that chooses points.
//
//===----------------------------------------------------------------------------------===//
#ifndef SPECRT_SUPPORT_RANKING_NEST_RANGE_H
#define SPECRT_SUPPORT_RANKING_NEST_RANGE_H

#include "support/ranking/ranked_nest.h"
#include <algorithm>
#include <limits>

namespace specrt {

/// Consecutive iterations of one loop in one iteration of each loop around it.
struct LoopRun {
  static constexpr int64_t Rest = std::numeric_limits<int64_t>::max();

  unsigned Level = 0;                                  ///< of the loop, 1: the outermost; 0: no run
  std::array<int64_t, MaxRankedLoops - 1> Around = {}; ///< the iterations of the loops around it
  int64_t Begin = 0;
  int64_t End = 0; ///< before which the run ends; Rest: with the last iteration of the loop
};

/// The iterations from one point to before another one that is not lower.
class NestRange {
public:
  NestRange() = default;
  NestRange(const NestPoint &From, const NestPoint &To) : From(From), To(To) {}

  /// Removes the first run from the range and returns it.
  LoopRun take() {
    const auto Differing =
        unsigned(std::mismatch(From.begin(), From.end(), To.begin()).first - From.begin());
    if (Differing == MaxRankedLoops)
      return {};
    unsigned Deepest = MaxRankedLoops - 1;
    while (Deepest > 0 && From[Deepest] == 0)
      --Deepest;
    LoopRun Run;
    const unsigned At = std::max(Differing, Deepest);
    Run.Level = At + 1;
    std::copy_n(From.begin(), std::min<size_t>(At, Run.Around.size()), Run.Around.begin());
    Run.Begin = int64_t(From[At]);
    if (Deepest > Differing) {
      Run.End = LoopRun::Rest;
      From[At] = 0;
      ++From[At - 1];
    } else {
      Run.End = int64_t(To[At]);
      From[At] = To[At];
    }
    return Run;
  }

private:
  NestPoint From = {}, To = {};
};

} // namespace specrt

#endif
