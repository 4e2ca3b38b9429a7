//===- support/file_start.cpp - reads small files of the kernel -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/file_start.h"

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <unistd.h>

namespace specrt {

std::string_view readStart(const char *Path, char *Text, size_t Size) {
  const int File = open(Path, O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return {};
  const ssize_t Bytes = read(File, Text, Size);
  close(File);
  return {Text, static_cast<size_t>(std::max<ssize_t>(Bytes, 0))};
}

std::optional<uint64_t> numberIn(const char *Path, std::string_view Name) {
  char Text[256];
  std::string_view Read = readStart(Path, Text);
  const size_t At = Read.find(Name);
  if (At == Read.npos)
    return std::nullopt;
  Read.remove_prefix(At + Name.size());
  Read.remove_prefix(std::min(Read.find_first_not_of(" \t"), Read.size()));
  uint64_t Number = 0;
  if (std::from_chars(Read.data(), Read.data() + Read.size(), Number).ec != std::errc())
    return std::nullopt;
  return Number;
}

} // namespace specrt
