//===- structure/rows/row_traces.cpp - complete traces of a small loop ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/rows/row_traces.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace specrt {

std::string RowTraces::digest() const {
  XXH3_state_t State;
  XXH3_128bits_reset(&State);
  const auto Add = [&State](const auto &Some) {
    if (!Some.empty())
      XXH3_128bits_update(&State, Some.data(), Some.size() * sizeof(Some[0]));
  };
  Add(Lengths);
  Add(Kinds);
  Add(Values);
  const XXH128_hash_t Hash = XXH3_128bits_digest(&State);
  return std::to_string(Hash.high64) + "." + std::to_string(Hash.low64);
}

} // namespace specrt
