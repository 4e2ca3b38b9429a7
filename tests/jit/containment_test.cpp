//===- tests/jit/containment_test.cpp - LLVM gives up, the program does not ==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/containment.h"
#include "llvm/Support/ErrorHandling.h"
#include "gtest/gtest.h"

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

TEST_F(Containment, WorkThatEndsIsNotDisturbed) {
  std::string Why;
  int Done = 0;
  EXPECT_TRUE(runContained([&] { Done = 1; }, Why));
  EXPECT_EQ(Done, 1);
  EXPECT_EQ(Why, "");
}

} // namespace
