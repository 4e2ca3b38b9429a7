//===- runtime/call/pending_samples.cpp - keeps calls for profiles --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/pending_samples.h"

#include <algorithm>
#include <span>

namespace specrt {
namespace {

struct Place {
  /// Calls with more arguments are not kept.
  static constexpr uint32_t MaxArgs = 64;
  enum : uint32_t { Free, Filling, Full };
  std::atomic<uint32_t> State{Free};
  SampleUse Use = SampleUse::Profile;
  const RegionState *Owner = nullptr;
  uint64_t Nanoseconds = 0;
  uint32_t NumArgs = 0;
  uint64_t Packed[MaxArgs] = {};
  CellValues Cells = {};
};

constinit Place Places[96];
/// The other places are for calls that are still running.
constexpr size_t ProfilePlaces = 64;

bool isFor(const Place &P, const RegionState &S, SampleUse Use) {
  return P.State.load(std::memory_order_acquire) == Place::Full && P.Owner == &S && P.Use == Use;
}

} // namespace

bool stashSample(const RegionState &S, const specrt_region &Region, const uint64_t *Packed,
                 uint64_t Nanoseconds, SampleUse Use) {
  const std::span<Place> Allowed =
      Use == SampleUse::Profile ? std::span(Places).first(ProfilePlaces) : std::span(Places);
  const auto Kept =
      std::ranges::count_if(Allowed, [&](const Place &P) { return isFor(P, S, Use); });
  if (Region.num_args > Place::MaxArgs || static_cast<size_t>(Kept) >= SamplesOfPlan)
    return false;
  for (Place &P : Allowed) {
    uint32_t Expected = Place::Free;
    if (P.State.load(std::memory_order_relaxed) != Place::Free ||
        !P.State.compare_exchange_strong(Expected, Place::Filling, std::memory_order_acquire))
      continue;
    P.Use = Use;
    P.Owner = &S;
    P.Nanoseconds = Nanoseconds;
    P.NumArgs = Region.num_args;
    std::copy_n(Packed, P.NumArgs, P.Packed);
    P.Cells = readCells(Region, Packed);
    P.State.store(Place::Full, std::memory_order_release);
    return true;
  }
  return false;
}

bool hasPendingSample(const RegionState &S) {
  for (const Place &P : Places)
    if (isFor(P, S, SampleUse::Profile))
      return true;
  return false;
}

std::optional<PendingSample> takePendingSample(const RegionState &S, SampleUse Use) {
  for (Place &P : Places) {
    if (!isFor(P, S, Use))
      continue;
    PendingSample Taken{{P.Packed, P.Packed + P.NumArgs}, P.Cells, P.Nanoseconds};
    P.State.store(Place::Free, std::memory_order_release);
    return Taken;
  }
  return std::nullopt;
}

} // namespace specrt
