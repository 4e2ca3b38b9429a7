//===- runtime/decide/replays/replay_decision.h - what replays say about a plan ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_REPLAYS_REPLAY_DECISION_H
#define SPECRT_RUNTIME_DECIDE_REPLAYS_REPLAY_DECISION_H

#include "profiler/plans/plan.h"
#include "profiler/store/stored_region.h"
#include "runtime/cache/version_file.h"
#include "specrt/abi.h"
#include <optional>

namespace specrt {

/// Decides about \p Plan by what became of its candidates on a captured call. Nothing when none of
/// them was timed. The first candidate stands for the original if it is "constants", because no
/// other process can run the nest in place; what the original takes longer in the program, for
/// memory that is used for the first time, versions would, too.
std::optional<StoredDecision> decisionFrom(const StoredReplays &Found, const SpeculationPlan &Plan);

/// Does a region wait for a captured call, and try nothing before? A run that makes fewer calls
/// than there are candidates would try them for ever, except for long calls, which begin with the
/// most promising one. So many runs may wait until a capture is affordable, or find out that the
/// call has none.
bool waitsForCapture(const SpeculationPlan &Plan, const specrt_region &Region, double CallsPerRun,
                     uint64_t Runs);

} // namespace specrt

#endif
