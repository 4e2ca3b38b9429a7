//===- profiler/streams/access_stream.h - the recorded accesses of a call -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_STREAMS_ACCESS_STREAM_H
#define SPECRT_PROFILER_STREAMS_ACCESS_STREAM_H

#include "profiler/streams/sequence.h"
#include "specrt/recording.h"
#include <optional>
#include <vector>

namespace specrt {

/// A load or store.
struct AccessStream {
  uint32_t Number = 0; ///< number of access_numbers.h
  uint32_t Flags = 0;  ///< enum specrt_recorded_flags
  uint32_t Width = 0;  ///< bytes
  uint32_t Line = 0, Column = 0;
  uint32_t Depth = 0;
  uint64_t Points = 0; ///< number of recorded points
  /// The contents of the memory that it reads, if they are regular.
  std::optional<Sequence> Elements = {};
  uint32_t Changes = 0; ///< calls whose data differ from the call before
};

/// The result of recording one call.
struct CallStreams {
  std::vector<AccessStream> Accesses;
  std::vector<uint64_t> Arguments; ///< packed arguments of that call
  double CallMs = 0;               ///< with recording
  double WindowMs = 0;             ///< part of it in windows
  uint64_t Words = 0;              ///< number of recorded words
};

} // namespace specrt

#endif
