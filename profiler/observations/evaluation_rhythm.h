//===- profiler/observations/evaluation_rhythm.h - selects the calls to evaluate ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluating a region's polynomials is the expensive part of observing a call. Calls with the same
// integers as the previous call need no new evaluation, and if many differ, some represent all.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_OBSERVATIONS_EVALUATION_RHYTHM_H
#define SPECRT_PROFILER_OBSERVATIONS_EVALUATION_RHYTHM_H

#include "profiler/observations/observation.h"

namespace specrt {

/// A value type.
class EvaluationRhythm {
public:
  /// After so many evaluations with changing inputs, only one of SparsePeriod is made.
  static constexpr uint64_t DenseEvaluations = 256;
  static constexpr uint64_t SparsePeriod = 8;

  /// The work of an observation for a call.
  enum class Beat : uint8_t {
    Skip,    ///< the call does not count
    Repeat,  ///< the call counts like the last counted one
    Compare, ///< the call counts; its addresses may be new
    Evaluate ///< the call counts; its integers are new
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
  bool Stale = true;   ///< the evaluated values do not belong to the last integers
  bool Counts = false; ///< the last recorded call counted
};

} // namespace specrt

#endif
