//===- tests/cache/store_problems_test.cpp - one line for all that is wrong ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/log.h"
#include "runtime/cache/store_problems.h"

#include <functional>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

namespace specrt {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr auto File = StoreMessage::Kind::UnusableFile;

std::string saidBy(const std::function<void()> &What) {
  testing::internal::CaptureStderr();
  What();
  return testing::internal::GetCapturedStderr();
}

TEST(StoreProblems, ManyFilesAreOneLine) {
  StoreProblems All("/cache");
  EXPECT_EQ(saidBy([&] {
              for (int I = 0; I < 47; ++I)
                All.add({"the version " + std::to_string(I) + " is damaged", File});
              All.add({"the version 3 is damaged", File});
            }),
            "");
  const std::string Said = saidBy([&] { All.warnOfFiles(); });
  EXPECT_THAT(Said, AllOf(StartsWith("specrt: warning: 47 files in /cache"),
                          HasSubstr("the version 0 is damaged")));
  EXPECT_EQ(std::count(Said.begin(), Said.end(), '\n'), 1);
  EXPECT_EQ(saidBy([&] { All.warnOfFiles(); }), "") << "that was said";
}

TEST(StoreProblems, OneFileIsNamed) {
  StoreProblems All("/cache");
  All.add({"the version 0 is damaged", File});
  EXPECT_EQ(saidBy([&] { All.warnOfFiles(); }), "specrt: warning: the version 0 is damaged\n");
}

TEST(StoreProblems, EachFileIsNamedForDebugging) {
  setLogLevel(LogLevel::Debug);
  StoreProblems All("/cache");
  EXPECT_EQ(saidBy([&] {
              for (int I = 0; I < 2; ++I)
                All.add({"the version 0 is damaged", File});
            }),
            "specrt: debug: the version 0 is damaged\n");
  setLogLevel(LogLevel::Warning);
}

TEST(StoreProblems, WhatConcernsTheDirectoryIsSaidOnceAndAtOnce) {
  StoreProblems All("/cache");
  EXPECT_EQ(saidBy([&] {
              for (const char *Why : {"no space", "no rights"})
                All.add({std::string("nothing is kept: ") + Why});
              All.warnOfFiles();
            }),
            "specrt: warning: nothing is kept: no space\n");
}

TEST(StoreProblems, AChildSaysNothingOfItsParentsFiles) {
  StoreProblems All("/cache");
  All.add({"the version 0 is damaged", File});
  const std::string Said = saidBy([&] {
    const pid_t Child = fork();
    if (Child == 0) {
      All.warnOfFiles();
      _exit(0);
    }
    int Status = 1;
    EXPECT_EQ(waitpid(Child, &Status, 0), Child);
    EXPECT_EQ(Status, 0);
  });
  EXPECT_EQ(Said, "");
}

} // namespace
} // namespace specrt
