//===- profiler/feedback/feedback_json.h - feedback about loops in reports ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FEEDBACK_FEEDBACK_JSON_H
#define SPECRT_PROFILER_FEEDBACK_FEEDBACK_JSON_H

#include "profiler/feedback/nest.h"
#include <nlohmann/json_fwd.hpp>

namespace specrt {

/// Returns verdicts, accesses and dependences in words, advice, and the data of a picture of the
/// domain: `feedback` of a region in reports (docs/tools.md).
nlohmann::json feedbackJson(const Nest &N);

} // namespace specrt

#endif
