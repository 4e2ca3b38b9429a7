//===- tools/explain/region_search.h - which region somebody means --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_EXPLAIN_REGION_SEARCH_H
#define SPECRT_TOOLS_EXPLAIN_REGION_SEARCH_H

#include "tools/report_model.h"

namespace specrt::tools {

/// Is R what Word means? A name as a report shows it, a function that is part of the region
/// (inlined ones too), each with or without a line, or file:line, any line of the region; globs are
/// allowed.
bool isMeant(const ReportedRegion &R, const std::string &Word);

/// What to say when Wanted means none of Regions: what is near in the source, or, of a function
/// that there is not, what is written alike. "" without regions.
std::string nearestMeant(const std::vector<ReportedRegion> &Regions, const std::string &Wanted);

} // namespace specrt::tools

#endif
