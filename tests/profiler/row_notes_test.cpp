//===- tests/profiler/row_notes_test.cpp - what a row notes while it is walked ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/streams/row_notes.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace specrt;

namespace {

struct Notes : testing::Test {
  Notes() { N->begin(); }
  uint64_t at(size_t Place) const { return reinterpret_cast<uint64_t>(&Memory[Place]); }
  void store(size_t Place, uint32_t Value, bool IsKnown = true) {
    N->store(N.get(), at(Place), 4, Value, IsKnown);
  }
  uint64_t load(size_t Place) { return N->load(N.get(), at(Place), 4); }
  bool end() { return N->end(N.get()) != 0; }

  std::unique_ptr<RowNotes> N = std::make_unique<RowNotes>();
  std::vector<uint32_t> Memory = std::vector<uint32_t>(10000, 7);
};

TEST_F(Notes, KnowWhichStoreTheyAreFrom) {
  EXPECT_EQ(load(3), 0U);
  EXPECT_EQ(N->loaded, 7U);
  store(3, 11);
  store(4, 12);
  EXPECT_EQ(load(3), 1U);
  EXPECT_EQ(N->loaded, 11U);
  store(3, 13);
  EXPECT_EQ(load(3), 3U);
  EXPECT_EQ(N->loaded, 13U);
  EXPECT_EQ(load(4), 2U);
  EXPECT_EQ(Memory[3], 7U);
}

TEST_F(Notes, AreForgottenWithTheirRow) {
  store(3, 11);
  store(3, 7);
  EXPECT_TRUE(end());
  EXPECT_EQ(load(3), 0U);
  store(5, 1);
  EXPECT_EQ(load(5), 1U);
}

TEST_F(Notes, MustNotStay) {
  store(3, 11);
  EXPECT_FALSE(end());
  store(3, 7, /*IsKnown=*/false);
  EXPECT_FALSE(end());
  EXPECT_TRUE(end());
}

TEST_F(Notes, HaveRoomForSoMany) {
  size_t Place = 0;
  for (; Place < 2048; ++Place)
    store(Place, 7);
  EXPECT_EQ(load(17), 18U);
  EXPECT_TRUE(end());
  for (Place = 0; Place < 2049; ++Place)
    store(Place, 7);
  EXPECT_EQ(load(17), SPECRT_ROWS_NO_SOURCE);
  EXPECT_FALSE(end());
}

/// Where places could overlap, nobody knows what is in them.
TEST_F(Notes, AreOfOneWidthAndInLine) {
  store(3, 11);
  EXPECT_EQ(N->load(N.get(), at(3), 2), SPECRT_ROWS_NO_SOURCE);
  EXPECT_EQ(N->load(N.get(), at(3) + 2, 4), SPECRT_ROWS_NO_SOURCE);
  N->store(N.get(), at(3) + 2, 4, 11, 1);
  EXPECT_FALSE(end());
}

TEST_F(Notes, SayOnWhichPagesTheyAre) {
  const auto Pages = std::make_unique<NotedPages>();
  Pages->clear();
  N->begin(Pages.get());
  alignas(4096) static uint32_t Room[8 * 1024];
  const auto First = reinterpret_cast<uint64_t>(Room);
  EXPECT_TRUE(Pages->haveAll(First, First)) << "of nothing";
  EXPECT_FALSE(Pages->haveAll(First, First + 1));
  for (const uint64_t Page : {0, 1, 3})
    N->load(N.get(), First + Page * 4096 + 8, 4);
  N->store(N.get(), First + 4096 * 4, 4, 0, 1);
  EXPECT_TRUE(Pages->haveAll(First, First + 2 * 4096));
  EXPECT_FALSE(Pages->haveAll(First, First + 2 * 4096 + 1));
  EXPECT_TRUE(Pages->haveAll(First + 3 * 4096, First + 5 * 4096));
}

TEST(NotedPagesTest, AreNotAllKnownWhereThereAreMany) {
  const auto Pages = std::make_unique<NotedPages>();
  Pages->clear();
  constexpr uint64_t Most = 1 << 14, First = uint64_t{1} << 40;
  for (uint64_t I = 0; I < Most + 5; ++I)
    Pages->add(First + I * 4096);
  EXPECT_TRUE(Pages->haveAll(First, First + Most * 4096));
  EXPECT_FALSE(Pages->haveAll(First, First + Most * 4096 + 1));
}

} // namespace
