//===- profiler/streams/last_writers.h - finds the last writer of memory --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is shadow memory with iteration vectors. It contains, for each place in memory, the access
// that wrote it last and its iteration. A read of the place depends on that write.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_STREAMS_LAST_WRITERS_H
#define SPECRT_PROFILER_STREAMS_LAST_WRITERS_H

#include "specrt/recording.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace specrt {

/// The access and iteration of a write.
struct Writer {
  uint32_t Access; ///< index in the recording's table
  std::array<int64_t, SPECRT_MAX_RECORDED_DEPTH> At;
};

/// Records writes of places of four bytes: accesses that overlap partly count as the same if they
/// share one. The number of places is bounded; later ones are not recorded.
class LastWriters {
public:
  static constexpr size_t MaxPlaces = size_t{1} << 20;

  /// \p At has \p Depth iterators.
  void write(uint64_t Address, uint32_t Width, uint32_t Access, const int64_t *At, uint32_t Depth);
  /// Returns null if the first byte was not written.
  const Writer *of(uint64_t Address) const;

private:
  static constexpr uint64_t Granule = 4;

  std::unordered_map<uint64_t, Writer> Places;
};

} // namespace specrt

#endif
