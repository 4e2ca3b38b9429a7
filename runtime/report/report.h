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

} // namespace specrt

#endif
