//===- tests/runtime/rows/row_pieces_test.cpp - where rows behind pointers are ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/row_pieces.h"

#include <gmock/gmock.h>
#include <utility>
#include <vector>

using namespace specrt;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

namespace {

std::vector<std::pair<uint64_t, uint64_t>> pairs(const std::vector<ReadPiece> &Some) {
  std::vector<std::pair<uint64_t, uint64_t>> Result;
  for (const auto &[Begin, End] : Some)
    Result.emplace_back(Begin, End);
  return Result;
}

TEST(RowPieces, EndWhereWhatFollowsEnds) {
  RowPieces P;
  P.jump(0, 1000); // the first read
  P.jump(1020, 5000);
  P.jump(5020, 3000);
  P.close(3004);
  EXPECT_THAT(pairs(P.sorted()), ElementsAre(Pair(1000, 1020), Pair(3000, 3004), Pair(5000, 5020)));
}

TEST(RowPieces, OfBlocksThatFollowEachOtherAreOne) {
  RowPieces P;
  for (uint64_t Row = 0; Row < 100; ++Row)
    P.add(1000 + 32 * Row, 1020 + 32 * Row);
  for (uint64_t Row = 0; Row < 3; ++Row) // another block between them
    P.add(9000 + 64 * Row, 9020 + 64 * Row);
  EXPECT_THAT(pairs(P.sorted()), ElementsAre(Pair(1000, 1020 + 32 * 99), Pair(9000, 9020),
                                             Pair(9064, 9084), Pair(9128, 9148)));
  EXPECT_THAT(pairs(RowPieces::joined(P.sorted(), 100)),
              ElementsAre(Pair(1000, 1020 + 32 * 99), Pair(9000, 9148)));
}

TEST(RowPieces, ThatDescendAreSorted) {
  RowPieces P;
  for (uint64_t Row = 100; Row-- > 0;)
    P.add(1000 + 32 * Row, 1020 + 32 * Row);
  EXPECT_THAT(pairs(P.sorted()), ElementsAre(Pair(1000, 1020 + 32 * 99)));
}

TEST(RowPieces, AreNoMoreThanFit) {
  RowPieces P;
  EXPECT_THAT(P.sorted(), IsEmpty());
  for (uint64_t Row = 0; P.isComplete(); ++Row) {
    ASSERT_LE(Row, uint64_t{1} << 24);
    P.add(4096 + 128 * Row, 4100 + 128 * Row);
  }
  RowPieces Other;
  Other.giveUp();
  EXPECT_FALSE(Other.isComplete());
}

} // namespace
