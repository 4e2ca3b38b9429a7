//===- profiler/json/json_writer.h - writes JSON that json_reader.h accepts ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is the counterpart of json_reader.h: whatever is measured in a program, the reader accepts
// the written values. Clocks jump and arithmetic of programs wraps, so any value may occur.
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

/// Returns \p Count as JsonReader::count() accepts it.
inline uint64_t countForJson(uint64_t Count) { return std::min(Count, JsonReader::MaxCount); }

/// Returns for example "0x2a", as JsonReader::hexadecimal() reads it.
std::string hexadecimal(uint64_t Value);

/// Returns \p Document as a text that ends in a line break; \p Indent is that of json::dump.
/// Numbers that JSON cannot express become 0, which means unknown, and bytes that are not UTF-8 are
/// replaced.
std::string jsonText(const nlohmann::json &Document, int Indent);

} // namespace specrt

#endif
