//===- tests/jit/rows/run_prediction_edges_test.cpp - predictions that stop holding ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What two rows of a class say of all others must not be learned where it is different for once:
// where a number that is extended by zeros changes its sign, and where what a row is given was
// made by a row of another class.
//
//===----------------------------------------------------------------------===//
#include "tests/jit/rows/regular_rows.h"
#include "tests/jit/rows/walked_kernel.h"

#include <gtest/gtest.h>

extern "C" {
void renumbered(int, const unsigned char *, const int *, const double *, double *);
void neighbours(int, const int *, const double *, double *);
void neighbours_of_bytes(int, const unsigned char *, const double *, double *);
void limited_shorts(int, uint16_t, const uint16_t *, const double *, double *);
void sorted_out(int, const signed char *, const int *, const int *, int *, int *);
void products_of_sizes(size_t, const size_t *, const unsigned *, const double *, const double *,
                       double *);
void products(int, const int *, const int *, const double *, const double *, double *);
}

using namespace specrt;

namespace {

/// The table begins and ends where memory does. As signed numbers, its bytes go on behind 255.
TEST(RunPredictionEdges, WhereBytesBeginAgain) {
  constexpr int N = 4000;
  const std::vector<double> X(1024, 0.5);
  std::vector<double> Y(N);
  for (const Side Where : {Side::Begin, Side::End}) {
    AtTheEnd<unsigned char> Kind;
    AtTheEnd<int> Table;
    std::vector<int> Places;
    for (int I = 0; I < 256; ++I)
      Places.push_back(512 + 2 * static_cast<signed char>(I));
    Table.assign(Places, Where);
    const auto Assign = [&](int First, int By) {
      std::vector<unsigned char> Kinds;
      for (int I = 0; I < N; ++I)
        Kinds.push_back(static_cast<unsigned char>(First + I * By));
      Kind.assign(Kinds);
    };
    const auto Run = [&](decltype(&renumbered) F) {
      F(N, Kind.data(), Table.data(), X.data(), Y.data());
    };
    for (const int By : {1, -1, 3}) {
      Assign(0, By);
      const WalkedKernel<decltype(renumbered)> K("renumbered", &renumbered, Run);
      ASSERT_TRUE(K.hasVersion() && K.isLinear());
      uint64_t Predicted = 0;
      for (int First = 0; First < 256; ++First) {
        Assign(First, By);
        Predicted += K.compare(Run, Y);
      }
      EXPECT_GT(Predicted, uint64_t{N} * (std::abs(By) == 1 ? 32 : 0));
    }
  }
}

TEST(RunPredictionEdges, WhereShortNumbersPassALimit) {
  constexpr int N = 12000, By = 64;
  const std::vector<double> X(65537, 0.5);
  std::vector<double> Y(N);
  AtTheEnd<uint16_t> Kind;
  uint16_t Limit = 30000;
  const auto Assign = [&](int First) {
    std::vector<uint16_t> Kinds;
    for (int I = 0; I < N; ++I)
      Kinds.push_back(static_cast<uint16_t>(First + I * By));
    Kind.assign(Kinds);
  };
  const auto Run = [&](decltype(&limited_shorts) F) {
    F(N, Limit, Kind.data(), X.data(), Y.data());
  };
  Assign(0);
  const WalkedKernel<decltype(limited_shorts)> K("limited_shorts", &limited_shorts, Run);
  ASSERT_TRUE(K.hasVersion() && K.isLinear());
  uint64_t Predicted = 0;
  for (int Case = 0; Case < 300; ++Case) {
    Limit = static_cast<uint16_t>(9973 * Case);
    Assign(Case % 3 == 0 ? 31 * Case : -Case);
    Predicted += K.compare(Run, Y);
  }
  EXPECT_GT(Predicted, uint64_t{N} * 100);
}

/// Rows take turns; from time to time their numbers grow by others.
std::vector<int> inTurns(size_t Size, size_t Turns, int Steady, Random &Engine) {
  std::vector<int> Now(Turns), By(Turns), All;
  for (size_t I = 0; I < Turns; ++I) {
    Now[I] = upTo(Engine, 500);
    By[I] = 2 * upTo(Engine, 2) + 1;
  }
  int Stays = 0;
  for (size_t Row = 0; Row < Size; ++Row) {
    const size_t I = Row % Turns;
    Now[I] = (Now[I] + By[I]) % 20000;
    All.push_back(Now[I]);
    if (--Stays > 0)
      continue;
    By[size_t(upTo(Engine, int(Turns) - 1))] = 2 * upTo(Engine, 2) + 1;
    if (upTo(Engine, 2) == 0)
      Now[size_t(upTo(Engine, int(Turns) - 1))] += upTo(Engine, 9);
    Stays = Steady + (upTo(Engine, 3) == 0 ? 300 : upTo(Engine, 8));
  }
  return All;
}

TEST(RunPredictionEdges, WhereRowsOfOtherClassesHandOn) {
  constexpr int N = 8000;
  const std::vector<double> X(32768, 0.5);
  std::vector<double> Y(N);
  AtTheEnd<int> List;
  const auto Run = [&](decltype(&neighbours) F) { F(N, List.data(), X.data(), Y.data()); };
  for (const size_t Turns : {1, 2, 3, 4}) {
    SCOPED_TRACE(Turns);
    Random Engine(unsigned(Turns) + 6);
    List.assign(inTurns(N + 1, Turns, 600, Engine));
    const WalkedKernel<decltype(neighbours)> K("neighbours", &neighbours, Run);
    ASSERT_TRUE(K.hasVersion() && K.isLinear());
    uint64_t Predicted = 0;
    for (int Case = 0; Case < 150 && !testing::Test::HasFailure(); ++Case) {
      List.assign(inTurns(N + 1, Turns, Case % 5 * 20, Engine));
      Predicted += K.compare(Run, Y);
    }
    EXPECT_GT(Predicted, uint64_t{N}) << Turns;
  }
}

TEST(RunPredictionEdges, WhereBytesThatAreHandedOnBeginAgain) {
  constexpr int N = 6000;
  Random Engine(4);
  const std::vector<double> X(256, 0.5);
  std::vector<double> Y(N);
  AtTheEnd<unsigned char> List;
  const auto Assign = [&](int Breaks) {
    std::vector<unsigned char> All;
    int Now = upTo(Engine, 255);
    for (int I = 0; I <= N; ++I) {
      Now += upTo(Engine, N) < Breaks ? upTo(Engine, 255) : 1;
      All.push_back(static_cast<unsigned char>(Now));
    }
    List.assign(All);
  };
  const auto Run = [&](decltype(&neighbours_of_bytes) F) { F(N, List.data(), X.data(), Y.data()); };
  Assign(0);
  const WalkedKernel<decltype(neighbours_of_bytes)> K("neighbours_of_bytes", &neighbours_of_bytes,
                                                      Run);
  ASSERT_TRUE(K.hasVersion() && K.isLinear());
  uint64_t Predicted = 0;
  for (int Case = 0; Case < 600 && !testing::Test::HasFailure(); ++Case) {
    Assign(Case % 100);
    Predicted += K.compare(Run, Y);
  }
  EXPECT_GT(Predicted, uint64_t{N} * 50);
}

/// Two arrays are written, in opposite directions, which may be where columns are read later.
TEST(RunPredictionEdges, WhereResultsComeCloser) {
  constexpr int N = 12000;
  Random Engine(8);
  std::vector<int> X(2 * N), Memory(6 * N), Fresh(6 * N);
  for (int I = 0; I < 2 * N; ++I)
    X[size_t(I)] = I / 2;
  for (int I = 0; I < 6 * N; ++I)
    Fresh[size_t(I)] = I % N;
  std::vector<signed char> Kind(N);
  int Col = 0, Y = 2 * N, Z = 4 * N;
  const auto Run = [&](decltype(&sorted_out) F) {
    F(N, Kind.data(), &Memory[size_t(Col)], X.data(), &Memory[size_t(Y)], &Memory[size_t(Z)]);
  };
  for (const int Turns : {1, 2, 3}) {
    SCOPED_TRACE(Turns);
    const auto Assign = [&](int Changes) {
      for (int I = 0; I < N; ++I)
        Kind[size_t(I)] = I % Turns == 0 ? -1 : 1;
      for (; Changes > 0; --Changes)
        Kind[size_t(upTo(Engine, N - 1))] = Changes % 2 ? 1 : -1;
    };
    Assign(0);
    Col = 0, Y = 2 * N, Z = 4 * N;
    Memory = Fresh;
    const WalkedKernel<decltype(sorted_out)> K("sorted_out", &sorted_out, Run);
    ASSERT_TRUE(K.hasVersion() && K.isLinear());
    EXPECT_GT(K.compare(Run, Memory), N / 2u);
    uint64_t Predicted = 0;
    for (int Case = 0; Case < 400 && !testing::Test::HasFailure(); ++Case) {
      Col = upTo(Engine, 4 * N), Y = upTo(Engine, 4 * N), Z = upTo(Engine, 4 * N);
      Memory = Fresh;
      Assign(upTo(Engine, 4));
      Predicted += K.compare(Run, Memory);
    }
    EXPECT_GT(Predicted, uint64_t{N} * 20);
  }
}

/// As signed numbers, columns begin again in the middle.
TEST(RunPredictionEdges, WhereColumnsChangeTheirSign) {
  Random Engine(9);
  for (int Kind = 0; Kind < NumPatterns; ++Kind) {
    SCOPED_TRACE(Kind);
    Arrays<size_t, unsigned> A;
    const Pattern Regular = regularPattern(Kind, 3);
    const auto Shift = (int64_t{1} << 31) - static_cast<int64_t>(Regular.size() / 2);
    const auto Run = [&](decltype(&products_of_sizes) F) {
      const uint64_t X = reinterpret_cast<uint64_t>(A.X.data()) - uint64_t(Shift) * sizeof(double);
      F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), reinterpret_cast<const double *>(X),
        A.Y.data());
    };
    A.assign(Regular, Shift);
    const WalkedKernel<decltype(products_of_sizes)> K("products_of_sizes", &products_of_sizes, Run);
    ASSERT_TRUE(K.hasVersion() && K.isLinear());
    uint64_t Predicted = K.compare(Run, A.Y);
    for (int Case = 0; Case < 8 && !testing::Test::HasFailure(); ++Case) {
      A.assign(changed(Regular, Engine), Shift);
      Predicted += K.compare(Run, A.Y);
    }
    EXPECT_GT(Predicted, Regular.size() / 2);
  }
}

/// Arrays begin where memory does, and where the last row ends may be anything that is no more.
TEST(RunPredictionEdges, WhereMemoryBegins) {
  Random Engine(9);
  Arrays<int, int> A;
  A.Where = Side::Begin;
  const auto Run = [&](decltype(&products) F) {
    F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
  };
  uint64_t Predicted = 0;
  for (int Kind = 0; Kind < NumPatterns; Kind += 2) {
    const Pattern Regular = regularPattern(Kind, 3);
    A.assign(Regular);
    const WalkedKernel<decltype(products)> K("products", &products, Run);
    ASSERT_TRUE(K.hasVersion() && K.isLinear());
    for (int Case = 0; Case < 16 && !testing::Test::HasFailure(); ++Case) {
      A.assign(changed(Regular, Engine));
      A.change(Engine);
      int &End = A.Ptr[A.Ptr.size() - 1];
      const int Ends[] = {End, 0, -1, std::numeric_limits<int>::min()};
      End = Ends[Case % 4];
      Predicted += K.compare(Run, A.Y);
    }
  }
  EXPECT_GT(Predicted, 10000u);
}

} // namespace
