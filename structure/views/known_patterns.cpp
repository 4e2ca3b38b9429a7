//===- structure/views/known_patterns.cpp - finds patterns that were seen before -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/views/known_patterns.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace specrt {

PatternHash hashOf(const CsrPattern &P) {
  const int64_t Sizes[] = {P.rows(), P.Columns};
  XXH3_state_t State;
  XXH3_128bits_reset(&State);
  XXH3_128bits_update(&State, Sizes, sizeof(Sizes));
  XXH3_128bits_update(&State, P.Start.data(), P.Start.size() * sizeof(P.Start[0]));
  XXH3_128bits_update(&State, P.Column.data(), P.Column.size() * sizeof(P.Column[0]));
  const XXH128_hash_t Hash = XXH3_128bits_digest(&State);
  return {.Low = Hash.low64, .High = Hash.high64};
}

std::optional<size_t> KnownPatterns::find(PatternHash Hash, const CsrPattern &P) const {
  for (auto [At, End] = ByHash.equal_range(Hash.Low); At != End; ++At)
    if (At->second.first == Hash.High && Patterns[At->second.second] == P)
      return At->second.second;
  return std::nullopt;
}

std::optional<size_t> KnownPatterns::add(CsrPattern P) {
  const PatternHash Hash = hashOf(P);
  if (std::optional<size_t> Known = find(Hash, P))
    return Known;
  if (Bytes + P.bytes() > MaxBytes)
    return std::nullopt;
  Bytes += P.bytes();
  ByHash.emplace(Hash.Low, std::pair(Hash.High, Patterns.size()));
  Patterns.push_back(std::move(P));
  return Patterns.size() - 1;
}

} // namespace specrt
