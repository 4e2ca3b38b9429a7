//===- profiler/streams/last_writers.h - who wrote what is read -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shadow memory with iteration vectors: for each place in memory, the access that wrote it last and
// in which iteration. A read of it depends on that one.
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

/// Who wrote.
struct Writer {
  uint32_t Access; ///< in the recording's table
  std::array<int64_t, SPECRT_MAX_RECORDED_DEPTH> At;
};

/// Of places of four bytes: accesses that overlap partly are the same to it where they share one.
/// Bounded: of more places than fit, later ones are not known.
class LastWriters {
public:
  static constexpr size_t MaxPlaces = size_t{1} << 20;

  /// \p At has \p Depth iterators.
  void write(uint64_t Address, uint32_t Width, uint32_t Access, const int64_t *At, uint32_t Depth);
  /// Null when nobody has written the first byte of it.
  const Writer *of(uint64_t Address) const;

private:
  static constexpr uint64_t Granule = 4;

  std::unordered_map<uint64_t, Writer> Places;
};

} // namespace specrt

#endif
