//===- support/content_hash.cpp - 128-bit hashes of bytes -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/content_hash.h"

#include <cinttypes>
#include <cstdio>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace specrt {

std::string ContentHash::text() const {
  char Text[40];
  std::snprintf(Text, sizeof(Text), "%016" PRIx64 "%016" PRIx64, High, Low);
  return Text;
}

ContentHash contentHash(std::string_view Bytes) {
  XXH128_hash_t Hash = XXH3_128bits(Bytes.data(), Bytes.size());
  return {.Low = Hash.low64, .High = Hash.high64};
}

} // namespace specrt
