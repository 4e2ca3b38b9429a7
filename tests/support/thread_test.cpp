//===- tests/support/thread_test.cpp - threads of the library's own -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/thread.h"

#include <csignal>
#include <gtest/gtest.h>

namespace specrt {
namespace {

struct Seen {
  size_t StackBytes = 0;
  bool TakesSignals = true;
};

void *look(void *Result) {
  auto &Out = *static_cast<Seen *>(Result);
  pthread_attr_t Attributes;
  pthread_getattr_np(pthread_self(), &Attributes);
  pthread_attr_getstacksize(&Attributes, &Out.StackBytes);
  pthread_attr_destroy(&Attributes);
  sigset_t Mask;
  pthread_sigmask(SIG_BLOCK, nullptr, &Mask);
  Out.TakesSignals = sigismember(&Mask, SIGALRM) != 1;
  return nullptr;
}

TEST(StartThread, HasItsOwnStackAndNoSignals) {
  constexpr size_t StackBytes = size_t{48} << 20; // more than threads have by themselves
  Seen Result;
  pthread_t Thread;
  ASSERT_EQ(startThread(Thread, StackBytes, look, &Result), 0);
  pthread_join(Thread, nullptr);
  EXPECT_GE(Result.StackBytes, StackBytes);
  EXPECT_FALSE(Result.TakesSignals);
  sigset_t Mask;
  pthread_sigmask(SIG_BLOCK, nullptr, &Mask);
  EXPECT_EQ(sigismember(&Mask, SIGALRM), 0);
}

} // namespace
} // namespace specrt
