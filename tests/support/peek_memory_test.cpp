//===- tests/support/peek_memory_test.cpp - memory that may be gone -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/peek_memory.h"

#include <cerrno>
#include <gtest/gtest.h>
#include <sys/mman.h>

using namespace specrt;

namespace {

uint64_t addressOf(const void *Place) { return reinterpret_cast<uint64_t>(Place); }

TEST(PeekMemory, ReadsWhatIsThere) {
  int64_t Value = 42;
  EXPECT_EQ(peekMemory(addressOf(&Value), 8), std::optional<uint64_t>(42));
  EXPECT_EQ(peekMemory(addressOf(&Value), 1), std::optional<uint64_t>(42));
}

TEST(PeekMemory, MissingMemoryIsHarmless) {
  errno = 77; // the program's: regions set it, and it may be looked at behind them
  EXPECT_FALSE(peekMemory(16, 8).has_value());
  void *Page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_FALSE(peekMemory(addressOf(Page), 8).has_value());
  EXPECT_EQ(errno, 77);
  munmap(Page, 4096);
}

} // namespace
