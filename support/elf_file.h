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

  /// The least size of a file with these headers; UINT64_MAX when they contradict themselves.
  uint64_t leastBytes() const;
};

/// Reads the headers of an open file. Empty when it is not an ELF file or ends within them.
std::optional<ElfHeaders> readElfHeaders(int File);

/// dlopen(Path, RTLD_NOW | RTLD_LOCAL) of a library whose file is complete, and so are the files
/// Needed, those of them that exist. The loader maps what the headers say: in a file that was cut
/// off, by a full disk during an upgrade for example, it dies of SIGBUS. Null, with Why set to one
/// sentence, on failure.
void *openLibrary(const std::string &Path, std::string &Why,
                  std::initializer_list<const char *> Needed = {});

} // namespace specrt

#endif
