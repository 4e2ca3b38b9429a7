//===- profiler/feedback/recorded_dependences.h - dependences through memory in a recording ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FEEDBACK_RECORDED_DEPENDENCES_H
#define SPECRT_PROFILER_FEEDBACK_RECORDED_DEPENDENCES_H

#include "profiler/feedback/nest.h"
#include "profiler/streams/last_writers.h"
#include "profiler/streams/recorded_words.h"
#include "specrt/folding.h"
#include <map>
#include <memory>
#include <span>
#include <tuple>

namespace specrt {

/// Dependences through memory of the accesses of a recording, one stream for each pair of accesses.
class RecordedDependences {
public:
  RecordedDependences(std::span<const specrt_recorded_access> Accesses, bool CountExact);

  /// Adds the next access. \p Gaps is the number of gaps in the iterations so far.
  void see(const RecordedPoint &Point, uint64_t Gaps);
  /// Adds, at the end, the dependences that loops carry, and the numbers of pieces of all
  /// dependences.
  void addTo(Nest &To);

private:
  /// The dependences of one pair of accesses.
  struct Stream {
    /// The source's iteration as a function of the dependent iteration. Only for flow dependences.
    std::unique_ptr<Folder> Folded, Exact;
    /// Distances by the loop that carries them.
    std::map<uint32_t, std::vector<Distance>> Carried;
  };
  using Pair = std::tuple<uint32_t, uint32_t, NestDependence::Kind>; ///< from, to

  void addPair(const Writer &From, const RecordedPoint &To, NestDependence::Kind What);
  uint32_t numCommonLoops(uint32_t A, uint32_t B) const;

  std::span<const specrt_recorded_access> Accesses;
  const bool CountExact;
  uint64_t GapsSeen = 0;
  LastWriters Written;
  std::map<uint32_t, LastWriters> ReadBy; ///< by access
  std::map<Pair, Stream> Streams;
};

} // namespace specrt

#endif
