//===- runtime/watch/compared_part.h - memory that is watched by comparison ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_WATCH_COMPARED_PART_H
#define SPECRT_RUNTIME_WATCH_COMPARED_PART_H

#include "runtime/watch/memory_copy.h"
#include "runtime/watch/watch.h"
#include "runtime/watch/watched_part.h"
#include <algorithm>
#include <memory>

namespace specrt {

/// Ranges that are compared with a copy at each check. Sound for any memory.
class ComparedPart final : public WatchedPart {
public:
  /// Returns null if the copy would exceed the budget. May throw bad_alloc.
  static std::shared_ptr<ComparedPart> arm(std::vector<WatchedRange> Ranges) {
    auto Part = std::make_shared<ComparedPart>();
    for (const WatchedRange &R : Ranges)
      Part->Total += R.totalBytes();
    if (!Part->Copy.reserve(Part->Total))
      return nullptr;
    size_t Offset = 0;
    for (const WatchedRange &R : Ranges)
      R.forEachRow([&](const std::byte *Row, size_t Bytes) {
        Part->Copy.take(Row, Offset, Bytes);
        Offset += Bytes;
        return true;
      });
    Part->Ranges = std::move(Ranges);
    return Part;
  }

  bool unchanged() override {
    size_t Offset = 0;
    return std::ranges::all_of(Ranges, [&](const WatchedRange &R) {
      return R.forEachRow([&](const std::byte *Row, size_t Bytes) {
        const bool IsSame = Copy.equals(Row, Offset, Bytes);
        Offset += Bytes;
        return IsSame;
      });
    });
  }
  WatchKind kind() const override { return WatchKind::Comparison; }
  size_t bytes() const override { return Total; }

private:
  std::vector<WatchedRange> Ranges;
  MemoryCopy Copy;
  size_t Total = 0;
};

} // namespace specrt

#endif
