//===- support/content_hash.h - a name for, and a checksum of, bytes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_CONTENT_HASH_H
#define SPECRT_SUPPORT_CONTENT_HASH_H

#include <cstdint>
#include <string>
#include <string_view>

namespace specrt {

/// XXH3-128: tells damaged and different contents apart, not malicious ones.
struct ContentHash {
  uint64_t Low = 0, High = 0;

  /// 32 hexadecimal digits.
  std::string text() const;
  friend bool operator==(const ContentHash &, const ContentHash &) = default;
};

ContentHash contentHash(std::string_view Bytes);

} // namespace specrt

#endif
