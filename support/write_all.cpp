//===- support/write_all.cpp - bytes to a file descriptor -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/write_all.h"

#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace specrt {

static bool waitUntilWritable(int File, int WaitMs) {
  pollfd Wanted{File, POLLOUT, 0};
  if (WaitMs > 0 && poll(&Wanted, 1, WaitMs) > 0)
    return true;
  errno = EAGAIN;
  return false;
}

bool writeAll(int File, std::string_view Bytes, int WaitMs) {
  while (!Bytes.empty()) {
    ssize_t Count = write(File, Bytes.data(), Bytes.size());
    if (Count < 0 && (errno == EINTR || (errno == EAGAIN && waitUntilWritable(File, WaitMs))))
      continue;
    if (Count == 0)
      errno = ENOSPC;
    if (Count <= 0)
      return false;
    Bytes.remove_prefix(static_cast<size_t>(Count));
  }
  return true;
}

} // namespace specrt
