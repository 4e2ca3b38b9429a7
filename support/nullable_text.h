//===- support/nullable_text.h - C strings that may be null ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_NULLABLE_TEXT_H
#define SPECRT_SUPPORT_NULLABLE_TEXT_H

#include <string>

namespace specrt {

/// Converts a C string to std::string; null becomes "".
inline std::string orEmpty(const char *Text) { return Text ? Text : ""; }

/// Converts back: "" becomes null. The result is valid as long as \p Text.
inline const char *orNull(const std::string &Text) { return Text.empty() ? nullptr : Text.c_str(); }

} // namespace specrt

#endif
