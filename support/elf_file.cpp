//===- support/elf_file.cpp - shared libraries, checked before they are opened ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/elf_file.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace specrt {
namespace {

bool readAt(int File, void *Out, size_t Bytes, uint64_t Offset) {
  return pread(File, Out, Bytes, static_cast<off_t>(Offset)) == static_cast<ssize_t>(Bytes);
}

/// Returns Offset + Bytes, or UINT64_MAX on overflow.
uint64_t endOf(uint64_t Offset, uint64_t Bytes) {
  uint64_t End;
  return __builtin_add_overflow(Offset, Bytes, &End) ? UINT64_MAX : End;
}

/// Returns true and sets Why when Path names a file that ends too early. Returns false for a file
/// that cannot be opened or is no library: the loader's own message describes those better.
bool isCutOff(const std::string &Path, std::string &Why) {
  const int File = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return false;
  struct stat Status;
  const std::optional<ElfHeaders> Headers = readElfHeaders(File);
  const bool IsKnown = Headers && fstat(File, &Status) == 0;
  close(File);
  if (!IsKnown || static_cast<uint64_t>(Status.st_size) >= Headers->leastBytes())
    return false;
  Why = Path + " is incomplete: it has " + std::to_string(Status.st_size) + " of " +
        std::to_string(Headers->leastBytes()) + " bytes";
  return true;
}

} // namespace

uint64_t ElfHeaders::leastBytes() const {
  uint64_t End = endOf(File.e_shoff, uint64_t{File.e_shnum} * File.e_shentsize);
  for (const Elf64_Phdr &Segment : Segments)
    End = std::max(End, endOf(Segment.p_offset, Segment.p_filesz));
  return End;
}

std::optional<ElfHeaders> readElfHeaders(int File) {
  ElfHeaders Found;
  if (!readAt(File, &Found.File, sizeof(Found.File), 0) ||
      std::memcmp(Found.File.e_ident, ELFMAG, SELFMAG) != 0 ||
      Found.File.e_ident[EI_CLASS] != ELFCLASS64 || Found.File.e_phentsize != sizeof(Elf64_Phdr))
    return std::nullopt;
  Found.Segments.resize(Found.File.e_phnum);
  if (!readAt(File, Found.Segments.data(), Found.Segments.size() * sizeof(Elf64_Phdr),
              Found.File.e_phoff))
    return std::nullopt;
  return Found;
}

void *openLibrary(const std::string &Path, std::string &Why,
                  std::initializer_list<const char *> Needed) {
  if (isCutOff(Path, Why))
    return nullptr;
  for (const char *Other : Needed)
    if (isCutOff(Other, Why))
      return nullptr;
  void *Library = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (Library)
    return Library;
  const char *Problem = dlerror();
  Why = Problem ? Problem : Path + " cannot be opened";
  return nullptr;
}

} // namespace specrt
