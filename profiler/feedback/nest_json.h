//===- profiler/feedback/nest_json.h - nests in stored files --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FEEDBACK_NEST_JSON_H
#define SPECRT_PROFILER_FEEDBACK_NEST_JSON_H

#include "profiler/feedback/nest.h"
#include <nlohmann/json_fwd.hpp>

namespace specrt {

class JsonReader;

nlohmann::json toJson(const Nest &N);
/// Reads a nest. Accepts any JSON; \p In records errors.
Nest readNest(JsonReader &In, const nlohmann::json &Json);

} // namespace specrt

#endif
