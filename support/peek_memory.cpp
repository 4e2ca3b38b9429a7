//===- support/peek_memory.cpp - reads memory that may be gone ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/peek_memory.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

namespace specrt {

namespace {

/// Has what these vectors name written to a pipe and read from it. Returns the number of bytes.
size_t throughPipe(const iovec *From, int Count, void *To, size_t Bytes) {
  // A pipe refuses to take bytes from where nothing is mapped. process_vm_readv would be shorter,
  // but a process with a strict seccomp filter is killed for it.
  const int SavedErrno = errno;
  ssize_t Copied = 0;
  int Ends[2];
  if (pipe2(Ends, O_CLOEXEC | O_NONBLOCK) == 0) {
    if (writev(Ends[1], From, Count) > 0)
      Copied = read(Ends[0], To, Bytes);
    for (int End : Ends)
      close(End);
  }
  errno = SavedErrno;
  return Copied > 0 ? static_cast<size_t>(Copied) : 0;
}

} // namespace

std::optional<uint64_t> peekMemory(uint64_t Address, unsigned Width) {
  uint64_t Value = 0;
  const iovec From{reinterpret_cast<void *>(Address), Width};
  if (throughPipe(&From, 1, &Value, Width) != Width)
    return std::nullopt;
  return Value;
}

bool peekWords(std::span<const uint64_t> Addresses, uint64_t *To) {
  constexpr size_t Most = 256;
  iovec From[Most];
  const size_t Count = Addresses.size();
  if (Count > Most)
    return false;
  for (size_t I = 0; I < Count; ++I)
    From[I] = {reinterpret_cast<void *>(Addresses[I]), 8};
  return throughPipe(From, static_cast<int>(Count), To, Count * 8) == Count * 8;
}

} // namespace specrt
