//===- runtime/base/text.h - how wide texts are ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_BASE_TEXT_H
#define SPECRT_RUNTIME_BASE_TEXT_H

#include <string>
#include <string_view>

namespace specrt {

/// Columns that a printable UTF-8 text takes: its code points.
size_t columns(std::string_view Text);

/// The text cut to Width columns, of which there must be three; what is left out is in front,
/// because names differ at the end: "...::products:70".
std::string shortened(const std::string &Text, size_t Width);

/// A function's name in at most Width columns: template arguments go first, then what it was
/// inlined into, then namespaces. The end, with the line, stays.
std::string shortenedName(const std::string &Name, size_t Width);

} // namespace specrt

#endif
