//===- profiler/feedback/feedback_json.h - what loops could do, for reports ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FEEDBACK_FEEDBACK_JSON_H
#define SPECRT_PROFILER_FEEDBACK_FEEDBACK_JSON_H

#include "profiler/feedback/nest.h"
#include <nlohmann/json_fwd.hpp>

namespace specrt {

/// Verdicts, accesses and dependences in words, advice, and what a picture of the domain needs:
/// `feedback` of a region in reports (docs/tools.md).
nlohmann::json feedbackJson(const Nest &N);

} // namespace specrt

#endif
