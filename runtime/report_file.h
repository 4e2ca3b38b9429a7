//===- runtime/report_file.h - where reports go ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_REPORT_FILE_H
#define SPECRT_RUNTIME_REPORT_FILE_H

#include "runtime/registry.h"

namespace specrt {

/// The folder of the cache directory where the last report of each program is kept.
inline constexpr const char *ReportFolder = "reports";

/// Writes a report to Path, by way of a temporary file and a rename: a page when it ends in
/// ".html", else JSON. False after one warning when that is not possible. May throw std::bad_alloc.
bool writeReport(Registry &R, const std::string &Path);

/// Writes Text to Path by way of a temporary file and a rename, readable for everybody as the umask
/// allows. False with errno set when that is not possible.
bool writeFileAtomically(const std::string &Path, const std::string &Text);

/// Keeps the report of this run in the cache directory, in place of the last run's, for the tool
/// `specrt`: when profiles are written and some region became hot. Never says anything: the report
/// is for looking back, and what is wrong with the directory the profile store has said. May throw
/// std::bad_alloc.
void keepReport(Registry &R);

} // namespace specrt

#endif
