//===- profiler/observations/evaluation_rhythm.h - which calls are worth polynomials ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To evaluate a region's polynomials is the dear part of observing a call: calls with the integers
// of the call before need no new evaluation, and when many differ, some stand for all.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_OBSERVATIONS_EVALUATION_RHYTHM_H
#define SPECRT_PROFILER_OBSERVATIONS_EVALUATION_RHYTHM_H

#include "profiler/observations/observation.h"

namespace specrt {

/// A value type.
class EvaluationRhythm {
public:
  /// After so many evaluations with changing inputs only every SparsePeriod-th is evaluated.
  static constexpr uint64_t DenseEvaluations = 256;
  static constexpr uint64_t SparsePeriod = 8;

  /// What an observation has to do for a call.
  enum class Beat : uint8_t {
    Skip,    ///< it does not count
    Repeat,  ///< it counts like the last one that counted
    Compare, ///< it counts; its addresses may be new
    Evaluate ///< it counts; its integers are new
  };

  Beat next(const SampledCall &Call) {
    if (Call.SameInputs)
      return Counts ? Beat::Repeat : Beat::Skip;
    Stale |= Call.IntegersChanged;
    ++Evaluations;
    Counts = Evaluations <= DenseEvaluations || Evaluations % SparsePeriod == 0;
    if (!Counts)
      return Beat::Skip;
    Beat Next = Stale ? Beat::Evaluate : Beat::Compare;
    Stale = false;
    return Next;
  }

private:
  uint64_t Evaluations = 0;
  bool Stale = true;   ///< what was evaluated does not belong to the integers seen last
  bool Counts = false; ///< the call recorded last did
};

} // namespace specrt

#endif
