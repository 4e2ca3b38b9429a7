//===- support/file_start.h - reads small files of the kernel ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_FILE_START_H
#define SPECRT_SUPPORT_FILE_START_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace specrt {

/// Reads at most \p Size bytes from the beginning of a file. Returns them; empty if the file cannot
/// be read. Async-signal-safe.
std::string_view readStart(const char *Path, char *Text, size_t Size);
template <size_t Size> std::string_view readStart(const char *Path, char (&Text)[Size]) {
  return readStart(Path, Text, Size);
}

/// Returns the decimal number that follows the first \p Name within the first 256 bytes of a file,
/// after blanks and tabs; nothing if there is none. Async-signal-safe.
std::optional<uint64_t> numberIn(const char *Path, std::string_view Name);

} // namespace specrt

#endif
