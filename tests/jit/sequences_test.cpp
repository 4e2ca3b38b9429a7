//===- tests/jit/sequences_test.cpp - rows and indices that follow a pattern ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the memory behind index arrays and arrays of row pointers holds is handed in; every
// candidate computes the bits of the original under its guards, and a call for which it is not so
// is noticed.
//
//===----------------------------------------------------------------------===//
#include "guards/memory/sequence.h"
#include "tests/guards/test_guards.h"
#include "tests/jit/shared_compiler.h"
#include "tests/specializer/test_region.h"
#include "gmock/gmock.h"
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <set>

extern "C" {
void layer_forward(double *X, double *Y, double **W, int64_t N1, int64_t N2);
void adjust_weights(const double *Delta, int64_t N2, double *X, int64_t N1, double **W,
                    double **Old);
void row_product(int64_t N, double **C, double **A, double **B);
void cube_stencil(int64_t N, double ***Out, double ***In);
void relax_rows(int64_t N, int64_t Steps, double **A);
void gather_columns(int64_t N, int64_t M, const int32_t *Index, const double *A, double *B);
double gather_backwards(int64_t N, const uint16_t *First, const int64_t *Second, const double *A,
                        double *B);
void shift_indices(int64_t N, int32_t *Index, double *A);
void swap_rows(int64_t N, double **W);
void some_rows(int64_t N, const double *Mask, double **W);
}

using namespace specrt;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
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

struct Compiled {
  explicit Compiled(TestRegion &R) : R(R), Result(sharedCompiler().compile(R.request())) {
    EXPECT_EQ(Result->error, nullptr) << (Result->error ? Result->error : "");
    for (unsigned I = 0; I < Result->num_candidates; ++I)
      Names.insert(Result->candidates[I].name);
    for (unsigned I = 0; I < Result->num_notes; ++I)
      Notes += Result->notes[I].text + std::string("\n");
    for (const specrt_guard &Guard : guards())
      Guards += describe(Guard, R.region()) + "\n";
  }
  ~Compiled() {
    for (unsigned I = 0; I < Result->num_candidates; ++I)
      sharedCompiler().release(Result->candidates[I].handle);
    delete CompileResult::from(Result);
  }
  Compiled(const Compiled &) = delete;
  Compiled &operator=(const Compiled &) = delete;

  GuardView guards() const {
    return Result->num_candidates ? GuardView(Result->candidates[0].guards) : GuardView();
  }
  template <typename... A> bool admits(A... Arguments) const {
    const std::vector<uint64_t> Packed = {pack(Arguments)...};
    return allHold(guards(), R.region(), Packed.data());
  }
  /// Runs every candidate.
  template <typename Function> void forEach(const std::function<void(Function *)> &Run) const {
    EXPECT_FALSE(Names.empty()) << Notes;
    for (unsigned I = 0; I < Result->num_candidates; ++I) {
      SCOPED_TRACE(Result->candidates[I].name);
      Run(reinterpret_cast<Function *>(Result->candidates[I].body));
    }
  }

  TestRegion &R;
  const specrt_jit_result *Result;
  std::set<std::string> Names;
  std::string Notes, Guards;

private:
  static uint64_t pack(int64_t Value) { return static_cast<uint64_t>(Value); }
  template <typename T> static uint64_t pack(T *Pointer) {
    return reinterpret_cast<uint64_t>(Pointer);
  }
};

/// Every load of a pointer sees rows that lie Bytes apart.
void rowsApart(TestRegion &R, int64_t Bytes, int64_t Count) {
  for (unsigned Load : R.loadsOf(SPECRT_KIND_POINTER))
    R.sequence(Load, {{0, Count, 0, Bytes}});
}

TEST(Sequences, ColumnsOfRowPointersAreOneArray) {
  constexpr int64_t N1 = 60, N2 = 44;
  Matrix W(N1 + 1, N2 + 1, 1, 2);
  std::vector<double> X(N1 + 1, 0.5), Y(N2 + 1, 0.0);
  std::iota(X.begin(), X.end(), 0.25);
  auto ExpectedX = X, ExpectedY = Y;
  layer_forward(ExpectedX.data(), ExpectedY.data(), W.rows(), N1, N2);
  auto R = TestRegion::fromKernel("layer_forward");
  R->constant(3, N1);
  R->constant(4, N2);
  rowsApart(*R, W.bytes(), N1 + 1);
  Compiled C(*R);
  EXPECT_THAT(C.Guards, HasSubstr("rows of 3rd array lie 376 bytes apart (61 rows)"));
  EXPECT_THAT(C.Names, Contains("contraction")) << C.Notes;
  C.forEach<decltype(layer_forward)>([&](auto *Body) {
    auto ActualX = X, ActualY = Y;
    ASSERT_TRUE(C.admits(ActualX.data(), ActualY.data(), W.rows(), N1, N2));
    Body(ActualX.data(), ActualY.data(), W.rows(), N1, N2);
    EXPECT_EQ(ActualX, ExpectedX);
    EXPECT_EQ(ActualY, ExpectedY);
  });
  Matrix Moved(W);
  Moved.Pointers[17] += 1;
  EXPECT_FALSE(C.admits(X.data(), Y.data(), Moved.rows(), N1, N2));
  EXPECT_FALSE(C.admits(X.data(), W.rows()[3] + 5, W.rows(), N1, N2)) << "written and a row";
  EXPECT_FALSE(C.admits(X.data(), reinterpret_cast<double *>(W.rows()), W.rows(), N1, N2))
      << "written and the row pointers";
}

TEST(Sequences, TwoMatricesOfRowsAreWritten) {
  constexpr int64_t N1 = 50, N2 = 33;
  const Matrix W(N1 + 1, N2 + 1, 1), Old(N1 + 1, N2 + 1, 2);
  std::vector<double> Delta(N2 + 1, 0.75), X(N1 + 1, 0.5);
  Matrix ExpectedW(W), ExpectedOld(Old);
  adjust_weights(Delta.data(), N2, X.data(), N1, ExpectedW.rows(), ExpectedOld.rows());
  auto R = TestRegion::fromKernel("adjust_weights");
  R->constant(1, N2);
  R->constant(3, N1);
  rowsApart(*R, W.bytes(), N1 + 1);
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

TEST(Sequences, AProductOfRowPointersIsAContraction) {
  constexpr int64_t N = 70;
  Matrix A(N, N, 1), B(N, N, 2, 3);
  const Matrix Before(N, N, 3);
  Matrix Expected(Before);
  row_product(N, Expected.rows(), A.rows(), B.rows());
  auto R = TestRegion::fromKernel("row_product");
  R->constant(0, N);
  for (unsigned Load : R->loadsOf(SPECRT_KIND_POINTER))
    R->sequence(
        Load, {{0, N, 0, Load == R->loadsOf(SPECRT_KIND_POINTER).back() ? B.bytes() : A.bytes()}});
  Compiled C(*R);
  EXPECT_THAT(C.Names, Contains("contraction")) << C.Notes;
  C.forEach<decltype(row_product)>([&](auto *Body) {
    Matrix Actual(Before);
    ASSERT_TRUE(C.admits(N, Actual.rows(), A.rows(), B.rows()));
    Body(N, Actual.rows(), A.rows(), B.rows());
    EXPECT_EQ(Actual, Expected);
  });
}

TEST(Sequences, NeighboursInOneArrayStayInOrder) {
  constexpr int64_t N = 40, Steps = 7;
  const Matrix Before(N, N, 3, 1);
  Matrix Expected(Before);
  relax_rows(N, Steps, Expected.rows());
  auto R = TestRegion::fromKernel("relax_rows");
  R->constant(0, N);
  R->constant(1, Steps);
  rowsApart(*R, Before.bytes(), N);
  Compiled C(*R);
  EXPECT_THAT(C.Guards, HasSubstr("lie 328 bytes apart (40 rows)")) << C.Notes;
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

TEST(Sequences, PlanesOfRowsAreOneArray) {
  constexpr int64_t N = 24;
  Cube In(N, 1);
  const Cube Before(N, 2);
  Cube Expected(Before);
  cube_stencil(N, Expected.planes(), In.planes());
  auto R = TestRegion::fromKernel("cube_stencil");
  R->constant(0, N);
  const int64_t Row = In.Values.bytes();
  for (unsigned Load : R->loadsOf(SPECRT_KIND_POINTER)) {
    // The first four are those of planes.
    const bool IsPlane = Load < R->loadsOf(SPECRT_KIND_POINTER)[4];
    R->sequence(Load, {{0, N, 0, IsPlane ? 8 * N : Row}});
  }
  Compiled C(*R);
  EXPECT_THAT(C.Guards, HasSubstr("rows of 2nd array lie 192 bytes apart (24 rows)"));
  EXPECT_THAT(C.Guards, HasSubstr("4800 and 200 bytes apart"));
  EXPECT_THAT(C.Names, Contains("source-order")) << C.Notes;
  C.forEach<decltype(cube_stencil)>([&](auto *Body) {
    Cube Actual(Before);
    ASSERT_TRUE(C.admits(N, Actual.planes(), In.planes())) << C.Guards;
    Body(N, Actual.planes(), In.planes());
    EXPECT_EQ(Actual, Expected);
  });
  Cube Out(Before);
  EXPECT_FALSE(C.admits(N, Out.planes(), Out.planes()));
  Out.Values.Pointers[5 * N + 7] += 1;
  EXPECT_FALSE(C.admits(N, Out.planes(), In.planes())) << "a row moved";
  Cube Other(Before);
  ++Other.Planes[5];
  EXPECT_FALSE(C.admits(N, Other.planes(), In.planes())) << "a plane moved";
  // Corners are not read: they need not be there.
  Cube Holes(Before);
  Holes.Values.Pointers[0] = nullptr;
  Cube Result(Before);
  EXPECT_TRUE(C.admits(N, Result.planes(), Holes.planes()));
}

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
  auto Rows = TestRegion::fromKernel("swap_rows");
  Rows->constant(0, N);
  rowsApart(*Rows, 8 * N, N);
  Compiled Pointers(*Rows);
  EXPECT_THAT(Pointers.Notes, HasSubstr("the row pointers at 1st array + 0"));
  EXPECT_THAT(Pointers.Guards, Not(HasSubstr("rows of")));
}

TEST(Sequences, WhatNotEveryCallReadsIsLeftAlone) {
  auto R = TestRegion::fromKernel("some_rows");
  R->constant(0, 64);
  rowsApart(*R, 512, 64);
  Compiled C(*R);
  EXPECT_THAT(C.Notes, HasSubstr("not every call reads all of them"));
  EXPECT_THAT(C.Guards, Not(HasSubstr("rows of")));
  EXPECT_TRUE(std::any_of(
      C.Result->notes, C.Result->notes + C.Result->num_notes,
      [](const specrt_jit_note &Note) { return Note.code == SPECRT_NOTE_NOT_ALWAYS_READ; }));
}

TEST(Sequences, UnevenRowsAreSaidToBe) {
  auto R = TestRegion::fromKernel("relax_rows");
  R->constant(0, 8);
  R->constant(1, 2);
  for (unsigned Load : R->loadsOf(SPECRT_KIND_POINTER))
    R->sequence(Load, {{0, 3, 0, 64}, {3, 5, 1000, 64}});
  Compiled C(*R);
  EXPECT_THAT(C.Notes, HasSubstr("rows are not equally spaced"));
}

} // namespace
