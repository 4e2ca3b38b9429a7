//===- support/write_all.cpp - bytes to a file descriptor -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/write_all.h"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <poll.h>
#include <unistd.h>

namespace specrt {
namespace {

/// Blocks the signals that end the program for writing to a pipe without readers or beyond the
/// limit on file sizes. These signals are for the program's own writes; ours fail instead. The
/// kernel sends them to the writing thread, so the destructor can remove those that our write
/// caused.
class WriteSignalsBlocked {
public:
  WriteSignalsBlocked() {
    sigemptyset(&Signals);
    sigaddset(&Signals, SIGPIPE);
    sigaddset(&Signals, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &Signals, &Mask);
    sigpending(&Pending);
  }
  ~WriteSignalsBlocked() {
    const int Problem = errno;
    for (int Signal : {SIGPIPE, SIGXFSZ})
      if (sigismember(&Pending, Signal))
        sigdelset(&Signals, Signal);
    constexpr timespec Now{0, 0};
    while (sigtimedwait(&Signals, nullptr, &Now) > 0)
      ;
    pthread_sigmask(SIG_SETMASK, &Mask, nullptr);
    errno = Problem;
  }
  WriteSignalsBlocked(const WriteSignalsBlocked &) = delete;
  WriteSignalsBlocked &operator=(const WriteSignalsBlocked &) = delete;

private:
  sigset_t Signals, Mask, Pending;
};

bool waitUntilWritable(int File, int WaitMs) {
  pollfd Wanted{File, POLLOUT, 0};
  if (WaitMs > 0 && poll(&Wanted, 1, WaitMs) > 0)
    return true;
  errno = EAGAIN;
  return false;
}

} // namespace

bool writeAll(int File, std::string_view Bytes, int WaitMs) {
  const WriteSignalsBlocked Quiet;
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
