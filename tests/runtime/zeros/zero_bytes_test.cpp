//===- tests/runtime/zeros/zero_bytes_test.cpp - lists read the elements and nothing else ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/zeros/element_bytes.h"
#include "runtime/zeros/zero_lists.h"
#include "tests/runtime/foreign_pages.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace specrt {
namespace {

/// A walk through memory that does not matter.
struct Shape {
  uint32_t Kind;
  std::vector<specrt_zeros_loop> Loops;

  specrt_zeros_walk walk() const {
    specrt_zeros_walk W{};
    W.base = reinterpret_cast<const void *>(uintptr_t{1} << 32);
    W.kind = Kind;
    W.num_loops = static_cast<uint32_t>(Loops.size());
    std::copy(Loops.begin(), Loops.end(), W.loops);
    return W;
  }
};

std::set<const std::byte *> bytesOneByOne(const specrt_zeros_walk &W) {
  std::set<const std::byte *> All;
  forEachRow(W, [&](const std::byte *At, int64_t Count, int64_t Step) {
    for (int64_t I = 0; I < Count; ++I)
      for (unsigned B = 0; B < elementBytes(W.kind); ++B)
        All.insert(At + I * Step + B);
    return true;
  });
  return All;
}

/// Returns the number of ranges.
size_t expectExact(const Shape &S) {
  const specrt_zeros_walk W = S.walk();
  const std::vector<WatchedRange> Found = bytesOf(W, hullOf(W));
  std::set<const std::byte *> All;
  const std::byte *Last = nullptr;
  for (const WatchedRange &R : Found) {
    EXPECT_GE(R.Begin, Last) << "ascending";
    Last = R.end();
    R.forEachRow([&](const std::byte *At, size_t Bytes) {
      for (size_t B = 0; B < Bytes; ++B)
        EXPECT_TRUE(All.insert(At + B).second) << "twice";
      return true;
    });
  }
  EXPECT_EQ(All, bytesOneByOne(W));
  return Found.size();
}

TEST(ElementBytes, OfMatricesAreOneRange) {
  EXPECT_EQ(expectExact({SPECRT_ZEROS_DOUBLE, {{160, 30, {}}, {8, 20, {}}}}), 1U) << "dense";
  EXPECT_EQ(expectExact({SPECRT_ZEROS_DOUBLE, {{400, 30, {}}, {8, 20, {}}}}), 1U) << "with gaps";
  EXPECT_EQ(expectExact({SPECRT_ZEROS_DOUBLE, {{8, 20, {}}, {400, 30, {}}}}), 1U) << "by columns";
  EXPECT_EQ(expectExact({SPECRT_ZEROS_FLOAT, {{-400, 30, {}}, {-4, 20, {}}}}), 1U) << "backwards";
  EXPECT_EQ(expectExact({SPECRT_ZEROS_FLOAT, {{16, 100, {}}}}), 1U) << "of structures";
  EXPECT_EQ(expectExact({SPECRT_ZEROS_INT8, {{0, 9, {}}, {1, 20, {}}}}), 1U) << "once more";
}

TEST(ElementBytes, OfTrianglesAreTheirRows) {
  const Shape Lower{SPECRT_ZEROS_DOUBLE, {{800, 50, {}}, {8, 1, {1}}}};
  const Shape ByColumns{SPECRT_ZEROS_DOUBLE, {{808, 50, {}}, {800, 50, {-1}}}};
  EXPECT_EQ(expectExact(Lower), 50U);
  EXPECT_EQ(expectExact(ByColumns), 50U);
}

TEST(ElementBytes, OfAnyWalk) {
  std::mt19937 Engine(5);
  const auto Any = [&](int64_t Low, int64_t High) {
    return std::uniform_int_distribution<int64_t>(Low, High)(Engine);
  };
  for (int Times = 0; Times < 300; ++Times) {
    Shape S{static_cast<uint32_t>(Any(0, 5)), {}};
    const int64_t Unit = Any(0, 3) > 0 ? elementBytes(S.Kind) : 1;
    for (int64_t D = Any(0, 4); D > 0; --D)
      S.Loops.push_back({Any(-20, 20) * Unit, Any(0, 6), {}});
    for (size_t D = 1; D < S.Loops.size(); ++D)
      if (Any(0, 2) == 0)
        S.Loops[D].slope[Any(0, static_cast<int64_t>(D) - 1)] = Any(-2, 2);
    expectExact(S);
  }
}

TEST(ElementBytes, AreNotSaidOfWhatLiesTooFarApart) {
  const specrt_zeros_walk W =
      Shape{SPECRT_ZEROS_INT8, {{int64_t{1} << 30, 2, {}}, {int64_t{1} << 20, 2, {}}, {1, 2, {1}}}}
          .walk();
  EXPECT_TRUE(bytesOf(W, hullOf(W)).empty());
}

/// A matrix whose rows lie two pages apart, with pages of somebody else between them. It stays
/// where it is, because what is known of arrays is known by their places.
struct ListsOfRows : testing::TestWithParam<Foreign> {
  static constexpr int64_t Rows = 48, Columns = 300;
  static constexpr size_t Stride = 8192, Bytes = Rows * Stride;

  ListsOfRows() {
    Data = static_cast<std::byte *>(
        mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    Walk.base = Data;
    Walk.kind = SPECRT_ZEROS_DOUBLE;
    Walk.num_loops = 2;
    Walk.loops[0] = {Stride, Rows, {}};
    Walk.loops[1] = {8, Columns, {}};
    for (int64_t I = 0; I < Rows; ++I)
      number(I, I * 7 % Columns) = 1.5;
  }
  void SetUp() override {
    if (!Of.arePossible())
      GTEST_SKIP() << "this kernel has no such pages for us";
  }
  double &number(int64_t I, int64_t J) {
    return *reinterpret_cast<double *>(Data + I * Stride + J * 8);
  }
  void putForeign() {
    for (int64_t I = 0; I < Rows; ++I)
      Of.put(Data + I * Stride + Stride / 2, Stride / 2);
  }
  /// Lists for a call; returns how many there are in it.
  uint64_t listed() {
    const specrt_zeros_list *List = beginZeros(&Walk);
    const uint64_t Number = List ? List->starts[Rows] : 0;
    endZeros(List);
    return Number;
  }
  /// Calls from the third on find the list of an earlier one.
  void expectReused() {
    for (int Call = 0; Call < 3; ++Call)
      EXPECT_EQ(listed(), Rows);
    const uint64_t Before = zeroFigures().Reused;
    EXPECT_EQ(listed(), Rows);
    EXPECT_EQ(zeroFigures().Reused, Before + 1);
  }

  ForeignPages Of{GetParam()};
  std::byte *Data;
  specrt_zeros_walk Walk{};
};

INSTANTIATE_TEST_SUITE_P(Kinds, ListsOfRows,
                         testing::Values(Foreign::BeyondItsFile, Foreign::Protected,
                                         Foreign::FilledByAHandler),
                         [](const auto &Info) { return nameOf(Info.param); });

TEST_P(ListsOfRows, ReadNoPagesBetween) {
  putForeign();
  expectReused();
  number(5, 6) = 2;
  EXPECT_EQ(listed(), Rows + 1);
  EXPECT_EQ(Of.numRead(), 0U);
}

TEST_P(ListsOfRows, ReadNoPagesThatCameBetween) {
  expectReused();
  putForeign();
  EXPECT_EQ(listed(), Rows);
  number(5, 6) = 2;
  EXPECT_EQ(listed(), Rows + 1);
  EXPECT_EQ(Of.numRead(), 0U);
}

/// That numbers are finite is watched as well.
TEST_P(ListsOfRows, AreFinite) {
  putForeign();
  for (int Call = 0; Call < 5; ++Call) {
    const specrt_zeros_list *List = beginZeros(&Walk);
    ASSERT_TRUE(List);
    EXPECT_EQ(fitZeros(List, &Walk, SPECRT_ZEROS_FINITE), List);
    endZeros(List);
  }
  EXPECT_EQ(Of.numRead(), 0U);
}

} // namespace
} // namespace specrt
