//===- runtime/parallel/shared_nest.h - a nest that threads share in equal parts -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PARALLEL_SHARED_NEST_H
#define SPECRT_RUNTIME_PARALLEL_SHARED_NEST_H

#include "runtime/parallel/parallel.h"
#include "support/ranking/nest_cuts.h"
#include "support/ranking/nest_range.h"
#include <cstddef>
#include <optional>
#include <span>

namespace specrt {

// Generated code fills it field by field (specializer/loops/balanced_nest).
static_assert(offsetof(specrt_ranked_nest, point_ns) == 24 &&
              offsetof(specrt_ranked_nest, extents) == 32 &&
              sizeof(specrt_ranked_nest) == 32 + 8 * MaxRankedLoops * MaxRankedLoops);

/// A nest of which threads take chunks of ranks (support/ranking). It has no mutable state, so that
/// all threads may use one.
class SharedNest {
public:
  /// Returns the nest that \p Of describes if \p Threads threads execute it faster in chunks of
  /// equal work, otherwise nothing.
  static std::optional<SharedNest> of(const specrt_ranked_nest &Of, unsigned Threads) {
    std::array<LoopExtent, MaxRankedLoops> Extents;
    static_assert(std::size(specrt_ranked_nest{}.extents) == MaxRankedLoops);
    const auto NumLoops = std::min<uint64_t>(Of.loops, MaxRankedLoops);
    for (uint64_t Loop = 0; Loop < NumLoops; ++Loop)
      Extents[Loop] = {Of.extents[Loop].constant,
                       {Of.extents[Loop].factors[0], Of.extents[Loop].factors[1]}};
    if (Threads < 2)
      return std::nullopt;
    const std::optional<RankedNest> Nest = RankedNest::of(std::span(Extents).first(NumLoops));
    if (!Nest)
      return std::nullopt;
    const auto Level = std::min(unsigned(Of.cuts), Nest->depth());
    const NestCuts Cuts = Of.threads == Threads
                              ? cutsOfLevel(*Nest, Threads, Level, Of.point_ns)
                              : chooseCuts(*Nest, Threads, Level, Of.point_ns, CutTime::Start);
    return Cuts.Level > 0 ? std::optional(SharedNest(*Nest, Cuts)) : std::nullopt;
  }

  uint64_t total() const { return Nest.total(); }
  uint64_t leastChunk() const { return Cuts.LeastRanks; }

  /// Returns the iterations of the chunk of the ranks from \p Begin to before \p End.
  NestRange chunk(uint64_t Begin, uint64_t End) const {
    return {cutAt(Nest, Begin, Cuts.Level), cutAt(Nest, End, Cuts.Level)};
  }

private:
  SharedNest(const RankedNest &Nest, NestCuts Cuts) : Nest(Nest), Cuts(Cuts) {}

  RankedNest Nest;
  NestCuts Cuts;
};

} // namespace specrt

#endif
