//===- tools/region_text.h - describes a region in words ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These functions return the paragraphs of `specrt report` and `specrt explain`. Each returns whole
// lines, indented, or "" when there is nothing to report.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TOOLS_REGION_TEXT_H
#define SPECRT_TOOLS_REGION_TEXT_H

#include "tools/report_model.h"
#include "tools/terminal.h"

namespace specrt::tools {

/// Returns the colour of a state.
Ink inkOf(const std::string &State);

/// Returns for example "product:33  specialised, 3.42x faster   file:33".
std::string headline(const ReportedRegion &R);

/// Returns why the region runs its original code, and advice.
std::string reasonText(const ReportedRegion &R);

/// Returns the versions in use, with guards, counts and times.
std::string versionsText(const ReportedRegion &R);

/// Returns whether versions took over running calls, and what the last of them gained.
std::string replacementsText(const ReportedRegion &R);

/// Returns the candidates that are not in use, with reasons.
std::string retiredText(const ReportedRegion &R);

/// Returns why the nest could not be transformed as it was written. With Brief, for a region that
/// has a version anyway, only causes that no guard removes are listed, and the others are
/// summarised in one line.
std::string causesText(const ReportedRegion &R, bool Brief);

/// Returns values, addresses, iterations and overlaps of the calls.
std::string observedText(const ReportedRegion &R);

/// Returns the compiler's notes about the last plan.
std::string notesText(const ReportedRegion &R);

/// Returns the events in the order of their times.
std::string timelineText(const ReportedRegion &R);

} // namespace specrt::tools

#endif
