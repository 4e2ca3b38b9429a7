//===- profiler/store/stored_json.h - the text of a stored file as JSON ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_STORE_STORED_JSON_H
#define SPECRT_PROFILER_STORE_STORED_JSON_H

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace specrt {

/// Parses Text, which may be anything: every reader of JSON begins with this. The nesting of Json
/// is so limited that recursion over it is safe, and its memory is a small multiple of the text's.
/// Returns "", or why the text is invalid, as half a sentence for "the file ...". May throw
/// std::bad_alloc; Json contains what was read before then.
std::string parseStored(std::string_view Text, nlohmann::json &Json);

/// Makes an object or array empty. Allocates nothing, unlike its destructor, which ends the process
/// when there is no memory for the list of values to destroy. Recursive, so it is only for values
/// that parseStored has read.
void emptyJson(nlohmann::json &Json) noexcept;

/// Empties a value at the end of a scope.
class EmptyJsonAtEnd {
public:
  explicit EmptyJsonAtEnd(nlohmann::json &Json) : Json(Json) {}
  ~EmptyJsonAtEnd() { emptyJson(Json); }
  EmptyJsonAtEnd(const EmptyJsonAtEnd &) = delete;
  EmptyJsonAtEnd &operator=(const EmptyJsonAtEnd &) = delete;

private:
  nlohmann::json &Json;
};

} // namespace specrt

#endif
