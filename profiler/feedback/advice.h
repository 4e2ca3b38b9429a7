//===- profiler/feedback/advice.h - advice about the loops of a region ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FEEDBACK_ADVICE_H
#define SPECRT_PROFILER_FEEDBACK_ADVICE_H

#include "profiler/feedback/nest.h"
#include <string>
#include <vector>

namespace specrt {

/// Returns sentences with source lines, the most important ones first.
std::vector<std::string> adviceFor(const Nest &N);

} // namespace specrt

#endif
