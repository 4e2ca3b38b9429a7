//===- profiler/plans/plan.h - what a profile suggests to speculate on ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan is the assumptions under which one version is generated. Two shapes exist:
//  - a *full* plan takes a recurring tuple: every argument that is not a pointer is constant,
//  except
//    floating-point numbers with which arithmetic is no simpler than with others;
//  - a *partial* plan serves calls whose tuples do not recur, such as (n, k) with k = 0 .. n-1:
//    arguments that mostly have one value are constant, the least recurring ones are dropped until
//    the rest occurs together, and the other integers stay within their range: the observed one,
//    widened to where such parameters naturally end (0, the nearest constant of the plan, a power
//    of two), so that a counter that is still running does not leave it.
// Pointers get the alignment of malloc when all calls had it. Facts are suggestions: the version's
// guards check them on each call.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_PLANS_PLAN_H
#define SPECRT_PROFILER_PLANS_PLAN_H

#include "profiler/observations/arrays/zero_shares.h"
#include "profiler/observations/folded_streams.h"
#include "profiler/observations/region_profile.h"
#include "profiler/observations/row_profile.h"
#include "profiler/plans/assumptions.h"
#include <vector>

namespace specrt {

struct SpeculationPlan {
  Assumptions Assumed = {};
  /// Estimated share of the region's time (of its calls while no time is known) that meets the
  /// constants, 0 to 1.
  double Share = 0;
  /// Mean duration of the original in such calls; 0: unknown.
  double MeanNs = 0;
};

/// At most Max plans for Region, most valuable first; empty only when nothing was sampled or Max is
/// 0. Full plans need a share of 10 % and, with more than one sample, a tuple seen twice. Works
/// from one sample on. Empty as well when Region has other arguments than Profile's region.
std::vector<SpeculationPlan> plans(const RegionProfile &Profile, const specrt_region &Region,
                                   unsigned Max);

/// The plans, each after the same with what an instrumented call showed of memory, unless that call
/// had other integers.
std::vector<SpeculationPlan> withSequences(std::vector<SpeculationPlan> Plans,
                                           const FoldedStreams &Shown, const specrt_region &Region);

/// The plans, and after them one for row loops of the shapes that an instrumented call has shown.
std::vector<SpeculationPlan> withRows(std::vector<SpeculationPlan> Plans, const RowProfile &Shown,
                                      const specrt_region &Region);

/// The plans, with the arrays that were seen to be mostly zero.
std::vector<SpeculationPlan> withZeros(std::vector<SpeculationPlan> Plans, const ZeroShares &Shown);

} // namespace specrt

#endif
