//===- tests/structure/rows/predicted_reads_test.cpp - memory with predicted values ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/rows/predicted_reads.h"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <random>

using namespace specrt;

namespace {

constexpr auto Min = INT64_MIN, Max = INT64_MAX;
constexpr uint64_t Most = 1000;

LinearWord word(int64_t Value, int64_t Delta) {
  return {static_cast<uint64_t>(Value), static_cast<uint64_t>(Delta)};
}

TEST(LinearWords, StayWithinBounds) {
  EXPECT_EQ(word(3, 2).rowsWithin(0, 10, Most), 3u);
  EXPECT_EQ(word(3, 2).rowsWithin(0, 9, Most), 3u);
  EXPECT_EQ(word(3, -2).rowsWithin(0, 10, Most), 1u);
  EXPECT_EQ(word(3, 0).rowsWithin(0, 10, Most), Most);
  EXPECT_EQ(word(11, -1).rowsWithin(0, 10, Most), 0u);
  EXPECT_EQ(word(Max - 5, 2).rowsWithin(Min, Max, Most), 2u);
  EXPECT_EQ(word(Max, Min).rowsWithin(Min, Max, Most), 1u);
  EXPECT_EQ(word(Min, Max).rowsWithin(Min, Max, Most), 2u);
}

TEST(LinearWords, KeepTheirOrder) {
  EXPECT_EQ(rowsInOrder(word(0, 1), word(5, 1), Most), Most);
  EXPECT_EQ(rowsInOrder(word(0, 1), word(5, 0), Most), 4u);
  EXPECT_EQ(rowsInOrder(word(5, 0), word(0, 1), Most), 4u);
  EXPECT_EQ(rowsInOrder(word(0, 2), word(5, 0), Most), 2u);
  EXPECT_EQ(rowsInOrder(word(0, -2), word(5, 0), Most), Most);
  EXPECT_EQ(rowsInOrder(word(7, 3), word(7, 3), Most), Most);
  EXPECT_EQ(rowsInOrder(word(7, 3), word(7, 2), Most), 0u);
  EXPECT_EQ(rowsInOrder(word(Max - 10, 5), word(0, 0), Most), 2u) << "then it wraps";
  EXPECT_EQ(rowsInOrder(word(Min, 0), word(Max, 0), Most), Most);
  EXPECT_EQ(rowsInOrder(word(Min, 1), word(Max, -1), Most), Most);
}

TEST(LinearWords, FitTheirWidthAndKeepTheirSign) {
  EXPECT_EQ(rowsOfWidth(word(100, 10), 0, Most), 2u);
  EXPECT_EQ(rowsOfWidth(word(-100, 10), 0, Most), 9u);
  EXPECT_EQ(rowsOfWidth(word(-100, -10), 0, Most), 2u);
  EXPECT_EQ(rowsOfWidth(word(30000, 1000), 1, Most), 2u);
  EXPECT_EQ(rowsOfWidth(word(5, -1), 2, Most), 5u);
  EXPECT_EQ(rowsOfWidth(word(5, -1), 3, Most), Most);
}

/// Rows of some reads each, whose integers are of type T.
template <typename T> class Memory {
public:
  /// \p Gap integers are between rows.
  Memory(size_t Count, size_t Rows, size_t Gap, bool Descends, std::mt19937 &Engine)
      : Count(Count), Rows(Rows), Stride(Count + Gap), Descends(Descends),
        Data((Rows + 1) * Stride) {
    for (size_t I = 0; I < Count; ++I)
      Values.push_back(word(int64_t(Engine() % 50), int64_t(Engine() % 7) - 3));
    for (size_t Row = 1; Row <= Rows; ++Row)
      for (size_t I = 0; I < Count; ++I)
        at(Row, I) = static_cast<T>(Values[I].in(Row));
  }

  T &at(size_t Row, size_t I) { return Data[(Descends ? Rows - Row : Row) * Stride + I]; }
  void addTo(PredictedReads &Reads, PredictedReads::Turn When) {
    const auto Step = static_cast<uint64_t>(Stride * sizeof(T));
    const auto Bytes = static_cast<unsigned>(std::countr_zero(sizeof(T)));
    const uint64_t Row1 = reinterpret_cast<uint64_t>(&at(1, 0)), By = Descends ? -Step : Step;
    for (size_t I = 0; I < Count; ++I)
      Reads.add({Values[I], {Row1 - By + I * sizeof(T), By}, Bytes}, When);
  }

private:
  const size_t Count, Rows, Stride;
  const bool Descends;
  std::vector<LinearWord> Values;
  std::vector<T> Data;
};

template <typename T> class PredictedReadsOf : public testing::Test {};
using Integers = testing::Types<int8_t, int16_t, int32_t, int64_t>;
TYPED_TEST_SUITE(PredictedReadsOf, Integers);

/// Contiguous and other rows, few and many reads, in any turn: the first row that differs from its
/// prediction ends them.
TYPED_TEST(PredictedReadsOf, EndWhereMemoryIsOther) {
  std::mt19937 Engine(1);
  for (int Case = 0; Case < 3000; ++Case) {
    const size_t Count = 1 + Engine() % (Case % 10 == 0 ? 200 : 12), Rows = 1 + Engine() % 700;
    const size_t Gap = Engine() % 2 ? 0 : Engine() % 5;
    Memory<TypeParam> M(Count, Rows, Gap, Engine() % 4 == 0, Engine);
    PredictedReads Reads;
    M.addTo(Reads, static_cast<PredictedReads::Turn>(Engine() % 3));
    ASSERT_EQ(Reads.verify(Rows), Rows);
    const size_t Row = 1 + Engine() % Rows, Other = 1 + Engine() % Rows;
    ++M.at(Row, Engine() % Count);
    --M.at(Other, Engine() % Count);
    const size_t Expected = Row == Other ? Reads.verify(Rows) : std::min(Row, Other) - 1;
    ASSERT_EQ(Reads.verify(Rows), Expected) << Count << " reads, " << Gap << " between";
    ASSERT_EQ(Reads.verify(Expected), Expected);
  }
}

/// Reads after one that differs from its prediction are not executed: their memory need not exist.
TEST(PredictedReads, LookAtNothingBehindARowThatIsOther) {
  std::mt19937 Engine(1);
  constexpr size_t Rows = 500;
  for (const auto When : {PredictedReads::InOrder, PredictedReads::Last})
    for (size_t Bad = 1; Bad <= Rows; Bad += 13) {
      Memory<int> Leading(1, Rows, 0, false, Engine);
      ++Leading.at(Bad, 0);
      const std::vector<int> Follows(Bad, 7); // rows 0 to Bad - 1; AddressSanitizer knows the end
      PredictedReads Reads;
      Leading.addTo(Reads, PredictedReads::InOrder);
      Reads.add({word(7, 0), {reinterpret_cast<uint64_t>(Follows.data()), sizeof(int)}, 2}, When);
      EXPECT_EQ(Reads.verify(Rows), Bad - 1);
    }
}

TEST(PredictedReads, OfSeveralTurnsAreAllLookedAt) {
  std::mt19937 Engine(1);
  constexpr size_t Rows = 300;
  for (int Which = 0; Which < 3; ++Which) {
    std::vector<Memory<int>> All;
    PredictedReads Reads;
    for (int I = 0; I < 3; ++I)
      All.emplace_back(3, Rows, 1, false, Engine);
    for (int I = 0; I < 3; ++I)
      All[size_t(I)].addTo(Reads, static_cast<PredictedReads::Turn>(I));
    EXPECT_EQ(Reads.verify(Rows), Rows);
    ++All[size_t(Which)].at(200, 1);
    EXPECT_EQ(Reads.verify(Rows), 199u);
    Reads.clear();
    EXPECT_EQ(Reads.verify(Rows), Rows) << "nothing is predicted";
  }
}

} // namespace
