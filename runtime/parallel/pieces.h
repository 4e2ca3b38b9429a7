//===- runtime/parallel/pieces.h - a loop as a range that TBB divides -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PARALLEL_PIECES_H
#define SPECRT_RUNTIME_PARALLEL_PIECES_H

#include "runtime/parallel/loop.h"
#include "runtime/parallel/sanitizer.h"
#include <oneapi/tbb/blocked_range.h>

/// TBB hands function objects and ranges to the threads in a way that TSan does not see.
#define SPECRT_HANDED_OVER_BY_TBB __attribute__((no_sanitize("thread")))

namespace specrt {

/// TBB's range over the pieces of a loop, one per thread. It is not divided when all chunks are
/// taken: TBB starts threads when a thread divides a range, and the caller must not start any after
/// it has admitted requests, which is before it takes its first chunk.
class Pieces {
public:
  /// The caller has released \p Loop to the threads (sanitizer.h). It must outlive all ranges.
  Pieces(ParallelLoop &Loop, unsigned Count) : Loop(&Loop), Count(Count) {}
  SPECRT_HANDED_OVER_BY_TBB Pieces(const Pieces &Other) = default;
  SPECRT_HANDED_OVER_BY_TBB Pieces(Pieces &Other, tbb::split)
      : Loop(Other.Loop), Count(Other.Count / 2) {
    Other.Count -= Count;
  }

  SPECRT_HANDED_OVER_BY_TBB bool empty() const { return Count == 0; }
  SPECRT_HANDED_OVER_BY_TBB bool is_divisible() const {
    acquireFrom(Loop);
    return Count > 1 && !Loop->exhausted();
  }

private:
  ParallelLoop *Loop;
  unsigned Count;
};

} // namespace specrt

#endif
