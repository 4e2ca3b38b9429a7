//===- support/memory/peek_memory.cpp - reads memory that may be unmapped -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/memory/peek_memory.h"
#include "support/memory/pages.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

namespace specrt {

namespace {

/// Reads memory through a pipe, because writing to one fails for bytes that are not mapped.
/// process_vm_readv would be shorter, but a strict seccomp filter kills a process for it.
class Pipe {
public:
  Pipe() : SavedErrno(errno), IsOpen(pipe2(Ends, O_CLOEXEC | O_NONBLOCK) == 0) {}
  ~Pipe() {
    if (IsOpen)
      for (int End : Ends)
        close(End);
    errno = SavedErrno;
  }
  Pipe(const Pipe &) = delete;
  Pipe &operator=(const Pipe &) = delete;

  /// Copies \p Bytes bytes, less than a page, that \p From names. Returns false if some cannot be
  /// read.
  bool copy(std::span<const iovec> From, void *To, size_t Bytes) {
    const auto All = static_cast<ssize_t>(Bytes);
    const ssize_t Written =
        IsOpen ? writev(Ends[1], From.data(), static_cast<int>(From.size())) : -1;
    return Written > 0 && read(Ends[0], To, Bytes) == All && Written == All;
  }

private:
  const int SavedErrno;
  int Ends[2];
  const bool IsOpen;
};

/// Asks mincore about the pages from that of \p Low to that of \p High. Returns false if some are
/// not mapped.
bool areInMemory(uint64_t Low, uint64_t High, unsigned char *Are) {
  const uint64_t First = pageOf(Low), Last = pageOf(High);
  return mincore(reinterpret_cast<void *>(First), Last - First + PageBytes, Are) == 0;
}

bool isInMemory(uint64_t Address, unsigned Width) {
  unsigned char Are[2] = {1, 1};
  return Address + Width > Address && areInMemory(Address, Address + Width - 1, Are) &&
         (Are[0] & Are[1] & 1);
}

iovec word(uint64_t Address, size_t Width) { return {reinterpret_cast<void *>(Address), Width}; }

} // namespace

std::optional<uint64_t> peekMemory(uint64_t Address, unsigned Width) {
  Pipe Through;
  uint64_t Value = 0;
  const iovec From = word(Address, Width);
  if (!isInMemory(Address, Width) || !Through.copy({&From, 1}, &Value, Width))
    return std::nullopt;
  return Value;
}

size_t peekWords(std::span<const uint64_t> Addresses, uint64_t *To) {
  constexpr size_t Bytes = 8;
  const auto [Low, High] = std::minmax_element(Addresses.begin(), Addresses.end());
  if (Addresses.empty() || Addresses.size() > MaxPeekedWords || *High + Bytes < *High ||
      *High + Bytes - *Low > MaxPeekedBytes)
    return 0;
  Pipe Through;
  unsigned char Are[MaxPeekedBytes / PageBytes + 1]; // room for partial first and last pages
  const bool AreMapped = areInMemory(*Low, *High + Bytes - 1, Are);
  const auto IsThere = [&](uint64_t Byte) {
    return (Are[Byte / PageBytes - *Low / PageBytes] & 1) != 0;
  };
  iovec From[MaxPeekedWords];
  size_t Count = 0;
  for (const uint64_t Address : Addresses)
    if (AreMapped ? IsThere(Address) && IsThere(Address + Bytes - 1) : isInMemory(Address, Bytes))
      From[Count++] = word(Address, Bytes);
  if (Count == 0 || Through.copy({From, Count}, To, Count * Bytes))
    return Count;
  size_t Read = 0; // Some of the words are protected, so they are read one by one.
  for (const iovec &One : std::span(From, Count))
    Read += Through.copy({&One, 1}, To + Read, Bytes);
  return Read;
}

} // namespace specrt
