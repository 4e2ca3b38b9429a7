//===- runtime/watch/watched_part.h - memory that is watched by one method ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_WATCH_WATCHED_PART_H
#define SPECRT_RUNTIME_WATCH_WATCHED_PART_H

#include <cstddef>
#include <cstdint>

namespace specrt {

/// The methods, cheapest first.
enum class WatchKind : uint8_t { Stamps, Pages, Comparison };

/// A range, a part of one, or several that are checked together. Watches of the same bytes share
/// it. Thread-safe.
class WatchedPart {
public:
  WatchedPart() = default;
  virtual ~WatchedPart() = default;
  WatchedPart(const WatchedPart &) = delete;
  WatchedPart &operator=(const WatchedPart &) = delete;

  /// Does what Watch::unchanged() does.
  virtual bool unchanged() = 0;
  /// Both may change with time.
  virtual WatchKind kind() const = 0;
  virtual bool isCostly() const { return false; }
  /// Returns whether there is no copy because of WatchCopies::OfSmall.
  virtual bool lacksCopy() const { return false; }

  virtual size_t bytes() const = 0;
};

} // namespace specrt

#endif
