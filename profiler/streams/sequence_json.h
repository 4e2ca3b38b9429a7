//===- profiler/streams/sequence_json.h - sequences in stored files -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_STREAMS_SEQUENCE_JSON_H
#define SPECRT_PROFILER_STREAMS_SEQUENCE_JSON_H

#include "profiler/streams/sequence.h"
#include <nlohmann/json_fwd.hpp>

namespace specrt {

class JsonReader;

nlohmann::json toJson(const Sequence &S);
/// Reads a sequence. Accepts any JSON; \p In records errors.
Sequence readSequence(JsonReader &In, const nlohmann::json &Json);

} // namespace specrt

#endif
