//===- tests/structure/propagation/boxes_test.cpp - sets of boxes against sets of points ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/propagation/boxes.h"
#include "structure/propagation/iteration_boxes.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace specrt;

namespace {

using Point = std::array<int, 3>;
using Points = std::set<Point>;

Box box(IndexInterval I, IndexInterval J = {0, 0}, IndexInterval K = {0, 0}) {
  Box Result;
  Result.Sides[0] = I;
  Result.Sides[1] = J;
  Result.Sides[2] = K;
  return Result;
}

template <typename Visitor> void forEachPoint(const Box &In, Visitor Visit) {
  for (int I = In.Sides[0].Low; I <= In.Sides[0].High; ++I)
    for (int J = In.Sides[1].Low; J <= In.Sides[1].High; ++J)
      for (int K = In.Sides[2].Low; K <= In.Sides[2].High; ++K)
        Visit(Point{I, J, K});
}

Points pointsOf(const Boxes &Of) {
  Points All;
  for (const Box &B : Of)
    forEachPoint(B, [&](const Point &P) { All.insert(P); });
  return All;
}

class RandomBoxes {
public:
  explicit RandomBoxes(unsigned Seed) : Random(Seed) {}
  int number(int Low, int High) { return std::uniform_int_distribution<int>(Low, High)(Random); }
  IndexInterval side() {
    const int Low = number(0, 8);
    return {Low, Low + number(0, 4) - (number(0, 9) == 0)};
  }
  Boxes boxes() {
    Boxes All(static_cast<size_t>(number(0, 12)));
    const bool IsFlat = number(0, 1);
    for (Box &B : All)
      B = box(side(), side(), IsFlat ? IndexInterval{0, 0} : side());
    return All;
  }

private:
  std::mt19937 Random;
};

TEST(Boxes, SlabsAreTheSameSetAndUnique) {
  for (unsigned Seed = 0; Seed < 500; ++Seed) {
    RandomBoxes Random(Seed);
    const Boxes Of = Random.boxes(), Slabs = inSlabs(Of);
    const Points All = pointsOf(Of);
    EXPECT_EQ(pointsOf(Slabs), All) << Seed;
    EXPECT_EQ(numPoints(Slabs), static_cast<int64_t>(All.size())) << Seed;
    Boxes Single;
    for (const Point &P : All)
      Single.push_back(box({P[0], P[0]}, {P[1], P[1]}, {P[2], P[2]}));
    std::shuffle(Single.begin(), Single.end(), std::mt19937(Seed));
    EXPECT_EQ(inSlabs(Single), Slabs) << Seed;
  }
}

TEST(Boxes, SetOperations) {
  for (unsigned Seed = 0; Seed < 500; ++Seed) {
    RandomBoxes Random(Seed);
    const Boxes A = inSlabs(Random.boxes()), B = inSlabs(Random.boxes());
    const Points PointsA = pointsOf(A), PointsB = pointsOf(B);
    Points Less, Both;
    for (const Point &P : PointsA)
      (PointsB.contains(P) ? Both : Less).insert(P);
    EXPECT_EQ(pointsOf(difference(A, B)), Less) << Seed;
    EXPECT_EQ(numPoints(difference(A, B)), static_cast<int64_t>(Less.size())) << Seed;
    EXPECT_EQ(pointsOf(intersection(A, B)), Both) << Seed;
  }
}

TEST(Boxes, ThoseWithoutEndOverlapWithAll) {
  Box All;
  All.Sides.fill({-FarAway, FarAway});
  const Box Row = box({-FarAway, FarAway}), Some = box({3, 5}, {0, 0}, {0, 0});
  for (const Box &Whole : {All, Row}) {
    EXPECT_EQ(intersection({Some}, {Whole}), Boxes{Some});
    EXPECT_EQ(intersection({Whole}, {Some}), Boxes{Some});
    EXPECT_EQ(difference({Some}, {Whole}), Boxes());
  }
}

TEST(Boxes, AreCountedAsFarAsNumbersGo) {
  Box All;
  All.Sides.fill({-FarAway, FarAway});
  EXPECT_EQ(All.size(), INT64_MAX);
  EXPECT_EQ(numPoints({All, box({0, 0})}), INT64_MAX);
  All.Sides.back() = {0, -1};
  EXPECT_EQ(All.size(), 0);
  EXPECT_EQ(numPoints({All, box({0, 4}, {0, 1})}), 10);
  EXPECT_EQ(box({0, FarAway - 1}, {0, FarAway - 1}).size(), int64_t{1} << 60);
}

AffineValue randomValue(RandomBoxes &Random) {
  return {
      Random.number(-8, 8), {Random.number(-2, 2), Random.number(-2, 2), Random.number(-1, 1)}, {}};
}
int64_t at(const AffineValue &Value, const Point &P) {
  return Value.at(std::array<int64_t, 3>{P[0], P[1], P[2]});
}

TEST(IterationBoxes, ConstraintsImagesAndPreimagesAreExact) {
  for (unsigned Seed = 0; Seed < 500; ++Seed) {
    RandomBoxes Random(Seed);
    const Conjunction Where = {randomValue(Random), randomValue(Random)};
    const std::vector<AffineValue> Subscripts = {randomValue(Random), randomValue(Random)};
    const Box From = box(Random.side(), Random.side(), Random.side());
    const Box Elements = box({-4, Random.number(-4, 9)}, {0, Random.number(0, 9)});
    Boxes Holding, Image, Preimage;
    addWhere(Where, From, Holding);
    if (!From.isEmpty()) {
      addImage(Subscripts, From, Image);
      addPreimage(Subscripts, Elements, From, Preimage);
    }
    Points WantedHolding, WantedImage, WantedPreimage;
    forEachPoint(From, [&](const Point &P) {
      if (at(Where[0], P) >= 0 && at(Where[1], P) >= 0)
        WantedHolding.insert(P);
      const Box Element =
          box({static_cast<int>(at(Subscripts[0], P)), static_cast<int>(at(Subscripts[0], P))},
              {static_cast<int>(at(Subscripts[1], P)), static_cast<int>(at(Subscripts[1], P))});
      WantedImage.insert({Element.Sides[0].Low, Element.Sides[1].Low, 0});
      if (!(Element & Elements).isEmpty())
        WantedPreimage.insert(P);
    });
    EXPECT_EQ(pointsOf(Holding), WantedHolding) << Seed;
    EXPECT_EQ(pointsOf(Image), WantedImage) << Seed;
    EXPECT_EQ(pointsOf(Preimage), WantedPreimage) << Seed;
  }
}

} // namespace
