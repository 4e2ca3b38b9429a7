//===- runtime/decide/replays/replay_decision.h - decides about a plan by its replays ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_REPLAYS_REPLAY_DECISION_H
#define SPECRT_RUNTIME_DECIDE_REPLAYS_REPLAY_DECISION_H

#include "profiler/plans/plan.h"
#include "profiler/store/stored_region.h"
#include "runtime/base/config.h"
#include "runtime/cache/stored_plan.h"
#include "runtime/decide/step.h"
#include "specrt/abi.h"
#include <optional>

namespace specrt {

/// Decides about \p Plan by the times of its candidates on a captured call. Returns nothing when
/// the replay is void, or when none of those that were timed pays and there are others. Another
/// process cannot run the nest in place, so the candidate "constants", if it is the first one,
/// stands for the original. The original's time in the program may include the first use of memory,
/// for which versions would take the same time. \p Now is in seconds since 1970.
std::optional<StoredDecision> decisionFrom(const StoredReplays &Found, const SpeculationPlan &Plan,
                                           uint64_t Now);

/// Returns whether runs wait for replays of the region. They stop after two captured calls without
/// an answer: then the machine has no time for replays, and candidates are tried in the program.
bool awaitsReplays(const StoredRegion &Known);

/// Returns whether runs wait for replays, and the compile server probably still replays the call
/// that was sent last. \p Now is in seconds since 1970. Trials beside replays would measure less
/// than these. With SPECRT_COMPILE=sync calls wait for trials instead.
bool isBeingReplayed(const StoredRegion &Known, uint64_t Now, const Config &Settings);

/// Returns whether the first candidate of \p S that \p Stored has is of a kind that usually gains
/// much. It need not wait for replays.
bool isPromising(const StoredPlan &Stored, const Step &S);

/// Returns whether a region waits for a captured call instead of trying candidates: if a run makes
/// fewer calls than there are candidates, and a few runs can afford the capture. Long calls do not
/// wait, because they begin with the most promising candidate alone. After \p Runs earlier runs
/// without a captured call, the region stops waiting.
bool waitsForCapture(const SpeculationPlan &Plan, const specrt_region &Region, double CallsPerRun,
                     uint64_t Runs);

} // namespace specrt

#endif
