//===- profiler/store/stored_json.h - the text of a stored file as JSON ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_STORE_STORED_JSON_H
#define SPECRT_PROFILER_STORE_STORED_JSON_H

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace specrt {

/// Parses Text, which may be anything. Returns "" or why it is not understood: half a sentence for
/// "the file ...".
std::string parseStored(const std::string &Text, nlohmann::json &Json);

} // namespace specrt

#endif
