//===- tests/structure/views/views_test.cpp - four views of the same set --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/views/block_pattern.h"
#include "structure/views/interval_pattern.h"
#include "structure/views/known_patterns.h"
#include "structure/views/piece_pattern.h"

#include "tests/structure/patterns.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

using namespace specrt;
using namespace specrt_test;

namespace {

CsrPattern csr(const Pattern &P) { return sortedPattern(P.Columns, P.Start, P.Column); }

using Pairs = std::set<std::pair<int64_t, int64_t>>;

Pairs pairsOf(const Pattern &P) {
  Pairs Result;
  for (int64_t Row = 0; Row < P.rows(); ++Row)
    for (int64_t K = P.Start[Row]; K < P.Start[Row + 1]; ++K)
      Result.emplace(Row, P.Column[K]);
  return Result;
}

Pairs pairsOf(const CsrPattern &P) {
  Pairs Result;
  for (int64_t Row = 0; Row < P.rows(); ++Row)
    for (uint32_t Column : P.row(Row))
      Result.emplace(Row, Column);
  return Result;
}

TEST(Views, SortWhatProgramsHave) {
  for (unsigned Seed = 1; Seed <= 1000; ++Seed) {
    std::mt19937 Random(Seed);
    const Pattern P = anyPattern(Random, 100);
    const CsrPattern C = csr(P);
    ASSERT_EQ(C.rows(), P.rows());
    ASSERT_EQ(C.Columns, P.Columns);
    ASSERT_EQ(pairsOf(C), pairsOf(P));
    ASSERT_EQ(C.entries(), pairsOf(P).size()) << "something is there twice";
    for (int64_t Row = 0; Row < C.rows(); ++Row)
      ASSERT_TRUE(std::is_sorted(C.row(Row).begin(), C.row(Row).end()));
  }
}

TEST(Views, ConvertIntoEachOther) {
  size_t InPieces = 0;
  for (unsigned Seed = 1; Seed <= 2000; ++Seed) {
    std::mt19937 Random(Seed);
    const CsrPattern C = csr(anyPattern(Random, 300));
    ASSERT_EQ(IntervalPattern(C).toCsr(), C) << "seed " << Seed;
    ASSERT_EQ(BlockPattern(C).toCsr(), C) << "seed " << Seed;
    ASSERT_EQ(BlockPattern(C).entries(), C.entries());
    const PiecePattern Pieces(C);
    ASSERT_EQ(Pieces.toCsr(), C) << "seed " << Seed;
    InPieces += C.entries() - Pieces.Rest.entries();
    const CsrPattern T = transposed(C);
    ASSERT_EQ(T.rows(), C.Columns);
    ASSERT_EQ(transposed(T), C) << "seed " << Seed;
    Pairs Turned;
    for (auto [Row, Column] : pairsOf(T))
      Turned.emplace(Column, Row);
    ASSERT_EQ(Turned, pairsOf(C));
  }
  EXPECT_GT(InPieces, 100000u);
}

TEST(Views, KnowWhatTheyContain) {
  for (unsigned Seed = 1; Seed <= 200; ++Seed) {
    std::mt19937 Random(Seed);
    const CsrPattern C = csr(anyPattern(Random, 60));
    const Pairs Set = pairsOf(C);
    const IntervalPattern I(C);
    const BlockPattern B(C);
    for (int64_t Row = 0; Row < C.rows(); ++Row)
      for (uint32_t Column = 0; Column < C.Columns; ++Column) {
        const bool Expected = Set.contains({Row, Column});
        ASSERT_EQ(C.contains(Row, Column), Expected);
        ASSERT_EQ(I.contains(Row, Column), Expected);
        ASSERT_EQ(B.contains(Row, Column), Expected);
      }
  }
}

TEST(Views, OfBlocksAreSets) {
  for (unsigned Seed = 1; Seed <= 500; ++Seed) {
    std::mt19937 Random(Seed);
    const auto Some = [&] { return csr(randomRows(Random, 50, 8)); };
    const CsrPattern A = Some(), B = Some();
    const Pairs InA = pairsOf(A), InB = pairsOf(B);
    Pairs Union, Both, OnlyA;
    std::set_union(InA.begin(), InA.end(), InB.begin(), InB.end(),
                   std::inserter(Union, Union.end()));
    std::set_intersection(InA.begin(), InA.end(), InB.begin(), InB.end(),
                          std::inserter(Both, Both.end()));
    std::set_difference(InA.begin(), InA.end(), InB.begin(), InB.end(),
                        std::inserter(OnlyA, OnlyA.end()));
    const BlockPattern BlocksA(A), BlocksB(B);
    ASSERT_EQ(pairsOf((BlocksA | BlocksB).toCsr()), Union);
    ASSERT_EQ(pairsOf((BlocksA & BlocksB).toCsr()), Both);
    ASSERT_EQ(pairsOf((BlocksA - BlocksB).toCsr()), OnlyA);
    ASSERT_TRUE((BlocksA - (BlocksA | BlocksB)).Blocks.empty());
  }
}

TEST(Views, TakeTheBytesTheySay) {
  const CsrPattern Grid = csr(grid(300, 300));
  EXPECT_LT(PiecePattern(Grid).bytes(), Grid.entries() / 4);
  const CsrPattern Band = csr(band(10000, 20, 20));
  EXPECT_LT(IntervalPattern(Band).bytes(), Band.bytes() / 9);
  const CsrPattern Dense = csr(band(64, 64, 64));
  EXPECT_EQ(BlockPattern(Dense).bytes(), 64u * 16);
}

TEST(KnownPatterns, AreFoundByHashAndComparedInFull) {
  KnownPatterns Known;
  const CsrPattern A = csr(grid(30, 30));
  CsrPattern B = A;
  B.Column[100] -= 1;
  EXPECT_NE(hashOf(A), hashOf(B));
  EXPECT_EQ(Known.find(A), std::nullopt);
  EXPECT_EQ(Known.add(A), 0u);
  EXPECT_EQ(Known.add(A), 0u);
  EXPECT_EQ(Known.find(A), 0u);
  EXPECT_EQ(Known.find(B), std::nullopt);
  EXPECT_EQ(Known.find(hashOf(A), B), std::nullopt) << "a hash alone is no proof";
  EXPECT_EQ(Known.add(B), 1u);
  EXPECT_EQ(Known[1], B);
  CsrPattern Wider = A;
  ++Wider.Columns;
  EXPECT_EQ(Known.find(Wider), std::nullopt);
}

TEST(KnownPatterns, AreBounded) {
  const CsrPattern A = csr(grid(30, 30));
  KnownPatterns Known(A.bytes() + 10);
  EXPECT_EQ(Known.add(A), 0u);
  EXPECT_EQ(Known.add(csr(grid(30, 31))), std::nullopt);
  EXPECT_EQ(Known.size(), 1u);
}

} // namespace
