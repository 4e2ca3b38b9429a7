//===- tests/jit/rows/run_prediction_test.cpp - run prediction gives the same tables ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of all kinds are inspected with run prediction and without it, and the results must be the
// same. Index arrays end where memory ends, so that code that reads what rows are predicted to
// read, although they do not, faults.
//
//===----------------------------------------------------------------------===//
#include "runtime/report/row_report.h"
#include "runtime/watch/process_watches.h"
#include "tests/jit/rows/regular_rows.h"
#include "tests/jit/rows/walked_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>

extern "C" {
using Products = void(int, const int *, const int *, const double *, const double *, double *);
Products products, products_backwards, differences, pairs, diagonals, lower_parts, low_parts,
    lengths, squared, spread;
void wrapped(unsigned, const unsigned *, const unsigned *, const double *, const double *,
             double *);
void products_of_longs(int64_t, const int64_t *, const int64_t *, const double *, const double *,
                       double *);
void products_of_sizes(size_t, const size_t *, const unsigned *, const double *, const double *,
                       double *);
void products_of_shorts(unsigned, const unsigned *, const uint16_t *, const double *,
                        const double *, double *);
void listed_rows(int, const int *, const int *, const int *, const double *, const double *,
                 double *);
void wide_products(int, int, const int *, const int *, const double *, const double *, double *);
void padded(int, int, const int *, const double *, const double *, double *);
void gathered(int, const signed char *, const int *, const double *, double *);
void limited(int, int, const int *, const double *, double *);
void sampled(int, const int *, const int *, const int *, const double *, double *);
void renamed(int, const int *, const int *, int *);
void filled(int, const int *, const double *, double *);
void numbered(int, const int *, const int *, const double *, double *);
}

using namespace specrt;

namespace {

struct Comparison {
  bool IsLinear = true;
  int Cases = 12;
  int EveryPattern = 2; ///< of those that are regular
  int Scale = 3;
  int64_t (*ShiftOf)(size_t) = nullptr; ///< of columns, by the number of rows
};

/// Compares tables of some patterns, each with some changes. Run (F, A) calls F.
template <typename PtrT, typename ColT, typename Function, typename Fn>
void compareProducts(const char *Name, Function *Original, Fn Run, const Comparison &Of = {}) {
  Random Engine(5);
  uint64_t Predicted = 0;
  for (int Kind = 0; Kind < NumPatterns && !testing::Test::HasFailure(); Kind += Of.EveryPattern) {
    SCOPED_TRACE("pattern " + std::to_string(Kind));
    Arrays<PtrT, ColT> A;
    const auto Assign = [&](const Pattern &Rows) {
      A.assign(Rows, Of.ShiftOf ? Of.ShiftOf(Rows.size()) : 0);
    };
    const auto Call = [&](Function *F) { Run(F, A); };
    const Pattern Regular = regularPattern(Kind, Of.Scale);
    Assign(Regular);
    const WalkedKernel<Function> K(Name, Original, Call);
    ASSERT_TRUE(K.hasVersion()) << Name << ": " << lastLog();
    ASSERT_EQ(K.isLinear(), Of.IsLinear) << Name;
    const uint64_t PredictedHere = K.compare(Call, A.Y);
    if (Of.IsLinear && LastCall.Rows > 4000)
      EXPECT_GT(PredictedHere, LastCall.Rows / 12);
    for (int Case = 0; Case < Of.Cases && !testing::Test::HasFailure(); ++Case) {
      SCOPED_TRACE("case " + std::to_string(Case));
      Assign(changed(Regular, Engine));
      for (int Changes = upTo(Engine, 3); Changes >= 0; --Changes) {
        Predicted += K.compare(Call, A.Y);
        A.change(Engine);
      }
    }
  }
  EXPECT_EQ(Predicted > 1000 * uint64_t(Of.Cases), Of.IsLinear);
}

const auto Plainly = [](auto *F, auto &A) {
  F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
};

TEST(RunPrediction, OverRowsOfProducts) {
  compareProducts<int, int>("products", &products, Plainly, {.Cases = 40, .EveryPattern = 1});
}

TEST(RunPrediction, OverRowsWithLongIndices) {
  compareProducts<int64_t, int64_t>("products_of_longs", &products_of_longs, Plainly);
}

TEST(RunPrediction, OverRowsWithSizes) {
  compareProducts<size_t, unsigned>("products_of_sizes", &products_of_sizes, Plainly);
}

TEST(RunPrediction, OverRowsWithShortIndices) {
  compareProducts<unsigned, uint16_t>("products_of_shorts", &products_of_shorts, Plainly);
}

TEST(RunPrediction, FromTheLastRowToTheFirst) {
  compareProducts<int, int>("products_backwards", &products_backwards, Plainly,
                            {.EveryPattern = 1});
}

TEST(RunPrediction, OverNegativeColumns) {
  compareProducts<int, int>("differences", &differences, Plainly,
                            {.ShiftOf = [](size_t Rows) { return -int64_t(Rows / 2); }});
}

TEST(RunPrediction, OverRowsOfTwoLoops) { compareProducts<int, int>("pairs", &pairs, Plainly); }

TEST(RunPrediction, OverRowsWithBranches) {
  compareProducts<int, int>("diagonals", &diagonals, Plainly, {.EveryPattern = 1});
}

TEST(RunPrediction, OverLoopsThatEndEarly) {
  compareProducts<int, int>("lower_parts", &lower_parts, Plainly);
}

TEST(RunPrediction, OverSeveralColumns) {
  compareProducts<int, int>("wide_products", &wide_products, [](auto *F, auto &A) {
    F(A.rows(), 3, A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
  });
}

TEST(RunPrediction, OverRowsThatAListNames) {
  for (const int Step : {1, 3, -1}) {
    AtTheEnd<int> List;
    compareProducts<int, int>("listed_rows", &listed_rows,
                              [&](auto *F, auto &A) {
                                const int Size = A.rows() / std::abs(Step);
                                std::vector<int> Rows;
                                for (int I = 0; I < Size; ++I)
                                  Rows.push_back(Step > 0 ? I * Step : Size - 1 - I);
                                if (List.size() != Rows.size())
                                  List.assign(Rows);
                                F(Size, List.data(), A.Ptr.data(), A.Col.data(), A.Val.data(),
                                  A.X.data(), A.Y.data());
                              },
                              {.Cases = 6, .Scale = 6});
  }
}

TEST(RunPrediction, IsNotForLoopsThatAreNotLinear) {
  const Comparison None = {.IsLinear = false, .Cases = 2, .EveryPattern = 4};
  compareProducts<int, int>("low_parts", &low_parts, Plainly, None);
  compareProducts<int, int>("squared", &squared, Plainly, None);
  compareProducts<int, int>("spread", &spread, Plainly, None);
  Comparison OfWrapped = None;
  OfWrapped.ShiftOf = [](size_t Rows) { return -int64_t(Rows); };
  compareProducts<unsigned, unsigned>("wrapped", &wrapped, Plainly, OfWrapped);
  compareProducts<int, int>(
      "filled", &filled,
      [](auto *F, auto &A) { F(A.rows(), A.Ptr.data(), A.Val.data(), A.Y.data()); }, None);
  compareProducts<int, int>(
      "numbered", &numbered,
      [](auto *F, auto &A) {
        F(std::min(A.rows(), int(A.Col.size()) / 2), A.Ptr.data(), A.Col.data(), A.X.data(),
          A.Y.data());
      },
      None);
  std::vector<int> Lengths;
  compareProducts<int, int>(
      "lengths", &lengths,
      [&](auto *F, auto &A) {
        Lengths.clear();
        for (size_t I = 0; I + 1 < A.Ptr.size(); ++I)
          Lengths.push_back(A.Ptr[I + 1] - A.Ptr[I]);
        F(A.rows(), Lengths.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
      },
      None);
}

/// Some columns are none.
TEST(RunPrediction, OverPaddedRows) {
  Random Engine(3);
  constexpr int N = 6000, Width = 3;
  const std::vector<double> Val = {1, 2, 3};
  const std::vector<double> X(N, 0.5);
  std::vector<double> Y(N);
  AtTheEnd<int> Col;
  const auto Run = [&](decltype(&padded) F) {
    F(N, Width, Col.data(), Val.data(), X.data(), Y.data());
  };
  const auto Regular = [&] {
    std::vector<int> Columns;
    for (int I = 0; I < N; ++I)
      for (int K = 0; K < Width; ++K)
        Columns.push_back(I + K < N - 50 ? I + K : -1);
    return Columns;
  };
  Col.assign(Regular());
  const WalkedKernel<decltype(padded)> K("padded", &padded, Run);
  ASSERT_TRUE(K.hasVersion());
  ASSERT_TRUE(K.isLinear());
  EXPECT_GT(K.compare(Run, Y), N / 2u);
  for (int Case = 0; Case < 200; ++Case) {
    auto Columns = Regular();
    for (int Changes = upTo(Engine, 5); Changes > 0; --Changes)
      Columns[size_t(upTo(Engine, N * Width - 1))] = upTo(Engine, N) - 1;
    Col.assign(Columns);
    K.compare(Run, Y);
  }
}

TEST(RunPrediction, OverRowsWithoutLoops) {
  Random Engine(3);
  constexpr int N = 6000;
  const std::vector<double> X(2 * N, 0.5);
  std::vector<double> Y(N);
  AtTheEnd<int> Col;
  AtTheEnd<signed char> Kind;
  std::vector<signed char> Kinds(N);
  const auto Run = [&](decltype(&gathered) F) {
    F(N, Kind.data(), Col.data(), X.data(), Y.data());
  };
  const auto Regular = [&] {
    std::vector<int> Columns;
    for (int I = 0; I < N; ++I) {
      Columns.push_back(2 * I);
      Kinds[size_t(I)] = static_cast<signed char>(I / 1000 - 1);
    }
    return Columns;
  };
  Col.assign(Regular());
  Kind.assign(Kinds);
  const WalkedKernel<decltype(gathered)> K("gathered", &gathered, Run);
  ASSERT_TRUE(K.hasVersion());
  ASSERT_TRUE(K.isLinear());
  EXPECT_GT(K.compare(Run, Y), N / 2u);
  for (int Case = 0; Case < 300; ++Case) {
    auto Columns = Regular();
    for (int Changes = upTo(Engine, 4); Changes > 0; --Changes) {
      Columns[size_t(upTo(Engine, N - 1))] = upTo(Engine, N - 1);
      Kinds[size_t(upTo(Engine, N - 1))] = static_cast<signed char>(upTo(Engine, 4) - 2);
    }
    Col.assign(Columns);
    Kind.assign(Kinds);
    K.compare(Run, Y);
  }
}

/// Memory contains the predicted values, but the rows belong to other classes.
TEST(RunPrediction, EndsWhereControlChanges) {
  constexpr int N = 6000, Room = 4 * N;
  const std::vector<double> X(Room, 0.5);
  std::vector<double> Y(N);
  std::vector<int> Columns, Begins, Ends;
  for (int I = 0; I < Room; ++I)
    Columns.push_back(2 * I % Room);
  for (int I = 0; I < N; ++I) {
    Begins.push_back(I);
    Ends.push_back(0);
  }
  int Limit = N;
  const auto RunLimited = [&](decltype(&limited) F) {
    F(N, Limit, Columns.data(), X.data(), Y.data());
  };
  const WalkedKernel<decltype(limited)> Limited("limited", &limited, RunLimited);
  ASSERT_TRUE(Limited.hasVersion() && Limited.isLinear());
  for (int Case = 0; Case < 300; ++Case, Limit += 31)
    EXPECT_GT(Limited.compare(RunLimited, Y), N / 2u);
  AtTheEnd<int> End;
  const auto RunSampled = [&](decltype(&sampled) F) {
    F(N, Begins.data(), End.data(), Columns.data(), X.data(), Y.data());
  };
  for (const int Faster : {1, 2}) {
    for (int I = 0; I < N; ++I)
      Ends[size_t(I)] = 400 + I * Faster;
    End.assign(Ends);
    const WalkedKernel<decltype(sampled)> Sampled("sampled", &sampled, RunSampled);
    ASSERT_TRUE(Sampled.hasVersion() && Sampled.isLinear());
    EXPECT_EQ(Sampled.compare(RunSampled, Y) > 0, Faster == 1);
  }
}

TEST(RunPrediction, EndsWhereIntegersChangeTheirSign) {
  Arrays<unsigned, uint16_t> A;
  A.assign(bandPattern(40000, 1));
  const auto Run = [&](decltype(&products_of_shorts) F) { Plainly(F, A); };
  const WalkedKernel<decltype(products_of_shorts)> K("products_of_shorts", &products_of_shorts,
                                                     Run);
  ASSERT_TRUE(K.hasVersion() && K.isLinear());
  EXPECT_GT(K.compare(Run, A.Y), 20000u);
}

/// At first it lies near what was read before.
TEST(RunPrediction, EndsWhereWhatDecidesLiesFarAway) {
  Arrays<int, int> A;
  A.assign(bandPattern(130000, 0));
  std::vector<int> Apart, List(90000);
  for (int I = 0; I < 200; ++I)
    Apart.push_back(600 * I);
  std::iota(List.begin(), List.end(), 0);
  List.insert(List.end(), Apart.begin(), Apart.end());
  const auto RunWith = [&](const std::vector<int> &Rows) {
    return [&](decltype(&listed_rows) F) {
      F(static_cast<int>(Rows.size()), Rows.data(), A.Ptr.data(), A.Col.data(), A.Val.data(),
        A.X.data(), A.Y.data());
    };
  };
  const WalkedKernel<decltype(listed_rows)> K("listed_rows", &listed_rows, RunWith(Apart));
  ASSERT_TRUE(K.hasVersion() && K.isLinear());
  K.compare(RunWith(List), A.Y);
}

/// Who writes the same again and again has rows walked twice, not more.
TEST(RunPrediction, IsSoFastThatAtFirstNothingIsCopied) {
  if (!ProcessWatches::current()->pages())
    GTEST_SKIP() << "this kernel keeps no record of pages, or does not let us ask for it";
  Arrays<int, int> A;
  A.assign(bandPattern(150000, 1));
  const auto Run = [&](Products *F) { Plainly(F, A); };
  const WalkedKernel<Products> K("products", &products, Run);
  ASSERT_TRUE(K.hasVersion());
  const RowVersion &V = K.version();
  V.begin();
  const auto Call = [&] { Run(reinterpret_cast<Products *>(V.Body)); };
  Call();
  Call();
  ASSERT_EQ(V.figures().Calls, 2u);
  ASSERT_GT(V.figures().RowsPredicted, 75000u);
  EXPECT_THAT(rowsJson(V.Rows)["text"].get<std::string>(),
              testing::HasSubstr(" rows by comparison alone"));
  EXPECT_EQ(V.figures().Inspections, 1u);
  for (uint64_t Calls = 3; Calls < 8; ++Calls) {
    volatile int &Written = A.Col[100000];
    Written = int{Written};
    Call();
    EXPECT_EQ(V.figures().Calls, Calls);
    EXPECT_EQ(V.figures().Inspections, 2u);
    EXPECT_EQ(V.figures().Changes, 1u);
  }
  A.Col[100000] = 7;
  Call();
  EXPECT_EQ(V.figures().Inspections, 3u);
}

/// Values that the loop overwrites before it reads them must not be predicted.
TEST(RunPrediction, EndsWhereRowsWriteWhatDecides) {
  constexpr int N = 12000;
  std::vector<int> Memory(3 * N), X(2 * N);
  for (int I = 0; I < 2 * N; ++I)
    X[size_t(I)] = I / 2;
  int Distance = 2 * N;
  std::vector<int> Fresh(3 * N);
  for (int I = 0; I < 3 * N; ++I)
    Fresh[size_t(I)] = I % N;
  const auto Run = [&](decltype(&renamed) F) {
    F(N, Memory.data(), X.data(), Memory.data() + Distance);
  };
  Memory = Fresh;
  const WalkedKernel<decltype(renamed)> K("renamed", &renamed, Run);
  ASSERT_TRUE(K.hasVersion());
  ASSERT_TRUE(K.isLinear());
  for (const int D : {2 * N, N, N - 1, N / 2, 5000, 100, 20, 1}) {
    Distance = D;
    Memory = Fresh;
    const uint64_t Predicted = K.compare(Run, Memory);
    if (D >= N)
      EXPECT_GT(Predicted, N / 2u);
    else
      EXPECT_LT(Predicted, static_cast<uint64_t>(D));
  }
}

} // namespace
