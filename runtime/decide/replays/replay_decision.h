//===- runtime/decide/replays/replay_decision.h - what replays say about a plan ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_REPLAYS_REPLAY_DECISION_H
#define SPECRT_RUNTIME_DECIDE_REPLAYS_REPLAY_DECISION_H

#include "profiler/plans/plan.h"
#include "profiler/store/stored_region.h"
#include "runtime/cache/version_file.h"
#include <optional>

namespace specrt {

/// Decides about \p Plan by what became of its candidates on a captured call. Nothing when none of
/// them was timed. The first candidate stands for the original if it is "constants", because no
/// other process can run the nest in place; what the original takes longer in the program, for
/// memory that is used for the first time, versions would, too.
std::optional<StoredDecision> decisionFrom(const StoredReplays &Found, const SpeculationPlan &Plan);

} // namespace specrt

#endif
