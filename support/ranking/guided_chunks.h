//===- support/ranking/guided_chunks.h - the sizes of the chunks of a parallel loop -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chunks shrink with what remains (guided scheduling). The runtime hands them out
// (runtime/parallel/loop.h), and the model of nests predicts them (nest_cuts.cpp).
//
//===----------------------------------------------------------------------------------===//
#ifndef SPECRT_SUPPORT_RANKING_GUIDED_CHUNKS_H
#define SPECRT_SUPPORT_RANKING_GUIDED_CHUNKS_H

#include <algorithm>
#include <cstdint>

namespace specrt {

/// The sizes of the chunks in which threads take iterations.
class GuidedChunks {
public:
  static constexpr unsigned MaxShares = 8; ///< more threads share counters

  /// Divides \p Total iterations among \p Threads threads, at least one. A loop of less than eight
  /// iterations per thread has one share: shares of it would differ by too much.
  GuidedChunks(uint64_t Total, unsigned Threads)
      : Total(Total), Threads(Threads),
        NumShares(Total / 8 >= Threads ? std::clamp(Threads, 1U, MaxShares) : 1) {}
  GuidedChunks() : GuidedChunks(0, 1) {}

  /// Returns the number of parts of the loop; threads take from different parts first.
  unsigned numShares() const { return NumShares; }
  unsigned numThreads() const { return Threads; }
  /// Returns the first iteration of share \p Share, the total for numShares().
  uint64_t begin(unsigned Share) const {
    return Total / NumShares * Share + std::min<uint64_t>(Share, Total % NumShares);
  }
  /// Returns the size of the next chunk of a share with \p Left iterations. No chunk but the last
  /// is smaller than \p Least.
  uint64_t next(uint64_t Left, uint64_t Least = 1) const {
    const uint64_t PerShare = (uint64_t{Threads} + NumShares - 1) / NumShares;
    return Threads == 1 ? Left : std::min(Left, std::max(Least, Left / (2 * PerShare)));
  }

private:
  uint64_t Total;
  unsigned Threads, NumShares;
};

} // namespace specrt

#endif
