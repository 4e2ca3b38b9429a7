//===- runtime/report/report_file.h - where reports go --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_REPORT_REPORT_FILE_H
#define SPECRT_RUNTIME_REPORT_REPORT_FILE_H

#include "runtime/decide/registry.h"

namespace specrt {

/// The folder of the cache directory where the last report of each program is kept.
inline constexpr const char *ReportFolder = "reports";

/// Writes a report to Path, by way of a temporary file and a rename: a page when it ends in
/// ".html", else JSON. False after one warning when that is not possible. May throw std::bad_alloc.
bool writeReport(Registry &R, const std::string &Path);

/// Writes Text to Path. A regular file is replaced as a whole, by way of a temporary file and a
/// rename, and keeps its permissions; a new one gets those that the umask allows; a link stays a
/// link; what is no file (a terminal, a pipe, /dev/null, a descriptor as /dev/stderr) is written
/// to. Returns "" or what goes on after the name: "cannot be written: ...".
[[nodiscard]] std::string writeFileAtomically(const std::string &Path, const std::string &Text);

/// Keeps the report of this run in the cache directory, in place of the last run's, for the tool
/// `specrt`: when profiles are written and some region became hot. What is wrong is one warning;
/// Told: not even that, because the profile store has just failed and said why. May throw
/// std::bad_alloc.
void keepReport(Registry &R, bool Told);

} // namespace specrt

#endif
