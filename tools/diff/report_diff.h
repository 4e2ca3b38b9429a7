//===- tools/diff/report_diff.h - compares two reports --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_DIFF_REPORT_DIFF_H
#define SPECRT_TOOLS_DIFF_REPORT_DIFF_H

#include "tools/report_source.h"
#include <string>
#include <vector>

namespace specrt::tools {

/// A region of two reports; null if a report does not contain it.
struct RegionPair {
  const ReportedRegion *Before = nullptr, *After = nullptr;

  const ReportedRegion &any() const { return After ? *After : *Before; }
  /// Returns the nanoseconds by which the calls of the later run became slower, computed from the
  /// times per call in both reports; 0 if one is unknown.
  double addedNs() const;
};

/// Returns nanoseconds per call: of its versions, or of the original if none is in use; 0 if
/// unknown.
double nsPerCall(const ReportedRegion &R);

/// Pairs the regions of two reports: first regions of the same name, then regions that are the only
/// unpaired ones of a function and file in each report, whatever their lines. Leaves out regions
/// without data in both reports. The order is by time lost, then by the time of all calls; regions
/// of only one report are last. The result points into the reports.
std::vector<RegionPair> pairRegions(const Report &Before, const Report &After);

/// Returns the text of `specrt report --diff`.
std::string diffText(const LoadedReport &Before, const LoadedReport &After);

/// Returns the comparison as JSON.
std::string diffJson(const LoadedReport &Before, const LoadedReport &After);

} // namespace specrt::tools

#endif
