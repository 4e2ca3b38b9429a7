//===- runtime/report/report.h - what happened, for people and for tools --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_REPORT_REPORT_H
#define SPECRT_RUNTIME_REPORT_REPORT_H

#include "runtime/decide/registry.h"
#include <cstdint>

namespace specrt {

struct ReportForm {
  bool Indented = false; ///< for people; otherwise on one line
  /// The most regions without anything to tell (never hot, no reason); the rest is only counted.
  size_t MaxCold = SIZE_MAX;
  /// For what is found out for the report alone (runtime/report/zero_prediction.h).
  double ExtraMs = 50;
};

/// The report's JSON text.
std::string reportText(Registry &R, const ReportForm &Form);

/// A table of the regions that became hot or have a reason, most time first, for standard error.
std::string summaryText(Registry &R);

/// What a region costs and gains, collected from state, detail and versions.
struct RegionFigures {
  // Exact where one thread calls. What remains of the calls ran before there was a version.
  uint64_t Calls = 0;      ///< those of the original after the decision are not counted
  uint64_t Hits = 0;       ///< of all versions
  uint64_t Misses = 0;     ///< no version's guards held: calls that ended in the original
  uint64_t TrialCalls = 0; ///< ran a candidate that was on trial
  double OriginalNs = 0;   ///< per call
  double BestNs = 0;     ///< per call with the versions in use, misses included; 0: none is in use
  uint32_t Versions = 0; ///< in use
  std::string Reason;
};
RegionFigures figuresOf(const Registry::View &V);

/// Has the original run for SPECRT_HOT? Also where the worker has not come to it before the end.
bool isHot(const Registry::View &V);

} // namespace specrt

#endif
