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

/// How many iterations threads take at a time.
class GuidedChunks {
public:
  static constexpr unsigned MaxShares = 8;

  /// Of \p Total iterations for \p Threads threads, 1 at least. A loop of few iterations is not
  /// shared out in advance: its pieces may differ in size, the largest first.
  GuidedChunks(uint64_t Total, unsigned Threads)
      : Total(Total), Threads(Threads),
        NumShares(Total / 8 >= Threads ? std::clamp(Threads, 1U, MaxShares) : 1) {}
  GuidedChunks() : GuidedChunks(0, 1) {}

  /// Parts of the loop from which different threads take first.
  unsigned numShares() const { return NumShares; }
  unsigned numThreads() const { return Threads; }
  /// The first iteration of share \p Share; Total for numShares().
  uint64_t begin(unsigned Share) const {
    return Total / NumShares * Share + std::min<uint64_t>(Share, Total % NumShares);
  }
  /// The size of the next chunk of a share with \p Left iterations, if no chunk but the last is
  /// smaller than \p Least.
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
