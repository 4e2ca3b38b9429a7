//===- tools/why/why_text.h - describes what the loops of a region could do ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_WHY_WHY_TEXT_H
#define SPECRT_TOOLS_WHY_WHY_TEXT_H

#include "tools/why/feedback.h"
#include <string>

namespace specrt::tools {

/// Returns whole lines: for each loop whether it is parallel, vectorisable and tilable, and what
/// prevents it; accesses, dependences, a picture of a nest of two loops, and advice. Returns ""
/// when there is nothing to report.
std::string whyText(const Feedback &F);

/// Returns a picture of the iterations of a nest of two loops and their dependences; "" when there
/// is none.
std::string pictureText(const FeedbackPicture &P);

} // namespace specrt::tools

#endif
