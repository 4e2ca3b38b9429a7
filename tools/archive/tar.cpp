//===- tools/archive/tar.cpp - files in a tar archive ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/archive/tar.h"
#include "tools/command_error.h"
#include "tools/terminal.h"

#include <archive.h>
#include <archive_entry.h>
#include <memory>

namespace specrt::tools {
namespace {

using Writer = std::unique_ptr<archive, int (*)(archive *)>;
using Entry = std::unique_ptr<archive_entry, void (*)(archive_entry *)>;

la_ssize_t append(archive *, void *To, const void *Bytes, size_t Count) {
  static_cast<std::string *>(To)->append(static_cast<const char *>(Bytes), Count);
  return static_cast<la_ssize_t>(Count);
}

[[noreturn]] void failToWrite(archive *To) {
  const char *Why = archive_error_string(To);
  throw CommandError(ExitUsage, std::string("the archive cannot be made: ") +
                                    (Why ? Why : "unknown problem of libarchive"));
}

std::string damage(archive *From) {
  const char *Why = archive_error_string(From);
  return "is no archive of a cache, or damaged" + (Why ? ": " + printable(Why) : std::string());
}

/// Reads the entry's data, which must have the size that its header says.
bool readData(archive *From, size_t Size, std::string &Bytes) {
  Bytes.resize(Size);
  for (size_t Done = 0; Done < Size;) {
    const la_ssize_t Count = archive_read_data(From, Bytes.data() + Done, Size - Done);
    if (Count <= 0)
      return false;
    Done += static_cast<size_t>(Count);
  }
  char More;
  return archive_read_data(From, &More, 1) == 0;
}

/// Returns "", or why an entry is refused. \p Room is the number of bytes that the remaining
/// entries may have.
std::string readEntry(archive *From, archive_entry *Of, uint64_t Room, ArchivedFile &Into) {
  const char *Name = archive_entry_pathname(Of);
  if (!Name)
    return "has a file without a name";
  Into.Name = Name;
  const auto Refuse = [&](const char *Why) { return "has " + printable(Into.Name) + ", " + Why; };
  if (archive_entry_filetype(Of) != AE_IFREG || archive_entry_hardlink(Of) ||
      archive_entry_symlink(Of) || archive_entry_sparse_reset(Of) > 0)
    return Refuse("which is not a regular file");
  const la_int64_t Size = archive_entry_size_is_set(Of) ? archive_entry_size(Of) : -1;
  if (Size < 0)
    return Refuse("which has no size");
  if (static_cast<uint64_t>(Size) > std::min(Room, MaxArchivedFileBytes))
    return Refuse("which is too large");
  return readData(From, static_cast<size_t>(Size), Into.Bytes) ? "" : damage(From);
}

} // namespace

std::string writeTar(const std::vector<ArchivedFile> &Files) {
  std::string Bytes;
  const Writer To(archive_write_new(), archive_write_free);
  const Entry Of(archive_entry_new(), archive_entry_free);
  if (!To || !Of)
    throw std::bad_alloc();
  if (archive_write_set_format_pax_restricted(To.get()) != ARCHIVE_OK ||
      archive_write_open(To.get(), &Bytes, nullptr, append, nullptr) != ARCHIVE_OK)
    failToWrite(To.get());
  for (const ArchivedFile &File : Files) {
    if (Bytes.size() + File.Bytes.size() > MaxArchiveBytes)
      throw CommandError(ExitUsage, "the cache is too large for an archive; name some programs");
    archive_entry_clear(Of.get());
    archive_entry_set_pathname(Of.get(), File.Name.c_str());
    archive_entry_set_filetype(Of.get(), AE_IFREG);
    archive_entry_set_perm(Of.get(), 0644);
    archive_entry_set_size(Of.get(), static_cast<la_int64_t>(File.Bytes.size()));
    archive_entry_set_mtime(Of.get(), 0, 0);
    if (archive_write_header(To.get(), Of.get()) != ARCHIVE_OK ||
        archive_write_data(To.get(), File.Bytes.data(), File.Bytes.size()) !=
            static_cast<la_ssize_t>(File.Bytes.size()))
      failToWrite(To.get());
  }
  if (archive_write_close(To.get()) != ARCHIVE_OK)
    failToWrite(To.get());
  return Bytes;
}

std::string readTar(std::string_view Bytes, std::vector<ArchivedFile> &Files) {
  const Writer From(archive_read_new(), archive_read_free);
  if (!From)
    throw std::bad_alloc();
  // Other formats and compression are not enabled, so that less code reads unverified input.
  if (archive_read_support_format_tar(From.get()) != ARCHIVE_OK ||
      archive_read_open_memory(From.get(), Bytes.data(), Bytes.size()) != ARCHIVE_OK)
    return damage(From.get());
  uint64_t Room = MaxArchiveBytes;
  while (true) {
    archive_entry *Of = nullptr;
    const int Result = archive_read_next_header(From.get(), &Of);
    if (Result == ARCHIVE_EOF)
      return "";
    if (Result != ARCHIVE_OK)
      return damage(From.get());
    if (Files.size() == MaxArchivedFiles)
      return "has too many files";
    ArchivedFile Next;
    if (std::string Problem = readEntry(From.get(), Of, Room, Next); !Problem.empty())
      return Problem;
    Room -= Next.Bytes.size();
    Files.push_back(std::move(Next));
  }
}

} // namespace specrt::tools
