//===- runtime/watch/mappings.cpp - properties of mappings ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/watch/mappings.h"
#include "runtime/watch/kernel_pages.h"

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace specrt {
namespace {

/// Returns whether the name is that of a mapping without a file: the heap, a mapping named by
/// prctl, or one without a name.
bool isMemoryOfTheProgram(std::string_view Name) {
  return Name.empty() || Name == "[heap]" || Name.starts_with("[anon:");
}

/// Reads a number and the character behind it; returns false if that is not \p Behind.
bool readNumber(const char *&At, int Base, char Behind, uint64_t &Number) {
  char *End;
  Number = std::strtoull(At, &End, Base);
  const bool IsRight = End != At && *End == Behind;
  At = End + (IsRight && Behind ? 1 : 0);
  return IsRight;
}

/// Parses a line of /proc/self/maps, without its end: "begin-end rwxp offset major:minor inode
/// name".
std::optional<Mapping> parseLine(const char *At) {
  uint64_t Begin, End, Ignored, Inode;
  if (!readNumber(At, 16, '-', Begin) || !readNumber(At, 16, ' ', End) || strnlen(At, 5) < 5)
    return std::nullopt;
  const bool IsReadable = At[0] == 'r', IsPrivate = At[3] == 'p';
  At += 5;
  if (!readNumber(At, 16, ' ', Ignored) || !readNumber(At, 16, ':', Ignored) ||
      !readNumber(At, 16, ' ', Ignored) || !readNumber(At, 10, ' ', Inode))
    return std::nullopt;
  const std::string_view Name = At + std::strspn(At, " ");
  return Mapping{.Begin = Begin,
                 .End = End,
                 .IsPrivateAnonymous = IsPrivate && Inode == 0 && isMemoryOfTheProgram(Name),
                 .IsReadable = IsReadable};
}

/// Returns the number behind Field, which begins with the end of the line before it.
std::optional<uint64_t> numberOf(const char *Text, const char *Field) {
  const char *At = std::strstr(Text, Field);
  if (!At)
    return std::nullopt;
  At += std::strlen(Field);
  char *End;
  const uint64_t Number = std::strtoull(At, &End, 10);
  return End == At ? std::nullopt : std::optional(Number);
}

/// Reads lines of a file without their ends; lines longer than the buffer are cut.
class LineReader {
public:
  explicit LineReader(int File) : File(File) {}

  /// Returns null at the end of the file.
  const char *next() {
    for (;;) {
      char *Begin = Buffer + At;
      if (void *End = std::memchr(Begin, '\n', Filled - At)) {
        *static_cast<char *>(End) = 0;
        At = static_cast<size_t>(static_cast<char *>(End) - Buffer) + 1;
        return Begin;
      }
      std::memmove(Buffer, Begin, Filled - At);
      Filled -= At;
      At = 0;
      if (Filled == sizeof(Buffer))
        Filled = 0; // no line of this length matters
      const ssize_t Count =
          pread(File, Buffer + Filled, sizeof(Buffer) - Filled, static_cast<off_t>(Offset));
      if (Count <= 0)
        return nullptr;
      Filled += static_cast<size_t>(Count);
      Offset += static_cast<size_t>(Count);
    }
  }

private:
  int File;
  size_t At = 0, Filled = 0, Offset = 0;
  char Buffer[8192];
};

} // namespace

Mappings::Mappings() : File(open("/proc/self/maps", O_RDONLY | O_CLOEXEC)) {}

Mappings::~Mappings() {
  if (File >= 0)
    close(File);
}

std::optional<Mapping> Mappings::at(uintptr_t Address) const {
  if (File < 0)
    return std::nullopt;
  const std::optional<Mapping> Answer = ask(Address);
  return Answer ? Answer : read(Address);
}

bool Mappings::areReadable(uintptr_t Begin, uintptr_t End) const {
  while (Begin < End) {
    const std::optional<Mapping> Here = at(Begin);
    if (!Here || !Here->IsReadable)
      return false;
    Begin = Here->End;
  }
  return true;
}

std::optional<Mapping> Mappings::ask(uintptr_t Address) const {
  char Name[256] = ""; // longer names are those of files
  kernel::MappingQuery Query;
  Query.Address = Address;
  Query.Name = reinterpret_cast<uintptr_t>(Name);
  Query.NameSize = sizeof(Name);
  if (ioctl(File, kernel::QueryMapping, &Query) != 0)
    return std::nullopt;
  return Mapping{.Begin = Query.Begin,
                 .End = Query.End,
                 .IsPrivateAnonymous = !(Query.MappingFlags & kernel::MappingShared) &&
                                       Query.Inode == 0 &&
                                       isMemoryOfTheProgram(Query.NameSize ? Name : ""),
                 .IsReadable = (Query.MappingFlags & kernel::MappingReadable) != 0};
}

std::optional<Mapping> Mappings::read(uintptr_t Address) const {
  LineReader Lines(File);
  while (const char *Line = Lines.next())
    if (std::optional<Mapping> M = parseLine(Line); M && Address < M->End)
      return Address >= M->Begin ? M : std::nullopt;
  return std::nullopt;
}

std::optional<ProcessStatus> processStatus() {
  const int File = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return std::nullopt;
  char Text[8192];
  const ssize_t Count = read(File, Text, sizeof(Text) - 1);
  close(File);
  Text[Count > 0 ? Count : 0] = 0;
  const auto Filters = numberOf(Text, "\nSeccomp:"), Pinned = numberOf(Text, "\nVmPin:");
  if (!Filters || !Pinned)
    return std::nullopt;
  return ProcessStatus{.IsFiltered = *Filters != 0, .HasPinnedMemory = *Pinned != 0};
}

} // namespace specrt
