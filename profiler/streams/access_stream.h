//===- profiler/streams/access_stream.h - what a call shows of its accesses ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_STREAMS_ACCESS_STREAM_H
#define SPECRT_PROFILER_STREAMS_ACCESS_STREAM_H

#include "profiler/streams/sequence.h"
#include "specrt/recording.h"
#include <optional>
#include <vector>

namespace specrt {

/// One load or store.
struct AccessStream {
  uint32_t Number = 0; ///< as access_numbers.h has it
  uint32_t Flags = 0;  ///< enum specrt_recorded_flags
  uint32_t Width = 0;  ///< bytes
  uint32_t Line = 0, Column = 0;
  uint32_t Depth = 0;
  uint64_t Points = 0; ///< that were seen
  /// What the memory that it reads holds, if that is regular.
  std::optional<Sequence> Elements = {};
  uint32_t Changes = 0; ///< calls that showed something else than the one before
};

/// What the recording of one call comes to.
struct CallStreams {
  std::vector<AccessStream> Accesses;
  std::vector<uint64_t> Arguments; ///< packed, of that call
  double CallMs = 0;               ///< with recording
  double WindowMs = 0;             ///< of it, in windows
  uint64_t Words = 0;              ///< recorded
};

} // namespace specrt

#endif
