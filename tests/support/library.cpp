//===- tests/support/library.cpp - a library to be opened, whole or cut off ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
extern "C" __attribute__((visibility("default"))) int specrt_test_answer() {
  static volatile int Answer = 42;
  return Answer;
}
