//===- profiler/json/json_writer.h - JSON that our own readers believe ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counterpart of json_reader.h: whatever a program makes us measure, what is written here is
// read there. Clocks jump and arithmetic of programs wraps, so no value is too odd to occur.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_JSON_JSON_WRITER_H
#define SPECRT_PROFILER_JSON_JSON_WRITER_H

#include "profiler/json/json_reader.h"
#include <algorithm>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace specrt {

/// \p Count as JsonReader::count() accepts it.
inline uint64_t countForJson(uint64_t Count) { return std::min(Count, JsonReader::MaxCount); }

/// "0x2a", as JsonReader::hexadecimal() reads it.
std::string hexadecimal(uint64_t Value);

/// \p Document as a text that ends in a line break; \p Indent as of json::dump. Numbers that JSON
/// cannot express become 0, which stands for unknown, and bytes that are not UTF-8 are replaced.
std::string jsonText(const nlohmann::json &Document, int Indent);

} // namespace specrt

#endif
