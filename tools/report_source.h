//===- tools/report_source.h - finds the report that a command is about ---===//
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

/// Returns the cache directory of programs started in this environment; "" when there is none.
std::string cacheDirectory();

/// Returns cacheDirectory(). Throws CommandError when programs would not use the directory that
/// SPECRT_CACHE_DIR names, or when there is none.
std::string knownCacheDirectory();

/// Loads a report. \p What is "" for the most recent one of the cache, the path of a report, or the
/// path or name of a program for its last report. Throws CommandError.
LoadedReport loadReport(const std::string &What);

} // namespace specrt::tools

#endif
