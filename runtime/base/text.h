//===- runtime/base/text.h - measures and shortens texts ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_BASE_TEXT_H
#define SPECRT_RUNTIME_BASE_TEXT_H

#include <string>
#include <string_view>

namespace specrt {

/// Returns the columns that a printable UTF-8 text takes: its code points.
size_t columns(std::string_view Text);

/// Returns the text cut to Width columns, at least three. The beginning is removed, because names
/// differ at the end: "...::products:70".
std::string shortened(const std::string &Text, size_t Width);

/// Returns a function's name in at most Width columns. Removes template arguments first, then the
/// function it was inlined into, then namespaces. Keeps the end, with the line.
std::string shortenedName(const std::string &Name, size_t Width);

} // namespace specrt

#endif
