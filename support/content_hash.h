//===- support/content_hash.h - 128-bit hashes of bytes -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_CONTENT_HASH_H
#define SPECRT_SUPPORT_CONTENT_HASH_H

#include <cstdint>
#include <string>
#include <string_view>

namespace specrt {

/// An XXH3-128 hash. It tells damaged and different contents apart; it does not resist forgery.
struct ContentHash {
  uint64_t Low = 0, High = 0;

  /// Returns 32 hexadecimal digits.
  std::string text() const;
  friend bool operator==(const ContentHash &, const ContentHash &) = default;
};

ContentHash contentHash(std::string_view Bytes);

} // namespace specrt

#endif
