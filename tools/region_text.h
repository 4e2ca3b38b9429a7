//===- tools/region_text.h - what is known about a region, in words -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The paragraphs that `specrt report` and `specrt explain` are made of. Every function returns
// whole lines, indented, or "" when there is nothing to say.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TOOLS_REGION_TEXT_H
#define SPECRT_TOOLS_REGION_TEXT_H

#include "tools/report_model.h"
#include "tools/terminal.h"

namespace specrt::tools {

/// How a state is coloured.
Ink inkOf(const std::string &State);

/// "product:33  specialised, 3.42x faster   file:33"
std::string headline(const ReportedRegion &R);

/// Why it runs its original code, and what to do about it.
std::string reasonText(const ReportedRegion &R);

/// The versions in use, with guards, counts and times.
std::string versionsText(const ReportedRegion &R);

/// Whether calls changed over to a version while they ran, and what the last of them gained.
std::string replacementsText(const ReportedRegion &R);

/// The candidates that are not in use, and why.
std::string retiredText(const ReportedRegion &R);

/// Why the nest could not be transformed as it was written. Brief: only what no guard answers, the
/// rest in one line, for a region that has a version anyway.
std::string causesText(const ReportedRegion &R, bool Brief);

/// Values, addresses, iterations and overlaps of the calls.
std::string observedText(const ReportedRegion &R);

/// What the compiler noted about the last plan.
std::string notesText(const ReportedRegion &R);

/// What happened when.
std::string timelineText(const ReportedRegion &R);

} // namespace specrt::tools

#endif
