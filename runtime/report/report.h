//===- runtime/report/report.h - reports for people and tools -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_REPORT_REPORT_H
#define SPECRT_RUNTIME_REPORT_REPORT_H

#include "runtime/decide/registry.h"
#include <cstdint>

namespace specrt {

struct ReportForm {
  bool Indented = false; ///< for people; otherwise the text has one line
  /// The limit of regions without news (never hot, no reason); the others are only counted.
  size_t MaxCold = SIZE_MAX;
  /// The time for data that are computed only for the report (runtime/report/zero_prediction.h).
  double ExtraMs = 50;
};

/// Returns the report's JSON text.
std::string reportText(Registry &R, const ReportForm &Form);

/// Returns a table for standard error of the regions that became hot or have a reason, those with
/// most time first.
std::string summaryText(Registry &R);

} // namespace specrt

#endif
