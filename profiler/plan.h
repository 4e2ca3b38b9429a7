//===- profiler/plan.h - what a profile suggests to speculate on ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan is a set of facts under which one version is generated. Two shapes exist:
//  - a *full* plan takes a recurring tuple: every argument that is not a pointer is constant;
//  - a *partial* plan serves calls whose tuples do not recur, such as (n, k) with k = 0 .. n-1:
//    arguments that mostly have one value are constant, the least recurring ones are dropped until
//    the rest occurs together, and the other integers stay within their range: the observed one,
//    widened to where such parameters naturally end (0, the nearest constant of the plan, a power
//    of two), so that a counter that is still running does not leave it.
// Pointers get the alignment of malloc when all calls had it. Facts are suggestions: the version's
// guards check them on each call.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_PLAN_H
#define SPECRT_PROFILER_PLAN_H

#include "jit/jit_api.h"
#include "profiler/region_profile.h"
#include <cstdint>
#include <string>
#include <vector>

namespace specrt {

struct SpeculationPlan {
  /// [num_args]; an argument without knowledge has flags 0.
  std::vector<specrt_fact> Facts;
  /// Estimated share of the region's time (of its calls while no time is known) that meets the
  /// constants, 0 to 1.
  double Share = 0;
  /// Mean and smallest duration of the original in such calls; 0: unknown.
  double MeanNs = 0;
  double MinNs = 0;
  /// Names the constants, the same in every run: "2=1000,3=0x3ff0000000000000" by argument number,
  /// or "any" without constants. Equal keys mean equal constants.
  std::string Key;
  /// [num_accesses * num_accesses] for specrt_jit_request::overlaps.
  std::vector<uint8_t> Overlaps;

  /// Do these packed arguments have the plan's constants?
  bool matches(const uint64_t *Packed) const;
};

/// At most Max plans for Region, most valuable first; empty only when nothing was sampled or Max is
/// 0. Full plans need a share of 10 % and, with more than one sample, a tuple seen twice. Works
/// from one sample on. Empty as well when Region has other arguments than Profile's region.
std::vector<SpeculationPlan> plans(const RegionProfile &Profile, const specrt_region &Region,
                                   unsigned Max);

/// Does every call that Facts and Overlaps were gathered from also meet what a version built for
/// KnownFacts and KnownOverlaps assumes? Then that version is as good as a new one.
bool covers(const std::vector<specrt_fact> &KnownFacts, const std::vector<uint8_t> &KnownOverlaps,
            const std::vector<specrt_fact> &Facts, const std::vector<uint8_t> &Overlaps);

/// SpeculationPlan::Key of facts about arguments of these kinds.
std::string planKey(const std::vector<specrt_fact> &Facts, const std::vector<uint8_t> &Kinds);

/// SpeculationPlan::Overlaps as text: "0100", or "" without any overlap.
std::string overlapsText(const std::vector<uint8_t> &Overlaps);

/// Adds to Fact that an argument of this kind, not a pointer, has this packed value.
void makeConstant(specrt_fact &Fact, uint8_t Kind, uint64_t Packed);

} // namespace specrt

#endif
