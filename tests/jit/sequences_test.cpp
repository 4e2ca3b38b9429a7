//===- tests/jit/sequences_test.cpp - indices that follow a pattern -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the memory behind index arrays holds is handed in; every candidate computes the bits of the
// original under its guards, and a call for which it is not so is noticed.
//
//===----------------------------------------------------------------------===//
#include "tests/jit/compiled_region.h"
#include <numeric>

extern "C" {
void gather_columns(int64_t N, int64_t M, const int32_t *Index, const double *A, double *B);
double gather_backwards(int64_t N, const uint16_t *First, const int64_t *Second, const double *A,
                        double *B);
void shift_indices(int64_t N, int32_t *Index, double *A);
}

using namespace specrt;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

namespace {

TEST(Sequences, IndicesThatCountUp) {
  constexpr int64_t N = 300, M = 20;
  std::vector<int32_t> Index(N);
  for (int32_t I = 0; I < N; ++I)
    Index[static_cast<size_t>(I)] = 5 + 3 * I;
  std::vector<double> A(M * 1000), B(N * M, 1.0);
  std::iota(A.begin(), A.end(), 0.5);
  auto Expected = B;
  gather_columns(N, M, Index.data(), A.data(), Expected.data());
  auto R = TestRegion::fromKernel("gather_columns");
  R->constant(0, N);
  R->constant(1, M);
  R->sequence(R->loadsOf(SPECRT_KIND_I32).front(), {{0, N, 5, 3}});
  Compiled C(*R);
  EXPECT_THAT(C.Guards,
              HasSubstr("elements of 4 bytes at 1st array go up by 3 from 5 (300 elements)"));
  EXPECT_THAT(C.Names, Contains("source-order")) << "it is a model of Polly's; " << C.Notes;
  C.forEach<decltype(gather_columns)>([&](auto *Body) {
    auto Actual = B;
    ASSERT_TRUE(C.admits(N, M, Index.data(), A.data(), Actual.data()));
    Body(N, M, Index.data(), A.data(), Actual.data());
    EXPECT_EQ(Actual, Expected);
  });
  for (size_t Changed : {size_t{0}, size_t{150}, size_t{N - 1}}) {
    auto Other = Index;
    ++Other[Changed];
    EXPECT_FALSE(C.admits(N, M, Other.data(), A.data(), B.data()));
  }
  EXPECT_FALSE(C.admits(N, M, Index.data(), A.data(), reinterpret_cast<double *>(Index.data())));
}

TEST(Sequences, IndicesInPiecesSplitTheLoop) {
  constexpr int64_t N = 300, M = 20;
  std::vector<int32_t> Index(N);
  for (int32_t I = 0; I < N; ++I)
    Index[static_cast<size_t>(I)] = I < 100 ? 5 + 3 * I : I < 101 ? 7 : 999 - 2 * I;
  std::vector<double> A(M * 1000), B(N * M, 1.0);
  std::iota(A.begin(), A.end(), 0.5);
  auto Expected = B;
  gather_columns(N, M, Index.data(), A.data(), Expected.data());
  auto R = TestRegion::fromKernel("gather_columns");
  R->constant(0, N);
  R->constant(1, M);
  R->sequence(R->loadsOf(SPECRT_KIND_I32).front(),
              {{0, 100, 5, 3}, {100, 1, 7, 0}, {101, 199, 797, -2}});
  Compiled C(*R);
  EXPECT_THAT(C.Guards, HasSubstr("are 3 known sequences (300 elements)"));
  EXPECT_THAT(C.Names, Contains("source-order")) << "it is a model of Polly's; " << C.Notes;
  C.forEach<decltype(gather_columns)>([&](auto *Body) {
    auto Actual = B;
    ASSERT_TRUE(C.admits(N, M, Index.data(), A.data(), Actual.data())) << C.Guards;
    Body(N, M, Index.data(), A.data(), Actual.data());
    EXPECT_EQ(Actual, Expected);
  });
  for (size_t Changed : {size_t{0}, size_t{100}, size_t{N - 1}}) {
    auto Other = Index;
    ++Other[Changed];
    EXPECT_FALSE(C.admits(N, M, Other.data(), A.data(), B.data()));
  }
}

TEST(Sequences, PiecesOfTwoArraysInBothDirections) {
  constexpr int64_t N = 200;
  std::vector<uint16_t> First(N);
  std::vector<int64_t> Second(N);
  for (size_t I = 0; I < N; ++I) {
    First[I] = static_cast<uint16_t>(I < 50 ? 60000 + I : 2 * I);
    Second[I] = static_cast<int64_t>(I < 120 ? I : 1000 + 4 * I);
  }
  std::vector<double> A(65536), B(2000, 1.0);
  std::iota(A.begin(), A.end(), 0.5);
  auto Expected = B;
  const double Sum = gather_backwards(N, First.data(), Second.data(), A.data(), Expected.data());
  auto R = TestRegion::fromKernel("gather_backwards");
  R->constant(0, N);
  R->sequence(R->loadsOf(SPECRT_KIND_I16).front(), {{0, 50, 60000, 1}, {50, 150, 100, 2}});
  R->sequence(R->loadsOf(SPECRT_KIND_I64).front(), {{0, 120, 0, 1}, {120, 80, 1480, 4}});
  Compiled C(*R);
  EXPECT_THAT(C.Guards, HasSubstr("elements of 2 bytes at 1st array are 2 known sequences"))
      << C.Notes;
  EXPECT_THAT(C.Guards, HasSubstr("elements of 8 bytes at 2nd array are 2 known sequences"));
  C.forEach<decltype(gather_backwards)>([&](auto *Body) {
    auto Actual = B;
    ASSERT_TRUE(C.admits(N, First.data(), Second.data(), A.data(), Actual.data())) << C.Guards;
    EXPECT_EQ(Body(N, First.data(), Second.data(), A.data(), Actual.data()), Sum);
    EXPECT_EQ(Actual, Expected);
  });
}

TEST(Sequences, WhatWasNotSeenOrIsTooMuchIsRefused) {
  auto Notes = [](std::vector<specrt_sequence_piece> Pieces) {
    auto R = TestRegion::fromKernel("gather_columns");
    R->constant(0, 300);
    R->constant(1, 20);
    R->sequence(R->loadsOf(SPECRT_KIND_I32).front(), std::move(Pieces));
    return Compiled(*R).Notes;
  };
  EXPECT_THAT(Notes({{0, 100, 5, 3}, {101, 199, 797, -2}}), HasSubstr("they were not all seen"));
  EXPECT_THAT(Notes({{0, 100, 5, 3}, {100, 100, 797, -2}}), HasSubstr("they were not all seen"));
  std::vector<specrt_sequence_piece> Many;
  for (int64_t I = 0; I < 10; ++I)
    Many.push_back({30 * I, 30, 17 * I, 1});
  EXPECT_THAT(Notes(Many), HasSubstr("they follow too many patterns"));
}

TEST(Sequences, WhatTheRegionWritesIsNotTakenForKnown) {
  constexpr int64_t N = 64;
  auto R = TestRegion::fromKernel("shift_indices");
  R->constant(0, N);
  R->sequence(R->loadsOf(SPECRT_KIND_I32).front(), {{0, N, 0, 1}});
  Compiled Indices(*R);
  EXPECT_THAT(Indices.Notes, HasSubstr("the indices at 1st array + 0 changes in the loop"));
  EXPECT_THAT(Indices.Guards, Not(HasSubstr("elements")));
}

} // namespace
