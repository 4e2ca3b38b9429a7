//===- runtime/pending_samples.cpp - calls that wait for their profile ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/pending_samples.h"

#include <algorithm>

namespace specrt {
namespace {

struct Place {
  static constexpr uint32_t MaxArgs = 64;
  enum : uint32_t { Free, Filling, Full };
  std::atomic<uint32_t> Use{Free};
  const RegionState *Owner = nullptr;
  uint64_t Nanoseconds = 0;
  uint32_t NumArgs = 0;
  uint64_t Packed[MaxArgs] = {};
};

constinit Place Places[64];

} // namespace

bool stashSample(const RegionState &S, const uint64_t *Packed, uint32_t NumArgs,
                 uint64_t Nanoseconds) {
  if (NumArgs > Place::MaxArgs)
    return false;
  for (Place &P : Places) {
    uint32_t Expected = Place::Free;
    if (P.Use.load(std::memory_order_relaxed) != Place::Free ||
        !P.Use.compare_exchange_strong(Expected, Place::Filling, std::memory_order_acquire))
      continue;
    P.Owner = &S;
    P.Nanoseconds = Nanoseconds;
    P.NumArgs = NumArgs;
    std::copy_n(Packed, NumArgs, P.Packed);
    P.Use.store(Place::Full, std::memory_order_release);
    return true;
  }
  return false;
}

bool hasPendingSample(const RegionState &S) {
  for (const Place &P : Places)
    if (P.Use.load(std::memory_order_acquire) == Place::Full && P.Owner == &S)
      return true;
  return false;
}

std::optional<PendingSample> takePendingSample(const RegionState &S) {
  for (Place &P : Places) {
    if (P.Use.load(std::memory_order_acquire) != Place::Full || P.Owner != &S)
      continue;
    PendingSample Taken{{P.Packed, P.Packed + P.NumArgs}, P.Nanoseconds};
    P.Use.store(Place::Free, std::memory_order_release);
    return Taken;
  }
  return std::nullopt;
}

} // namespace specrt
