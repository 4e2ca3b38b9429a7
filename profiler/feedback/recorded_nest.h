//===- profiler/feedback/recorded_nest.h - the loops of a recorded call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FEEDBACK_RECORDED_NEST_H
#define SPECRT_PROFILER_FEEDBACK_RECORDED_NEST_H

#include "profiler/feedback/nest.h"
#include <cstddef>
#include <span>

namespace specrt {

/// What an instrumented version wrote down, and the tables that it speaks of.
struct Recorded {
  std::span<const uint64_t> Words;
  std::span<const specrt_recorded_access> Accesses;
  std::span<const specrt_recorded_loop> Loops;
  std::span<const specrt_carried_value> Carried;
};

struct RecordedNestOptions {
  /// Of the recording; what comes behind is not looked at. Takes up to a microsecond each.
  size_t MaxWords = size_t{1} << 17;
  /// Also folds dependences without widening, which may take as many pieces as there are points.
  bool CountExactPieces = false;
};

/// Addresses and last writers of \p Call, folded. A read depends on the last write of its first
/// byte, a write on the last write and on the last read by each access. Where iterations were not
/// recorded, what came before them is forgotten.
Nest recordedNest(const Recorded &Call, const RecordedNestOptions &Options = {});

} // namespace specrt

#endif
