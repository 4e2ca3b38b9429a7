//===- profiler/observations/space_saving.h - common functions of tables of heavy hitters ===//
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

/// Returns the entry that a new key takes over: a free one, else the one with the least count.
/// Position and count are compared as one number without a branch, because every new value costs
/// this time.
template <typename Entry, size_t N> unsigned rarestEntry(const std::array<Entry, N> &Entries) {
  static_assert(N <= 16);
  uint64_t Least = UINT64_MAX;
  for (size_t I = 0; I < N; ++I)
    Least = std::min(Least, Entries[I].Count << 4 | I);
  return static_cast<unsigned>(Least & 15);
}

/// Returns an upper bound for the count of a key that is not in the table: 0 while an entry is
/// free, else the count of the rarest entry.
template <typename Entry, size_t N> uint64_t unseenCount(const std::array<Entry, N> &Entries) {
  return Entries[rarestEntry(Entries)].Count;
}

} // namespace specrt

#endif
