//===- tests/tools/other_process_test.cpp - work in another process -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/other_process.h"

#include <cerrno>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <new>
#include <sys/wait.h>
#include <unistd.h>

using namespace specrt::tools;
using testing::HasSubstr;

namespace {

TEST(OtherProcess, HandsBackMoreThanAPipeHolds) {
  const std::string Long(3 << 20, 'x');
  OtherProcess Other(60, [&] { return Long; });
  const OtherProcess::Result Found = Other.result();
  EXPECT_EQ(Found.Death, "");
  EXPECT_EQ(Found.Text, Long);
}

TEST(OtherProcess, SeveralWorkAtATime) {
  OtherProcess First(60, [] { return std::string("one"); });
  OtherProcess Second(60, [] { return std::string("two"); });
  EXPECT_EQ(Second.result().Text, "two");
  EXPECT_EQ(First.result().Text, "one");
}

TEST(OtherProcess, ItsDeathIsNotOurs) {
  const auto DeathOf = [](const std::function<std::string()> &Work) {
    OtherProcess Other(60, Work);
    return Other.result().Death;
  };
  EXPECT_THAT(DeathOf([]() -> std::string {
                signal(SIGSEGV, SIG_DFL);
                raise(SIGSEGV);
                return "";
              }),
              HasSubstr("LLVM did not survive it"));
  EXPECT_EQ(DeathOf([]() -> std::string { throw std::bad_alloc(); }), "LLVM gave up on it");
}

TEST(OtherProcess, ItsTimeIsLimited) {
  OtherProcess Other(1, [] {
    while (true)
      pause();
    return std::string();
  });
  EXPECT_EQ(Other.result().Death, "it takes LLVM too long");
}

TEST(OtherProcess, ItsTimeIsLimitedWhereAlarmsAreBlocked) {
  sigset_t Alarm, Before;
  sigemptyset(&Alarm);
  sigaddset(&Alarm, SIGALRM);
  ASSERT_EQ(sigprocmask(SIG_BLOCK, &Alarm, &Before), 0);
  OtherProcess Other(1, [] {
    while (true)
      pause();
    return std::string();
  });
  EXPECT_EQ(Other.result().Death, "it takes LLVM too long");
  sigprocmask(SIG_SETMASK, &Before, nullptr);
}

TEST(OtherProcess, MayBeLeftAlone) {
  {
    const OtherProcess Other(60, [] {
      while (true)
        pause();
      return std::string();
    });
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), 0) << "it works";
  }
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "and is gone";
  EXPECT_EQ(errno, ECHILD);
}

} // namespace
