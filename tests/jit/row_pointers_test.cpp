//===- tests/jit/row_pointers_test.cpp - rows behind row pointers ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of matrices lie where they like; every candidate computes the bits of the original under its
// guards, and a call in which rows overlap is noticed.
//
//===----------------------------------------------------------------------===//
#include "tests/jit/compiled_region.h"
#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

extern "C" {
void layer_forward(double *X, double *Y, double **W, int64_t N1, int64_t N2);
void adjust_weights(const double *Delta, int64_t N2, double *X, int64_t N1, double **W,
                    double **Old);
void row_product(int64_t N, double **C, double **A, double **B);
void cube_stencil(int64_t N, double ***Out, double ***In);
void relax_rows(int64_t N, int64_t Steps, double **A);
void swap_rows(int64_t N, double **W);
void some_rows(int64_t N, const double *Mask, double **W);
}

using namespace specrt;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

namespace {

/// Rows in one block, Gap elements between them; any row can be sent elsewhere.
class Matrix {
public:
  Matrix(int64_t Rows, int64_t Columns, unsigned Seed, int64_t Gap = 0)
      : Stride(Columns + Gap), Values(static_cast<size_t>(Rows * Stride)) {
    std::mt19937 Engine(Seed);
    std::uniform_real_distribution<double> Some(0.1, 3.0);
    for (double &V : Values)
      V = Some(Engine);
    for (int64_t I = 0; I < Rows; ++I)
      Pointers.push_back(&Values[static_cast<size_t>(I * Stride)]);
  }
  Matrix(const Matrix &Other) : Stride(Other.Stride), Values(Other.Values) {
    for (double *Row : Other.Pointers)
      Pointers.push_back(Values.data() + (Row - Other.Values.data()));
  }
  Matrix &operator=(const Matrix &) = delete;
  double **rows() { return Pointers.data(); }
  int64_t bytes() const { return Stride * 8; }
  bool operator==(const Matrix &Other) const {
    return std::memcmp(Values.data(), Other.Values.data(), Values.size() * 8) == 0;
  }

  int64_t Stride;
  std::vector<double> Values;
  std::vector<double *> Pointers;
};

TEST(RowPointers, ColumnsOfRowPointersAreOneArray) {
  constexpr int64_t N1 = 60, N2 = 44;
  Matrix W(N1 + 1, N2 + 1, 1, 2);
  std::vector<double> X(N1 + 1, 0.5), Y(N2 + 1, 0.0);
  std::iota(X.begin(), X.end(), 0.25);
  auto ExpectedX = X, ExpectedY = Y;
  layer_forward(ExpectedX.data(), ExpectedY.data(), W.rows(), N1, N2);
  auto R = TestRegion::fromKernel("layer_forward");
  R->constant(3, N1);
  R->constant(4, N2);
  Compiled C(*R);
  EXPECT_THAT(C.Guards, HasSubstr("61 rows of 3rd array[8, 360)"));
  EXPECT_THAT(C.Names, Contains("contraction")) << C.Notes;
  C.forEach<decltype(layer_forward)>([&](auto *Body) {
    auto ActualX = X, ActualY = Y;
    ASSERT_TRUE(C.admits(ActualX.data(), ActualY.data(), W.rows(), N1, N2));
    Body(ActualX.data(), ActualY.data(), W.rows(), N1, N2);
    EXPECT_EQ(ActualX, ExpectedX);
    EXPECT_EQ(ActualY, ExpectedY);
  });
  Matrix Moved(W);
  Moved.Pointers[17] = Moved.Pointers[3];
  EXPECT_TRUE(C.admits(X.data(), Y.data(), Moved.rows(), N1, N2)) << "rows are only read";
  EXPECT_FALSE(C.admits(X.data(), W.rows()[3] + 5, W.rows(), N1, N2)) << "written and a row";
  EXPECT_FALSE(C.admits(X.data(), reinterpret_cast<double *>(W.rows()), W.rows(), N1, N2))
      << "written and the row pointers";
}

TEST(RowPointers, TwoMatricesOfRowsAreWritten) {
  constexpr int64_t N1 = 50, N2 = 33;
  const Matrix W(N1 + 1, N2 + 1, 1), Old(N1 + 1, N2 + 1, 2);
  std::vector<double> Delta(N2 + 1, 0.75), X(N1 + 1, 0.5);
  Matrix ExpectedW(W), ExpectedOld(Old);
  adjust_weights(Delta.data(), N2, X.data(), N1, ExpectedW.rows(), ExpectedOld.rows());
  auto R = TestRegion::fromKernel("adjust_weights");
  R->constant(1, N2);
  R->constant(3, N1);
  Compiled C(*R);
  EXPECT_THAT(C.Names, Contains("isl-schedule")) << C.Notes;
  C.forEach<decltype(adjust_weights)>([&](auto *Body) {
    Matrix ActualW(W), ActualOld(Old);
    ASSERT_TRUE(C.admits(Delta.data(), N2, X.data(), N1, ActualW.rows(), ActualOld.rows()));
    Body(Delta.data(), N2, X.data(), N1, ActualW.rows(), ActualOld.rows());
    EXPECT_EQ(ActualW, ExpectedW);
    EXPECT_EQ(ActualOld, ExpectedOld);
  });
  Matrix Same(W);
  EXPECT_FALSE(C.admits(Delta.data(), N2, X.data(), N1, Same.rows(), Same.rows()));
}

TEST(RowPointers, AProductOfRowPointersIsAContraction) {
  constexpr int64_t N = 70;
  Matrix A(N, N, 1), B(N, N, 2, 3);
  const Matrix Before(N, N, 3);
  Matrix Expected(Before);
  row_product(N, Expected.rows(), A.rows(), B.rows());
  auto R = TestRegion::fromKernel("row_product");
  R->constant(0, N);
  Compiled C(*R);
  EXPECT_THAT(C.Names, Contains("contraction")) << C.Notes;
  C.forEach<decltype(row_product)>([&](auto *Body) {
    Matrix Actual(Before);
    ASSERT_TRUE(C.admits(N, Actual.rows(), A.rows(), B.rows()));
    Body(N, Actual.rows(), A.rows(), B.rows());
    EXPECT_EQ(Actual, Expected);
  });
}

TEST(RowPointers, NeighboursInOneArrayStayInOrder) {
  constexpr int64_t N = 40, Steps = 7;
  const Matrix Before(N, N, 3, 1);
  Matrix Expected(Before);
  relax_rows(N, Steps, Expected.rows());
  auto R = TestRegion::fromKernel("relax_rows");
  R->constant(0, N);
  R->constant(1, Steps);
  Compiled C(*R);
  EXPECT_THAT(C.Guards, HasSubstr("40 rows of 1st array[0, 320) (written)")) << C.Notes;
  C.forEach<decltype(relax_rows)>([&](auto *Body) {
    Matrix Actual(Before);
    ASSERT_TRUE(C.admits(N, Steps, Actual.rows()));
    Body(N, Steps, Actual.rows());
    EXPECT_EQ(Actual, Expected);
  });
}

/// Planes of rows: both kinds of pointers lie in blocks of their own.
class Cube {
public:
  Cube(int64_t N, unsigned Seed) : N(N), Values(N * N, N, Seed, 1) { connect(); }
  Cube(const Cube &Other) : N(Other.N), Values(Other.Values) { connect(); }
  Cube &operator=(const Cube &) = delete;
  double ***planes() { return Planes.data(); }
  bool operator==(const Cube &Other) const { return Values == Other.Values; }

  int64_t N;
  Matrix Values;
  std::vector<double **> Planes;

private:
  void connect() {
    for (int64_t I = 0; I < N; ++I)
      Planes.push_back(&Values.rows()[I * N]);
  }
};

TEST(RowPointers, PlanesOfRowsAreOneArray) {
  constexpr int64_t N = 24;
  Cube In(N, 1);
  const Cube Before(N, 2);
  Cube Expected(Before);
  cube_stencil(N, Expected.planes(), In.planes());
  auto R = TestRegion::fromKernel("cube_stencil");
  R->constant(0, N);
  Compiled C(*R);
  EXPECT_THAT(C.Guards, HasSubstr("22 * 22 rows of 1st array[8, 184) (written)"));
  EXPECT_THAT(C.Names, Contains("source-order")) << C.Notes;
  C.forEach<decltype(cube_stencil)>([&](auto *Body) {
    Cube Actual(Before);
    ASSERT_TRUE(C.admits(N, Actual.planes(), In.planes())) << C.Guards;
    Body(N, Actual.planes(), In.planes());
    EXPECT_EQ(Actual, Expected);
  });
  Cube Out(Before);
  EXPECT_FALSE(C.admits(N, Out.planes(), Out.planes()));
  Out.Values.Pointers[5 * N + 7] += 5;
  EXPECT_FALSE(C.admits(N, Out.planes(), In.planes())) << "a row moved into the next one";
  Cube Other(Before);
  Other.Planes[5] += 3;
  EXPECT_FALSE(C.admits(N, Other.planes(), In.planes())) << "a plane moved into the next one";
  std::swap(Other.Planes[5], Other.Planes[9]);
  Other.Planes[9] -= 3;
  EXPECT_TRUE(C.admits(N, Other.planes(), In.planes())) << "planes changed their places";
  // Corners are not read: they need not be there.
  Cube Holes(Before);
  Holes.Values.Pointers[0] = nullptr;
  Cube Result(Before);
  EXPECT_TRUE(C.admits(N, Result.planes(), Holes.planes()));
}

/// Rows of two matrices and what is between them, in any order.
class Scattered {
public:
  Scattered(int64_t Rows, int64_t Columns, unsigned Seed)
      : Values(size_t(2 * Rows * (Columns + 9))) {
    std::mt19937 Engine(Seed);
    std::vector<int64_t> Order(size_t(2 * Rows));
    std::iota(Order.begin(), Order.end(), 0);
    std::shuffle(Order.begin(), Order.end(), Engine);
    for (int64_t I = 0; I < Rows; ++I) {
      A.push_back(&Values[size_t(Order[size_t(2 * I)] * (Columns + 9) + I % 9)]);
      B.push_back(&Values[size_t(Order[size_t(2 * I + 1)] * (Columns + 9) + I % 5)]);
    }
    for (double &V : Values)
      V = 0.1 + 1e-9 * static_cast<double>(Engine());
  }
  Scattered(const Scattered &Other) : Values(Other.Values) {
    for (double *Row : Other.A)
      A.push_back(&Values[size_t(Row - Other.Values.data())]);
    for (double *Row : Other.B)
      B.push_back(&Values[size_t(Row - Other.Values.data())]);
  }
  Scattered &operator=(const Scattered &) = delete;

  std::vector<double> Values;
  std::vector<double *> A, B;
};

TEST(RowPointers, RowsLieAnywhere) {
  constexpr int64_t N1 = 50, N2 = 33;
  std::vector<double> Delta(N2 + 1, 0.75), X(N1 + 1, 0.5);
  auto R = TestRegion::fromKernel("adjust_weights");
  R->constant(1, N2);
  R->constant(3, N1);
  Compiled C(*R);
  EXPECT_THAT(C.Names, Contains("isl-schedule")) << C.Notes;
  for (unsigned Seed = 1; Seed <= 5; ++Seed) {
    const Scattered Before(N1 + 1, N2 + 1, Seed);
    Scattered Expected(Before);
    adjust_weights(Delta.data(), N2, X.data(), N1, Expected.A.data(), Expected.B.data());
    C.forEach<decltype(adjust_weights)>([&](auto *Body) {
      Scattered Actual(Before);
      ASSERT_TRUE(C.admits(Delta.data(), N2, X.data(), N1, Actual.A.data(), Actual.B.data()));
      Body(Delta.data(), N2, X.data(), N1, Actual.A.data(), Actual.B.data());
      EXPECT_EQ(Actual.Values, Expected.Values);
    });
    Scattered Bad(Before);
    Bad.A[7] = Bad.A[30];
    EXPECT_FALSE(C.admits(Delta.data(), N2, X.data(), N1, Bad.A.data(), Bad.B.data()));
    Bad.A[7] = Bad.B[12];
    EXPECT_FALSE(C.admits(Delta.data(), N2, X.data(), N1, Bad.A.data(), Bad.B.data()));
    Bad.A[7] = Bad.B[12] + N2;
    EXPECT_FALSE(C.admits(Delta.data(), N2, X.data(), N1, Bad.A.data(), Bad.B.data()))
        << "the last element is the first of another row";
    Bad.A[7] = reinterpret_cast<double *>(&Bad.A[3]) - 1;
    EXPECT_FALSE(C.admits(Delta.data(), N2, X.data(), N1, Bad.A.data(), Bad.B.data()));
    Bad.A[7] = &X[2] - N2;
    EXPECT_FALSE(C.admits(Delta.data(), N2, X.data(), N1, Bad.A.data(), Bad.B.data()));
  }
}

TEST(RowPointers, ARaggedProductIsAContraction) {
  constexpr int64_t N = 70;
  const Scattered In(N, N, 1), Before(N, N, 2);
  Scattered Expected(Before), Operands(In);
  row_product(N, Expected.A.data(), Operands.A.data(), Operands.B.data());
  auto R = TestRegion::fromKernel("row_product");
  R->constant(0, N);
  Compiled C(*R);
  EXPECT_THAT(C.Names, Contains("contraction")) << C.Notes;
  C.forEach<decltype(row_product)>([&](auto *Body) {
    Scattered Actual(Before);
    ASSERT_TRUE(C.admits(N, Actual.A.data(), Operands.A.data(), Operands.B.data()));
    Body(N, Actual.A.data(), Operands.A.data(), Operands.B.data());
    EXPECT_EQ(Actual.Values, Expected.Values);
    Scattered Same(Before);
    EXPECT_TRUE(C.admits(N, Same.A.data(), Operands.A.data(), Operands.A.data()))
        << "both factors are the same";
    EXPECT_FALSE(C.admits(N, Same.A.data(), Operands.A.data(), Same.A.data()));
  });
}

TEST(RowPointers, WhatTheRegionWritesIsNoTable) {
  auto Rows = TestRegion::fromKernel("swap_rows");
  Rows->constant(0, 64);
  Compiled Pointers(*Rows);
  EXPECT_THAT(Pointers.Notes, HasSubstr("the pointers to rows of 1st array may change"));
  EXPECT_THAT(Pointers.Guards, Not(HasSubstr("rows of")));
}

TEST(RowPointers, WhatNotEveryCallReadsIsLeftAlone) {
  auto R = TestRegion::fromKernel("some_rows");
  R->constant(0, 64);
  Compiled C(*R);
  EXPECT_THAT(C.Notes, HasSubstr("not every call reads the first and the last of them"));
  EXPECT_THAT(C.Guards, Not(HasSubstr("rows of")));
  EXPECT_TRUE(std::any_of(
      C.Result->notes, C.Result->notes + C.Result->num_notes,
      [](const specrt_jit_note &Note) { return Note.code == SPECRT_NOTE_NOT_ALWAYS_READ; }));
}

} // namespace
