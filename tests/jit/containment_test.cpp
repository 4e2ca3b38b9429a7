//===- tests/jit/containment_test.cpp - LLVM gives up, the program does not ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/containment.h"
#include "llvm/Support/ErrorHandling.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "isl/isl-noexceptions.h"
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <thread>

using namespace specrt;

namespace {

class Containment : public testing::Test {
protected:
  static void SetUpTestSuite() { ASSERT_TRUE(installContainment()); }
};

TEST_F(Containment, FatalErrorsComeBackAsMessages) {
  Failure Why;
  EXPECT_FALSE(runContained([] { llvm::report_fatal_error("no such register"); }, Why));
  EXPECT_STREQ(Why.c_str(), "no such register");
}

TEST_F(Containment, LackOfMemoryComesBackAsAMessage) {
  Failure Why;
  EXPECT_FALSE(runContained([] { llvm::report_bad_alloc_error("Allocation failed"); }, Why));
  EXPECT_STREQ(Why.c_str(), "Allocation failed");
}

TEST_F(Containment, LackOfMemoryInOperatorNewComesBackAsAMessage) {
  Failure Why;
  EXPECT_FALSE(runContained([] { ::operator delete(::operator new(PTRDIFF_MAX)); }, Why));
  EXPECT_STREQ(Why.c_str(), "there is no memory");
  EXPECT_FALSE(runContained([] { llvm::report_fatal_error("later"); }, Why));
  EXPECT_STREQ(Why.c_str(), "later");
}

void onAbort(int) {}

/// In what this library contains of Polly, and in libLLVM. The disposition of SIGABRT is the
/// program's all the time.
TEST_F(Containment, AnAbortInTheCompilerIsAFailure) {
  struct sigaction Ours{}, Before, Meanwhile;
  Ours.sa_handler = onAbort;
  sigaction(SIGABRT, &Ours, &Before);
  auto Look = [&] { sigaction(SIGABRT, nullptr, &Meanwhile); };
  Failure Why;
  EXPECT_FALSE(runContained(
      [&] {
        Look();
        std::abort();
      },
      Why));
  EXPECT_EQ(Meanwhile.sa_handler, onAbort);
  EXPECT_THAT(Why.c_str(), testing::HasSubstr("check failed"));
  Why.set("");
  EXPECT_FALSE(runContained([] { llvm::llvm_unreachable_internal("here"); }, Why));
  EXPECT_THAT(Why.c_str(), testing::HasSubstr("check failed"));
  Look();
  EXPECT_EQ(Meanwhile.sa_handler, onAbort);
  sigaction(SIGABRT, &Before, nullptr);
}

TEST_F(Containment, AFailedCheckOfIslIsNotShownToUsers) {
  Failure Why;
  testing::internal::CaptureStderr();
  EXPECT_FALSE(runContained([] { (void)bool(isl::boolean::error()); }, Why));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_THAT(Why.c_str(), testing::HasSubstr("check failed"));
}

TEST_F(Containment, AnAbortOfTheProgramInLLVMEndsItAsEver) {
  auto AbortElsewhere = [] {
    Failure Why;
    runContained([] { std::thread([] { llvm::llvm_unreachable_internal("here"); }).join(); }, Why);
  };
  EXPECT_EXIT(AbortElsewhere(), testing::KilledBySignal(SIGABRT), "");
}

TEST_F(Containment, AnAbortOfTheProgramEndsItAsEver) {
  auto AbortElsewhere = [] {
    Failure Why;
    runContained([] { std::thread([] { std::abort(); }).join(); }, Why);
  };
  EXPECT_EXIT(AbortElsewhere(), testing::KilledBySignal(SIGABRT), "");
}

TEST_F(Containment, WorkThatEndsIsNotDisturbed) {
  Failure Why;
  int Done = 0;
  EXPECT_TRUE(runContained([&] { Done = 1; }, Why));
  EXPECT_EQ(Done, 1);
  EXPECT_STREQ(Why.c_str(), "");
}

} // namespace
