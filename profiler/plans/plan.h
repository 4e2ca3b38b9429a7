//===- profiler/plans/plan.h - makes plans from a profile -----------------===//
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
#include <span>
#include <vector>

namespace specrt {

struct SpeculationPlan {
  Assumptions Assumed = {};
  /// The estimated share of the region's time (of its calls if no time is known) that meets the
  /// constants, 0 to 1.
  double Share = 0;
  /// The share of such calls; 0: unknown.
  double CallShare = 0;
  /// The mean time of the original in such calls; 0: unknown.
  double MeanNs = 0;
  /// The number of sampled calls on which the plan is based; 0: unknown.
  uint64_t NumCalls = 0;
};

/// Returns at most Max plans for Region, the most valuable ones first; empty only when nothing was
/// sampled or Max is 0. Full plans need a share of 10 % and a tuple that occurred three times, or
/// in all calls if there were fewer: a counter of an outer loop has the same value in a few calls
/// in a row, and data repeat by chance. One sample suffices. An input whose most frequent value is
/// another one than in \p Failed is left open if it varies, or if two values have failed: it is a
/// counter or data. Also empty when Region has other arguments than Profile's region.
std::vector<SpeculationPlan> plans(const RegionProfile &Profile, const specrt_region &Region,
                                   unsigned Max, std::span<const Assumptions> Failed = {});

/// Returns whether sampled calls with the constants and the overlaps of \p Assumed took at least
/// half of the time of all sampled calls.
bool servesMost(const Assumptions &Assumed, const RegionProfile &Profile,
                const specrt_region &Region);

/// Returns the plans, each preceded by the same plan with the memory contents of an instrumented
/// call, unless that call had other integers.
std::vector<SpeculationPlan> withSequences(std::vector<SpeculationPlan> Plans,
                                           const FoldedStreams &Shown, const specrt_region &Region);

/// Returns the plans, followed by one for the row classes of an instrumented call.
std::vector<SpeculationPlan> withRows(std::vector<SpeculationPlan> Plans, const RowProfile &Shown,
                                      const specrt_region &Region);

/// Returns the plans, with the arrays that were observed to be mostly zero.
std::vector<SpeculationPlan> withZeros(std::vector<SpeculationPlan> Plans, const ZeroShares &Shown);

} // namespace specrt

#endif
