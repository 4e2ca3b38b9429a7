//===- tools/diff/report_diff.h - what differs between two reports --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_DIFF_REPORT_DIFF_H
#define SPECRT_TOOLS_DIFF_REPORT_DIFF_H

#include "tools/report_source.h"
#include <string>
#include <vector>

namespace specrt::tools {

/// A region of two reports; null where a report has none.
struct RegionPair {
  const ReportedRegion *Before = nullptr, *After = nullptr;

  const ReportedRegion &any() const { return After ? *After : *Before; }
  /// Nanoseconds that the calls of the later run take more than they took before, at the times per
  /// call that both reports have; 0 where one is unknown.
  double addedNs() const;
};

/// Nanoseconds per call: with its versions, or of the original where none is in use. 0: unknown.
double nsPerCall(const ReportedRegion &R);

/// The regions of two reports: those of one name, then those that are the only one left of a
/// function and a file in each report, whatever their lines. Regions that neither report tells
/// anything about are left out. Those that lost most time come first, then by what the calls took,
/// and regions of only one report last. Points into the reports.
std::vector<RegionPair> pairRegions(const Report &Before, const Report &After);

/// The text of `specrt report --diff`.
std::string diffText(const LoadedReport &Before, const LoadedReport &After);

/// Returns the comparison as JSON.
std::string diffJson(const LoadedReport &Before, const LoadedReport &After);

} // namespace specrt::tools

#endif
