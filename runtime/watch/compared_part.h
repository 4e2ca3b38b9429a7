//===- runtime/watch/compared_part.h - watched by comparison --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_WATCH_COMPARED_PART_H
#define SPECRT_RUNTIME_WATCH_COMPARED_PART_H

#include "runtime/watch/memory_copy.h"
#include "runtime/watch/watch.h"
#include "runtime/watch/watched_part.h"
#include <memory>

namespace specrt {

/// Ranges that are compared with a copy at each check. Sound for any memory.
class ComparedPart final : public WatchedPart {
public:
  /// Null where the copy would be beyond the budget. May throw bad_alloc.
  static std::shared_ptr<ComparedPart> arm(std::vector<WatchedRange> Ranges) {
    auto Part = std::make_shared<ComparedPart>();
    for (const WatchedRange &R : Ranges)
      Part->Total += R.Bytes;
    if (!Part->Copy.reserve(Part->Total))
      return nullptr;
    size_t Offset = 0;
    for (const WatchedRange &R : Ranges) {
      Part->Copy.take(R.Begin, Offset, R.Bytes);
      Offset += R.Bytes;
    }
    Part->Ranges = std::move(Ranges);
    return Part;
  }

  bool unchanged() override {
    size_t Offset = 0;
    for (const WatchedRange &R : Ranges) {
      if (!Copy.equals(R.Begin, Offset, R.Bytes))
        return false;
      Offset += R.Bytes;
    }
    return true;
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
