//===- tools/explain/region_search.h - finds the region that a user names -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_EXPLAIN_REGION_SEARCH_H
#define SPECRT_TOOLS_EXPLAIN_REGION_SEARCH_H

#include "tools/report_model.h"

namespace specrt::tools {

/// Returns whether Word names R. Word is a name as reports show it or a function that is part of
/// the region (inlined ones too), each with or without a line, or file:line with any line of the
/// region; globs are allowed.
bool isMeant(const ReportedRegion &R, const std::string &Word);

/// Returns a hint for a Wanted that names none of Regions: the nearest places in the source, or,
/// for an unknown function, functions with similar names. Returns "" without regions.
std::string nearestMeant(const std::vector<ReportedRegion> &Regions, const std::string &Wanted);

} // namespace specrt::tools

#endif
