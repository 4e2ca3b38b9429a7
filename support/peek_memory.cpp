//===- support/peek_memory.cpp - reads memory that may be gone ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/peek_memory.h"

#include <fcntl.h>
#include <unistd.h>

namespace specrt {

std::optional<uint64_t> peekMemory(uint64_t Address, unsigned Width) {
  // A pipe refuses to take bytes from where nothing is mapped. process_vm_readv would be shorter,
  // but a process with a strict seccomp filter is killed for it.
  int Ends[2];
  if (pipe2(Ends, O_CLOEXEC | O_NONBLOCK) != 0)
    return std::nullopt;
  uint64_t Value = 0;
  const auto Wanted = static_cast<ssize_t>(Width);
  bool Copied = write(Ends[1], reinterpret_cast<void *>(Address), Width) == Wanted &&
                read(Ends[0], &Value, Width) == Wanted;
  for (int End : Ends)
    close(End);
  return Copied ? std::optional(Value) : std::nullopt;
}

} // namespace specrt
