//===- profiler/observations/space_saving.h - what tables of heavy hitters share ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries have a Count, which is 0 in free entries, and an Error. See value_profile.h.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_OBSERVATIONS_SPACE_SAVING_H
#define SPECRT_PROFILER_OBSERVATIONS_SPACE_SAVING_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace specrt {

/// The entry that a new key takes over: a free one, else the one counted least. Position and count
/// are compared as one number, which needs no branch: this is the price of a value never seen.
template <typename Entry, size_t N> unsigned rarestEntry(const std::array<Entry, N> &Entries) {
  static_assert(N <= 16);
  uint64_t Least = UINT64_MAX;
  for (size_t I = 0; I < N; ++I)
    Least = std::min(Least, Entries[I].Count << 4 | I);
  return static_cast<unsigned>(Least & 15);
}

/// How often a key that is not in the table may have occurred: not at all while an entry is free,
/// else at most as often as the rarest.
template <typename Entry, size_t N> uint64_t unseenCount(const std::array<Entry, N> &Entries) {
  return Entries[rarestEntry(Entries)].Count;
}

} // namespace specrt

#endif
