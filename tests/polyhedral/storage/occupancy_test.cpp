//===- tests/polyhedral/storage/occupancy_test.cpp - iterations that may share memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The examples of Yuki and Rajopadhye, "Memory allocations for tiled uniform dependence programs",
// named after their sections, and random uses of values: tiled loops are executed on a memory of as
// many elements as the occupancy vector gives, and every use must find its value.
//
//===----------------------------------------------------------------------===//
#include "specializer/polyhedral/storage/occupancy.h"
#include <algorithm>
#include <array>
#include <functional>
#include <gmock/gmock.h>
#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace specrt;
using testing::ElementsAre;
using testing::Optional;

namespace {

using Bands = std::vector<ScheduleBand>;

const Bands Tilable = {{2, true}}, Sequential = {{2, false}};

std::vector<ValueUse> before(std::initializer_list<IterationVector> Distances) {
  std::vector<ValueUse> Uses;
  for (const IterationVector &Distance : Distances)
    Uses.push_back({Distance, false});
  return Uses;
}

int64_t length(const IterationVector &Vector) {
  return std::accumulate(Vector.begin(), Vector.end(), int64_t{0},
                         [](int64_t Sum, int64_t X) { return Sum + std::abs(X); });
}

/// A box of iterations and orders in which tiles of several sizes execute it.
class Execution {
public:
  Execution(const Bands &Shape, int64_t Extent, const std::vector<int64_t> &TileSizes);

  /// Does every use find its value, with all tile sizes?
  bool isRight(const std::vector<ValueUse> &Uses, const IterationVector &Vector) const;
  /// Number of elements for all iterations.
  size_t numElements(const IterationVector &Vector) const;

private:
  std::vector<size_t> elementsOf(const IterationVector &Vector) const;
  std::optional<size_t> indexOf(const IterationVector &At) const;

  int64_t Extent;
  std::vector<IterationVector> Iterations;
  std::vector<std::vector<size_t>> Orders; ///< of indices of Iterations
};

Execution::Execution(const Bands &Shape, int64_t Extent, const std::vector<int64_t> &TileSizes)
    : Extent(Extent) {
  size_t NumDims = 0, NumPoints = 1;
  for (const ScheduleBand &Band : Shape)
    NumDims += Band.Size;
  for (size_t D = 0; D < NumDims; ++D)
    NumPoints *= size_t(Extent);
  for (size_t I = 0; I < NumPoints; ++I) {
    IterationVector At(NumDims, 0);
    for (size_t D = NumDims, Left = I; D-- > 0; Left /= size_t(Extent))
      At[D] = int64_t(Left % size_t(Extent));
    Iterations.push_back(At);
  }
  // All pairs of sizes, which alternate among the dimensions.
  for (const int64_t Even : TileSizes)
    for (const int64_t Odd : TileSizes) {
      std::vector<std::pair<IterationVector, size_t>> Times;
      for (size_t I = 0; I < NumPoints; ++I) {
        IterationVector Time;
        size_t First = 0;
        for (const ScheduleBand &Band : Shape) {
          for (size_t D = First; Band.IsTilable && D < First + Band.Size; ++D)
            Time.push_back(Iterations[I][D] / (D % 2 ? Odd : Even));
          for (size_t D = First; D < First + Band.Size; ++D)
            Time.push_back(Iterations[I][D]);
          First += Band.Size;
        }
        Times.emplace_back(Time, I);
      }
      std::sort(Times.begin(), Times.end());
      Orders.emplace_back();
      for (const auto &[Time, I] : Times)
        Orders.back().push_back(I);
    }
}

std::optional<size_t> Execution::indexOf(const IterationVector &At) const {
  size_t Index = 0;
  for (const int64_t X : At) {
    if (X < 0 || X >= Extent)
      return std::nullopt;
    Index = Index * size_t(Extent) + size_t(X);
  }
  return Index;
}

std::vector<size_t> Execution::elementsOf(const IterationVector &Vector) const {
  const OccupancyMapping Mapping(Vector);
  std::map<IterationVector, size_t> Known;
  std::vector<size_t> Elements;
  for (const IterationVector &At : Iterations)
    Elements.push_back(Known.try_emplace(Mapping.elementOf(At), Known.size()).first->second);
  return Elements;
}

size_t Execution::numElements(const IterationVector &Vector) const {
  const std::vector<size_t> Elements = elementsOf(Vector);
  return std::set<size_t>(Elements.begin(), Elements.end()).size();
}

bool Execution::isRight(const std::vector<ValueUse> &Uses, const IterationVector &Vector) const {
  const std::vector<size_t> Elements = elementsOf(Vector);
  for (const std::vector<size_t> &Order : Orders) {
    std::vector<size_t> Memory(Iterations.size(), ~size_t{0});
    for (const size_t At : Order) {
      const auto Finds = [&](const ValueUse &Use) {
        IterationVector From = Iterations[At];
        for (size_t D = 0; D < From.size(); ++D)
          From[D] -= Use.Distance[D];
        const auto Producer = indexOf(From);
        return !Producer || Memory[Elements[*Producer]] == *Producer;
      };
      for (const bool IsAfterStore : {false, true}) {
        for (const ValueUse &Use : Uses)
          if (Use.IsAfterStore == IsAfterStore && !Finds(Use))
            return false;
        Memory[Elements[At]] = At;
      }
    }
  }
  return true;
}

TEST(OccupancySection4, TheoremOneTakesElementwiseMaxima) {
  EXPECT_THAT(occupancyVector(before({{2, 0}, {2, 1}, {1, 2}, {0, 2}}), Tilable),
              Optional(ElementsAre(2, 2)));
  EXPECT_THAT(occupancyVector(before({{1, 0}, {2, 0}}), Tilable), Optional(ElementsAre(2, 0)));
  EXPECT_THAT(occupancyVector(before({{1, 1}, {0, 1}}), Tilable), Optional(ElementsAre(1, 1)));
}

TEST(OccupancySection4, CorollaryOneTakesLexicographicMaxima) {
  EXPECT_THAT(occupancyVector(before({{1, 1}, {1, -1}, {1, 0}}), Sequential),
              Optional(ElementsAre(2, 0)));
  // The paper has [1, -1].
  EXPECT_THAT(occupancyVector(before({{1, -1}, {0, 1}}), Sequential), Optional(ElementsAre(1, 0)));
}

TEST(OccupancySection4, CorollaryTwoCombinesBands) {
  EXPECT_THAT(occupancyVector(before({{0, 1, 2}, {1, 0, 0}}), Bands{{1, false}, {2, true}}),
              Optional(ElementsAre(1, 1, 2)));
}

TEST(OccupancyFigure3, StatementsInOneLoopShareAScalar) {
  const Bands All = {{3, false}};
  EXPECT_THAT(occupancyVector(before({{1, 0, 0}}), All), Optional(ElementsAre(1, 0, 0)));
  EXPECT_EQ(Execution(All, 5, {1}).numElements({1, 0, 0}), 25u);
  EXPECT_THAT(occupancyVector(before({{0, 0, 1}}), All), Optional(ElementsAre(0, 0, 1)));
}

/// Section 5.2 has [0, 1], which is overwritten before it is used.
TEST(OccupancySection5, UsesAfterTheIterationsOwnStoreNeedMore) {
  const std::vector<ValueUse> Uses = {{{0, 1}, /*IsAfterStore=*/true}};
  EXPECT_THAT(occupancyVector(Uses, Tilable), Optional(ElementsAre(0, 2)));
  EXPECT_FALSE(Execution(Tilable, 8, {1, 3}).isRight(Uses, {0, 1}));
  EXPECT_TRUE(Execution(Tilable, 8, {1, 3}).isRight(Uses, {0, 2}));
}

TEST(OccupancySection6, SmithWaterman) {
  const auto Vector = occupancyVector(before({{1, 0}, {0, 1}, {1, 1}}), Tilable);
  ASSERT_THAT(Vector, Optional(ElementsAre(1, 1)));
  const auto NumElements = [](const IterationVector &Of) {
    std::set<IterationVector> Elements;
    const OccupancyMapping Mapping(Of);
    for (int64_t I = 0; I < 10; ++I)
      for (int64_t J = 0; J < 7; ++J)
        Elements.insert(Mapping.elementOf({I, J}));
    return Elements.size();
  };
  EXPECT_EQ(NumElements({1, 1}), 16u);
  EXPECT_EQ(NumElements({2, 0}), 14u);
  EXPECT_EQ(NumElements({2, 2}), 30u);
}

TEST(Occupancy, IllegalUsesHaveNone) {
  EXPECT_EQ(occupancyVector(before({{1, -1}}), Tilable), std::nullopt);
  EXPECT_EQ(occupancyVector(before({{0, -1}}), Sequential), std::nullopt);
}

TEST(Occupancy, WithoutUsesAllIterationsShareAnElement) {
  EXPECT_THAT(occupancyVector({}, Tilable), Optional(ElementsAre(0, 1)));
}

TEST(OccupancyMapping, TellsApartExactlyWhatIsNoMultiple) {
  std::mt19937 Random(1);
  std::uniform_int_distribution<int64_t> Component(-5, 5);
  for (int N = 0; N < 2000; ++N) {
    const IterationVector Vector = {Component(Random), Component(Random), Component(Random)};
    if (length(Vector) == 0)
      continue;
    const OccupancyMapping Mapping(Vector);
    const IterationVector At = {Component(Random), Component(Random), Component(Random)};
    IterationVector Later = At, Other = At;
    for (size_t D = 0; D < 3; ++D) {
      Later[D] += 3 * Vector[D];
      Other[D] += 3 * Vector[D] + (D == 1);
    }
    EXPECT_EQ(Mapping.elementOf(At), Mapping.elementOf(Later));
    // A unit vector is a multiple of itself only.
    if (IterationVector(Vector) != IterationVector{0, 1, 0} &&
        IterationVector(Vector) != IterationVector{0, -1, 0})
      EXPECT_NE(Mapping.elementOf(At), Mapping.elementOf(Other));
  }
}

class RandomUses {
public:
  explicit RandomUses(unsigned Seed) : Random(Seed) {}

  std::vector<ValueUse> of(const Bands &Shape) {
    std::vector<ValueUse> Uses;
    const size_t Number = 1 + Random() % 5;
    while (Uses.size() < Number) {
      ValueUse Use{{}, Random() % 3 == 0};
      for (const ScheduleBand &Band : Shape) {
        IterationVector Part;
        for (unsigned D = 0; D < Band.Size; ++D)
          Part.push_back(int64_t(Random() % 3) - (Band.IsTilable || D == 0 ? 0 : 1));
        if (!Band.IsTilable && Part < IterationVector(Band.Size, 0))
          std::fill(Part.begin(), Part.end(), 0);
        Use.Distance.append(Part.begin(), Part.end());
      }
      Use.IsAfterStore |= length(Use.Distance) == 0;
      Uses.push_back(Use);
    }
    return Uses;
  }

private:
  std::mt19937 Random;
};

TEST(Occupancy, NoValueIsOverwrittenBeforeItsUses) {
  const std::vector<std::pair<Bands, int64_t>> Shapes = {{Tilable, 8},
                                                         {Sequential, 8},
                                                         {{{1, false}, {2, true}}, 5},
                                                         {{{2, true}, {1, false}}, 5},
                                                         {{{2, false}, {1, true}}, 5}};
  constexpr int NumSets = 10'000;
  for (size_t S = 0; S < Shapes.size(); ++S) {
    const auto &[Shape, Extent] = Shapes[S];
    const Execution Tiles(Shape, Extent, {1, 2, 3, 4, 7});
    RandomUses Uses(unsigned(S) + 1);
    for (int N = 0; N < NumSets / int(Shapes.size()); ++N) {
      const std::vector<ValueUse> Some = Uses.of(Shape);
      const auto Vector = occupancyVector(Some, Shape);
      ASSERT_TRUE(Vector);
      ASSERT_TRUE(Tiles.isRight(Some, *Vector)) << testing::PrintToString(*Vector);
    }
  }
}

/// One band: no shorter vector is right.
TEST(Occupancy, IsShortest) {
  for (const Bands &Shape : {Tilable, Sequential}) {
    const Execution Tiles(Shape, 9, {1, 2, 3, 5, 8});
    RandomUses Uses(7);
    for (int N = 0; N < 200; ++N) {
      const std::vector<ValueUse> Some = Uses.of(Shape);
      const auto Vector = occupancyVector(Some, Shape);
      ASSERT_TRUE(Vector);
      for (int64_t I = 0; I <= 6; ++I)
        for (int64_t J = -6; J <= 6; ++J) {
          const IterationVector Other = {I, J};
          if (length(Other) > 0 && length(Other) < std::min<int64_t>(length(*Vector), 7))
            ASSERT_FALSE(Tiles.isRight(Some, Other))
                << testing::PrintToString(Other) << " is shorter than "
                << testing::PrintToString(*Vector);
        }
    }
  }
}

} // namespace
