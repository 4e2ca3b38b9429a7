//===- tests/jit/containment_test.cpp - LLVM gives up, the program does not ==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/containment.h"
#include "llvm/Support/ErrorHandling.h"
#include "gtest/gtest.h"
#include <csignal>
#include <cstdlib>
#include <thread>

using namespace specrt;

namespace {

class Containment : public testing::Test {
protected:
  static void SetUpTestSuite() {
    llvm::remove_fatal_error_handler();
    llvm::remove_bad_alloc_error_handler();
    installContainment();
  }
};

TEST_F(Containment, FatalErrorsComeBackAsMessages) {
  std::string Why;
  EXPECT_FALSE(runContained([] { llvm::report_fatal_error("no such register"); }, Why));
  EXPECT_EQ(Why, "no such register");
}

TEST_F(Containment, LackOfMemoryComesBackAsAMessage) {
  std::string Why;
  EXPECT_FALSE(runContained([] { llvm::report_bad_alloc_error("Allocation failed"); }, Why));
  EXPECT_EQ(Why, "Allocation failed");
}

TEST_F(Containment, AnAbortInTheCompilerIsAFailure) {
  struct sigaction Before, After;
  sigaction(SIGABRT, nullptr, &Before);
  std::string Why;
  EXPECT_FALSE(runContained([] { std::abort(); }, Why));
  EXPECT_NE(Why.find("check failed"), std::string::npos) << Why;
  sigaction(SIGABRT, nullptr, &After);
  EXPECT_EQ(Before.sa_handler, After.sa_handler);
}

TEST_F(Containment, AnAbortOfTheProgramEndsItAsEver) {
  auto AbortElsewhere = [] {
    std::string Why;
    runContained([] { std::thread([] { std::abort(); }).join(); }, Why);
  };
  EXPECT_EXIT(AbortElsewhere(), testing::KilledBySignal(SIGABRT), "");
}

TEST_F(Containment, WorkThatEndsIsNotDisturbed) {
  std::string Why;
  int Done = 0;
  EXPECT_TRUE(runContained([&] { Done = 1; }, Why));
  EXPECT_EQ(Done, 1);
  EXPECT_EQ(Why, "");
}

} // namespace
