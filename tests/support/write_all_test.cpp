//===- tests/support/write_all_test.cpp - writing raises no signal --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/write_all.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace specrt {
namespace {

bool isPending(int Signal) {
  sigset_t Pending;
  sigpending(&Pending);
  return sigismember(&Pending, Signal) == 1;
}

bool isBlocked(int Signal) {
  sigset_t Mask;
  pthread_sigmask(SIG_BLOCK, nullptr, &Mask);
  return sigismember(&Mask, Signal) == 1;
}

/// Writes to a pipe that nobody reads.
bool writeToNobody() {
  std::array<int, 2> Ends{};
  EXPECT_EQ(pipe(Ends.data()), 0);
  close(Ends[0]);
  bool Written = writeAll(Ends[1], "text");
  int Problem = errno;
  close(Ends[1]);
  errno = Problem;
  return Written;
}

TEST(WriteAll, FailsWithoutReaders) {
  EXPECT_FALSE(writeToNobody());
  EXPECT_EQ(errno, EPIPE);
  EXPECT_FALSE(isPending(SIGPIPE));
  EXPECT_FALSE(isBlocked(SIGPIPE));
}

TEST(WriteAll, FailsBeyondTheLimitOnFiles) {
  rlimit Before;
  getrlimit(RLIMIT_FSIZE, &Before);
  rlimit Small = {2, Before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &Small);
  int File = memfd_create("test", 0);
  EXPECT_FALSE(writeAll(File, "text"));
  EXPECT_EQ(errno, EFBIG);
  setrlimit(RLIMIT_FSIZE, &Before);
  close(File);
  EXPECT_FALSE(isPending(SIGXFSZ));
  EXPECT_FALSE(isBlocked(SIGXFSZ));
}

/// What the program blocks and has not received yet is its own.
TEST(WriteAll, LeavesSignalsOfTheProgramPending) {
  sigset_t Pipe, Before;
  sigemptyset(&Pipe);
  sigaddset(&Pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &Pipe, &Before);
  raise(SIGPIPE);
  EXPECT_FALSE(writeToNobody());
  EXPECT_TRUE(isPending(SIGPIPE));
  EXPECT_TRUE(isBlocked(SIGPIPE));
  constexpr timespec Now{0, 0};
  EXPECT_EQ(sigtimedwait(&Pipe, nullptr, &Now), SIGPIPE);
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
}

} // namespace
} // namespace specrt
