//===- tests/support/peek_memory_test.cpp - memory that may be gone -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/peek_memory.h"

#include <array>
#include <cerrno>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <vector>

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

TEST(PeekMemory, WordsAreReadTogetherOrNotAtAll) {
  const uint64_t Some[] = {1, 2, 3};
  uint64_t Seen[3] = {};
  errno = 77;
  EXPECT_TRUE(peekWords(std::array{addressOf(Some + 2), addressOf(Some)}, Seen));
  EXPECT_EQ(Seen[0], 3u);
  EXPECT_EQ(Seen[1], 1u);
  EXPECT_FALSE(peekWords(std::array{addressOf(Some), uint64_t{16}, addressOf(Some)}, Seen));
  EXPECT_FALSE(peekWords(std::vector<uint64_t>(257, addressOf(Some)), Seen)) << "too many";
  EXPECT_EQ(errno, 77);
}

} // namespace
