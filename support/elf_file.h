//===- support/elf_file.h - shared libraries, checked before they are opened ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_ELF_FILE_H
#define SPECRT_SUPPORT_ELF_FILE_H

#include <cstdint>
#include <elf.h>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace specrt {

struct ElfHeaders {
  Elf64_Ehdr File;
  std::vector<Elf64_Phdr> Segments;

  /// Returns the least size of a file with these headers; UINT64_MAX when they are inconsistent.
  uint64_t leastBytes() const;
};

/// Reads the headers of an open file. Returns nothing when it is not an ELF file or ends within
/// them.
std::optional<ElfHeaders> readElfHeaders(int File);

/// Calls dlopen(Path, RTLD_NOW | RTLD_LOCAL) if the file of the library and those files of Needed
/// that exist are complete. The loader maps what the headers say, so it dies of SIGBUS for a file
/// that was cut off, for example by a full disk during an upgrade. Returns null on failure, with
/// Why set to one sentence.
void *openLibrary(const std::string &Path, std::string &Why,
                  std::initializer_list<const char *> Needed = {});

} // namespace specrt

#endif
