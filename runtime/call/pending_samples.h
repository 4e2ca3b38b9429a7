//===- runtime/call/pending_samples.h - keeps calls for profiles ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profile needs memory, which only the worker may allocate, and there is no worker before a
// region is hot. The first calls of a region that becomes hot are kept here until the worker has
// created the profile. The arguments of a running call that asks for on-stack replacement are kept
// here, too.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CALL_PENDING_SAMPLES_H
#define SPECRT_RUNTIME_CALL_PENDING_SAMPLES_H

#include "profiler/observations/cell_values.h"
#include "runtime/call/region_state.h"
#include <optional>
#include <vector>

namespace specrt {

struct PendingSample {
  std::vector<uint64_t> Packed;
  CellValues Cells;
  uint64_t Nanoseconds;
};

/// The number of samples that a plan for a region of short calls needs. No more calls of a region
/// are kept.
constexpr size_t SamplesOfPlan = 8;

/// The purpose of a kept call.
enum class SampleUse : uint8_t { Profile, Osr };

/// Keeps a copy of one call, which is still running or about to return. Returns false when there is
/// no place, or S has enough. Async-signal-safe.
bool stashSample(const RegionState &S, const specrt_region &Region, const uint64_t *Packed,
                 uint64_t Nanoseconds, SampleUse Use = SampleUse::Profile);

/// Returns whether a call is kept for S's profile. Any thread.
bool hasPendingSample(const RegionState &S);

/// Removes and returns one call of S. Worker only.
std::optional<PendingSample> takePendingSample(const RegionState &S,
                                               SampleUse Use = SampleUse::Profile);

} // namespace specrt

#endif
