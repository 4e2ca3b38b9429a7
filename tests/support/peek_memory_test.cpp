//===- tests/support/peek_memory_test.cpp - memory that may be gone -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/memory/peek_memory.h"

#include <array>
#include <cerrno>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>
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

TEST(PeekMemory, WordsAreReadTogether) {
  const uint64_t Some[] = {1, 2, 3};
  uint64_t Seen[3] = {};
  errno = 77;
  EXPECT_EQ(peekWords(std::array{addressOf(Some + 2), addressOf(Some)}, Seen), 2U);
  EXPECT_EQ(Seen[0], 3u);
  EXPECT_EQ(Seen[1], 1u);
  EXPECT_EQ(peekWords(std::vector<uint64_t>(65, addressOf(Some)), Seen), 0U) << "too many";
  EXPECT_EQ(peekWords({}, Seen), 0U);
  EXPECT_EQ(peekWords(std::array{addressOf(Some), addressOf(Some) + MaxPeekedBytes}, Seen), 0U)
      << "too far apart";
  EXPECT_EQ(errno, 77);
}

/// Pages that are protected, beyond the end of their file, or not there yet are left out.
TEST(PeekMemory, OtherWordsAreLeftOut) {
  const int File = memfd_create("short", MFD_CLOEXEC);
  void *At = mmap(nullptr, 4 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(At, MAP_FAILED);
  auto *Words = static_cast<uint64_t *>(At);
  Words[0] = 1;
  Words[512] = 2;
  ASSERT_EQ(mprotect(Words + 512, 4096, PROT_NONE), 0);
  ASSERT_NE(mmap(Words + 2 * 512, 4096, PROT_READ, MAP_SHARED | MAP_FIXED, File, 0), MAP_FAILED);
  uint64_t Seen[6] = {};
  const std::array All{addressOf(Words),        addressOf(Words + 512),  addressOf(Words + 1024),
                       addressOf(Words + 1536), addressOf(Words) + 4092, addressOf(Words)};
  EXPECT_EQ(peekWords(All, Seen), 2U);
  EXPECT_EQ(Seen[0], 1U);
  EXPECT_EQ(Seen[1], 1U);
  unsigned char IsThere = 1;
  ASSERT_EQ(mincore(Words + 1536, 4096, &IsThere), 0);
  EXPECT_FALSE(IsThere & 1) << "looking must not fill it";
  EXPECT_FALSE(peekMemory(addressOf(Words + 1536), 8).has_value());
  EXPECT_FALSE(peekMemory(addressOf(Words + 1024) - 4, 8).has_value());
  ASSERT_EQ(munmap(Words + 1536, 4096), 0);
  EXPECT_EQ(peekWords(All, Seen), 2U);
  munmap(At, 4 * 4096);
  close(File);
}

} // namespace
