//===- profiler/streams/recorded_words.h - decodes the words of a recording ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_STREAMS_RECORDED_WORDS_H
#define SPECRT_PROFILER_STREAMS_RECORDED_WORDS_H

#include "profiler/streams/access_stream.h"
#include <span>
#include <vector>

namespace specrt {

/// One recorded access.
struct RecordedPoint {
  uint32_t Access;   ///< index in the table
  const int64_t *At; ///< iteration vector, outermost first
  uint64_t Address;
  int64_t Value; ///< valid with SPECRT_RECORDED_VALUE
};

/// Reads the words of a recording, which may end anywhere.
class RecordedWords {
public:
  RecordedWords(std::span<const uint64_t> Words, std::span<const specrt_recorded_access> Accesses)
      : At(Words.data()), End(Words.data() + Words.size()), Accesses(Accesses) {}

  /// Reads the next access; returns false at the end.
  bool next(RecordedPoint &Point);
  /// Returns the number of gaps in the iterations before the last access.
  uint64_t gaps() const { return Gaps; }
  /// Returns the last iteration of a loop.
  int64_t iteration(uint32_t Loop) const { return Iteration[Loop]; }

private:
  const uint64_t *At, *const End;
  std::span<const specrt_recorded_access> Accesses;
  int64_t Iteration[SPECRT_MAX_RECORDED_LOOPS] = {};
  int64_t Vector[SPECRT_MAX_RECORDED_DEPTH] = {};
  uint64_t Gaps = 0;
};

/// Returns the stream of each access. May take some 10 ns per word.
std::vector<AccessStream> streamsOf(std::span<const uint64_t> Words,
                                    std::span<const specrt_recorded_access> Accesses);

} // namespace specrt

#endif
