//===- profiler/feedback/recorded_nest.h - the loops of a recorded call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FEEDBACK_RECORDED_NEST_H
#define SPECRT_PROFILER_FEEDBACK_RECORDED_NEST_H

#include "profiler/feedback/nest.h"
#include <cstddef>
#include <span>

namespace specrt {

/// The words that an instrumented version recorded, and the tables that they refer to.
struct Recorded {
  std::span<const uint64_t> Words;
  std::span<const specrt_recorded_access> Accesses;
  std::span<const specrt_recorded_loop> Loops;
  std::span<const specrt_carried_value> Carried;
};

struct RecordedNestOptions {
  /// The limit of words that are evaluated. Each takes up to a microsecond.
  size_t MaxWords = size_t{1} << 17;
  /// Also folds dependences without widening, which may take as many pieces as there are points.
  bool CountExactPieces = false;
};

/// Folds addresses and last writers of \p Call. A read depends on the last write of its first byte,
/// a write on the last write and on the last read by each access. At gaps in the recorded
/// iterations, all earlier accesses are forgotten.
Nest recordedNest(const Recorded &Call, const RecordedNestOptions &Options = {});

} // namespace specrt

#endif
