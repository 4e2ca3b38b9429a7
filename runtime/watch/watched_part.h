//===- runtime/watch/watched_part.h - bytes that are watched in one way ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_WATCH_WATCHED_PART_H
#define SPECRT_RUNTIME_WATCH_WATCHED_PART_H

#include "runtime/watch/memory_copy.h"
#include <cstdint>

namespace specrt {

enum class WatchKind : uint8_t { Stamps, Pages, Comparison };

/// A range, or a piece of one. Watches of the same bytes share it.
class WatchedPart {
public:
  WatchedPart(const std::byte *Begin, size_t Bytes) : Begin(Begin), Bytes(Bytes) {}
  virtual ~WatchedPart() = default;
  WatchedPart(const WatchedPart &) = delete;
  WatchedPart &operator=(const WatchedPart &) = delete;

  /// As Watch::unchanged(). Thread-safe.
  virtual bool unchanged() = 0;
  /// May change with time.
  virtual WatchKind kind() const = 0;
  virtual bool isCostly() const { return false; }

  const std::byte *const Begin;
  const size_t Bytes;
};

/// Compared with a copy at each check.
class ComparedPart final : public WatchedPart {
public:
  using WatchedPart::WatchedPart;
  /// False without memory for a copy.
  bool arm() {
    if (!Copy.reserve(Bytes))
      return false;
    Copy.take(Begin);
    return true;
  }
  bool unchanged() override { return Copy.equals(Begin, 0, Bytes); }
  WatchKind kind() const override { return WatchKind::Comparison; }

private:
  MemoryCopy Copy;
};

} // namespace specrt

#endif
