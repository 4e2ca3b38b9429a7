//===- tools/why/why_text.h - what the loops of a region could do, in words ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_WHY_WHY_TEXT_H
#define SPECRT_TOOLS_WHY_WHY_TEXT_H

#include "tools/why/feedback.h"
#include <string>

namespace specrt::tools {

/// Whole lines: for each loop whether it is parallel, vectorisable and tilable, and what stands
/// against it; accesses, dependences, a picture where there are two loops, and what to do. "" when
/// there is nothing.
std::string whyText(const Feedback &F);

/// The iterations of a nest of two loops with what connects them; "" when there is none.
std::string pictureText(const FeedbackPicture &P);

} // namespace specrt::tools

#endif
