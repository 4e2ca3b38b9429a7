//===- runtime/report/report_file.h - writes reports to files -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_REPORT_REPORT_FILE_H
#define SPECRT_RUNTIME_REPORT_REPORT_FILE_H

#include "runtime/decide/registry.h"

namespace specrt {

/// The folder of the cache directory that contains the last report of each program.
inline constexpr const char *ReportFolder = "reports";

/// Writes a report to Path, through a temporary file and a rename: a page if the name ends in
/// ".html", else JSON. Returns false after one warning when that is not possible. May throw
/// std::bad_alloc.
bool writeReport(Registry &R, const std::string &Path);

/// Writes Text to Path. A regular file is replaced as a whole, through a temporary file and a
/// rename, and keeps its permissions; a new one gets those that the umask allows; a link stays a
/// link; other files (a terminal, a pipe, /dev/null, a descriptor as /dev/stderr) are written to.
/// Returns "" or a text that follows the name: "cannot be written: ...".
[[nodiscard]] std::string writeFileAtomically(const std::string &Path, const std::string &Text);

/// Stores the report of this run in the cache directory, in place of the last run's, for the tool
/// `specrt`, if profiles are written and some region became hot. Warns once of a problem; not if
/// Told, because the profile store has just failed and said why. May throw std::bad_alloc.
void keepReport(Registry &R, bool Told);

} // namespace specrt

#endif
