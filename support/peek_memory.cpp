//===- support/peek_memory.cpp - reads memory that may be gone ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/peek_memory.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace specrt {

std::optional<uint64_t> peekMemory(uint64_t Address, unsigned Width) {
  // A pipe refuses to take bytes from where nothing is mapped. process_vm_readv would be shorter,
  // but a process with a strict seccomp filter is killed for it.
  const int SavedErrno = errno;
  std::optional<uint64_t> Copied;
  int Ends[2];
  if (pipe2(Ends, O_CLOEXEC | O_NONBLOCK) == 0) {
    uint64_t Value = 0;
    const auto Wanted = static_cast<ssize_t>(Width);
    if (write(Ends[1], reinterpret_cast<void *>(Address), Width) == Wanted &&
        read(Ends[0], &Value, Width) == Wanted)
      Copied = Value;
    for (int End : Ends)
      close(End);
  }
  errno = SavedErrno;
  return Copied;
}

} // namespace specrt
