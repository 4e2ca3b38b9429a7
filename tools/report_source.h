//===- tools/report_source.h - which report a command is about ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_REPORT_SOURCE_H
#define SPECRT_TOOLS_REPORT_SOURCE_H

#include "tools/report_model.h"

namespace specrt::tools {

/// A report with the text and the file it came from.
struct LoadedReport {
  Report Content;
  std::string Text; ///< JSON
  std::string Path;
};

/// The cache directory that programs started from here would use; "" when there is none.
std::string cacheDirectory();

/// The same, for commands that need one: throws CommandError when programs would not use the
/// directory that SPECRT_CACHE_DIR names, or when there is none.
std::string knownCacheDirectory();

/// Loads a report. What: "" for the most recent one of the cache; the path of a report; the path or
/// the name of a program, whose last report is then taken. Throws CommandError.
LoadedReport loadReport(const std::string &What);

} // namespace specrt::tools

#endif
