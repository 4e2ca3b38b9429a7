//===- profiler/streams/recorded_words.h - from words to streams ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_STREAMS_RECORDED_WORDS_H
#define SPECRT_PROFILER_STREAMS_RECORDED_WORDS_H

#include "profiler/streams/access_stream.h"
#include <span>
#include <vector>

namespace specrt {

/// One access as a recording has it.
struct RecordedPoint {
  uint32_t Access;   ///< in the table
  const int64_t *At; ///< iteration vector, outermost first
  uint64_t Address;
  int64_t Value; ///< with SPECRT_RECORDED_VALUE
};

/// Walks through the words of a recording, which may end in the middle of anything.
class RecordedWords {
public:
  RecordedWords(std::span<const uint64_t> Words, std::span<const specrt_recorded_access> Accesses)
      : At(Words.data()), End(Words.data() + Words.size()), Accesses(Accesses) {}

  /// The next access; false at the end.
  bool next(RecordedPoint &Point);
  /// How often iterations before the one that was read last are missing.
  uint64_t gaps() const { return Gaps; }
  /// The iteration of a loop that was read last.
  int64_t iteration(uint32_t Loop) const { return Iteration[Loop]; }

private:
  const uint64_t *At, *const End;
  std::span<const specrt_recorded_access> Accesses;
  int64_t Iteration[SPECRT_MAX_RECORDED_LOOPS] = {};
  int64_t Vector[SPECRT_MAX_RECORDED_DEPTH] = {};
  uint64_t Gaps = 0;
};

/// What a recording shows of each access. May take some 10 ns per word.
std::vector<AccessStream> streamsOf(std::span<const uint64_t> Words,
                                    std::span<const specrt_recorded_access> Accesses);

} // namespace specrt

#endif
