//===- tests/jit/fusion/fused_loops_test.cpp - loops over one matrix that take turns ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices are small here, so caches are said to be smaller still.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/reasons.h"
#include "runtime/rows/data_caches.h"
#include "tests/jit/rows/kernel.h"
#include <atomic>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace specrt;

extern "C" {
using Kernel = void(int, const int *, const int *, const double *, const double *, double *,
                    double *);
Kernel twice, twice_descending, smooth, transposed, jacobi, scaled;
void renumbered(int, const int *, const int *, const double *, const double *, int *, double *);
void shifted(int, const int *, const int *, const double *, const double *, double *, double *,
             const double *);
void chained(int, const int *, const int *, const double *, const double *, int *, double *,
             const double *);
}

namespace {

constexpr int Cases = 150; // of each candidate

struct SmallCaches {
  SmallCaches() {
    cachedBytes() = 8192;
    fusedStepBytes() = 2048;
  }
  ~SmallCaches() {
    cachedBytes() = Cached;
    fusedStepBytes() = Step;
  }
  const double Cached = cachedBytes(), Step = fusedStepBytes();
};

/// Results of both loops are in Y, those of the first one in front.
struct TwoResults : Sparse<int, int, double> {
  TwoResults(const Pattern &Rows, Random &Engine) : Sparse(Rows, 1, Engine) {
    Y.resize(X.size() + std::max(X.size(), Val.size()));
    renew(Engine);
  }
  /// Other numbers, where they were. Few are such that nothing else can be told behind them.
  void renew(Random &Engine) {
    for (auto *Numbers : {&Val, &X, &Y})
      for (double &Number : *Numbers)
        Number = upTo(Engine, 5000) == 0 ? someNumber<double>(Engine)
                                         : std::uniform_real_distribution<double>(-2, 3)(Engine);
  }
  double *first() { return Y.data(); }
  double *second() { return Y.data() + X.size(); }
  template <typename Function> void call(Function *F) {
    F(rows(), Ptr.data(), Col.data(), Val.data(), X.data(), first(), second());
  }
};

/// Large enough that rows are not all in one step.
Pattern largePattern(Random &Engine) {
  Pattern Rows;
  switch (upTo(Engine, 5)) {
  case 0:
    Rows = bandPattern(400 + upTo(Engine, 1500), 1 + upTo(Engine, 3));
    break;
  case 1:
    Rows = blockPattern(3 + upTo(Engine, 4), 20 + upTo(Engine, 30), 3);
    break;
  case 2:
    Rows = randomPattern(200 + upTo(Engine, 600), 7, Engine);
    break;
  default:
    Rows = gridPattern(20 + upTo(Engine, 40), 60 + upTo(Engine, 100));
  }
  for (int I = std::max(0, upTo(Engine, 5) - 2); I > 0; --I)
    spoil(Rows, Engine);
  return Rows;
}

/// Where rows wait for each other and threads share them, loops take no turns.
enum class Turns { Always, OfOneThread, OfThreads };

struct FusedKernel {
  const char *Name;
  Kernel *Original;
  Turns Taken = Turns::Always;
};
void PrintTo(const FusedKernel &K, std::ostream *Out) { *Out << K.Name; }

RowVersions versionsOf(const char *Name, const std::function<void(void *)> &Call) {
  return RowVersions(Name, Call, SPECRT_FUSION_KERNELS);
}

class FusedLoops : public testing::TestWithParam<FusedKernel> {
protected:
  const SmallCaches Caches;
};

TEST_P(FusedLoops, ComputeWhatTheyWouldOneAfterTheOther) {
  const auto &[Name, Original, Taken] = GetParam();
  Random Engine(1);
  TwoResults Shown(gridPattern(20, 40), Engine);
  const RowVersions Versions =
      versionsOf(Name, [&](void *Body) { Shown.call(reinterpret_cast<Kernel *>(Body)); });
  ASSERT_EQ(Versions.all().size(), 2U) << lastLog();
  if (Taken == Turns::OfOneThread) // rows come some hundred earlier than in the program, or later
    cachedBytes() = 1 << 17;
  for (const RowVersion &V : Versions.all()) {
    SCOPED_TRACE(V.Name);
    Random Engine(2);
    uint64_t Fused = 0;
    for (int Case = 0; Case < Cases && !HasFailure(); Case += 3) {
      V.begin();
      TwoResults A(largePattern(Engine), Engine);
      for (int Use = 0; Use < 3; ++Use) {
        TwoResults Expected = A;
        Expected.call(Original);
        A.call(reinterpret_cast<Kernel *>(V.Body));
        EXPECT_TRUE(same(A.Y, Expected.Y)) << A.rows() << " rows";
        A.renew(Engine);
        if (Use == 1 && upTo(Engine, 3) == 0 && !A.Col.empty())
          A.Col[static_cast<size_t>(upTo(Engine, int(A.Col.size()) - 1))] =
              upTo(Engine, A.rows() - 1);
      }
      Fused += V.figures().FusedCalls;
    }
    if (Taken != (V.Name == "rows" ? Turns::OfThreads : Turns::OfOneThread))
      EXPECT_GT(Fused, static_cast<uint64_t>(Cases) / 10) << V.figures().FusionProblem;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, FusedLoops,
                         testing::Values(FusedKernel{"twice", &twice},
                                         FusedKernel{"twice_descending", &twice_descending},
                                         FusedKernel{"smooth", &smooth, Turns::OfOneThread},
                                         FusedKernel{"transposed", &transposed, Turns::OfOneThread},
                                         FusedKernel{"jacobi", &jacobi},
                                         FusedKernel{"scaled", &scaled, Turns::OfThreads}),
                         [](const auto &Of) { return std::string(Of.param.Name); });

class FusedCalls : public testing::Test {
protected:
  /// A matrix of its own again and again.
  static bool areRight(const RowVersion &V, unsigned Seed) {
    Random Engine(Seed);
    bool AreRight = true;
    for (int Case = 0; Case < 6; ++Case) {
      TwoResults A(gridPattern(20 + upTo(Engine, 10), 80), Engine);
      for (int Use = 0; Use < 8; ++Use) {
        A.renew(Engine);
        TwoResults Expected = A;
        Expected.call(&twice);
        A.call(reinterpret_cast<Kernel *>(V.Body));
        AreRight &= static_cast<bool>(same(A.Y, Expected.Y));
      }
    }
    return AreRight;
  }

  const SmallCaches Caches;
  Random Engine{4};
  TwoResults Shown{gridPattern(20, 80), Engine};
  const RowVersions Versions =
      versionsOf("twice", [this](void *Body) { Shown.call(reinterpret_cast<Kernel *>(Body)); });
};

TEST_F(FusedCalls, OfManyThreads) {
  ASSERT_EQ(Versions.all().size(), 2U) << lastLog();
  for (const RowVersion &V : Versions.all()) {
    V.begin();
    std::vector<std::thread> Threads;
    std::atomic<int> Right{0};
    for (unsigned I = 0; I < 6; ++I)
      Threads.emplace_back([&, I] { Right += areRight(V, I); });
    for (std::thread &Each : Threads)
      Each.join();
    EXPECT_EQ(Right, 6);
    EXPECT_GT(V.figures().FusedCalls, 0U);
  }
}

TEST_F(FusedCalls, OfAChild) {
  ASSERT_EQ(Versions.all().size(), 2U) << lastLog();
  const RowVersion &V = Versions.all().back(); // of one thread
  V.begin();
  EXPECT_TRUE(areRight(V, 1));
  const uint64_t Fused = V.figures().FusedCalls;
  EXPECT_GT(Fused, 0U);
  const pid_t Child = fork();
  if (Child == 0)
    _exit(areRight(V, 2) && V.figures().FusedCalls > Fused ? 0 : 1);
  int Status = 1;
  ASSERT_EQ(waitpid(Child, &Status, 0), Child);
  EXPECT_EQ(Status, 0);
}

/// More matrices in turn than plans have been kept for, and one that can have none.
TEST_F(FusedCalls, OfManyMatrices) {
  ASSERT_EQ(Versions.all().size(), 2U) << lastLog();
  for (const RowVersion &V : Versions.all()) {
    V.begin();
    std::vector<TwoResults> All(12, TwoResults(gridPattern(20, 80), Engine));
    TwoResults Random(evenPattern(1600, 5, Engine), Engine);
    uint64_t Fused = 0;
    for (int Round = 0; Round < 5; ++Round) {
      Fused = V.figures().FusedCalls;
      for (TwoResults &A : All)
        for (TwoResults *Of : {&A, &Random}) {
          Of->renew(Engine);
          TwoResults Expected = *Of;
          Expected.call(&twice);
          Of->call(reinterpret_cast<Kernel *>(V.Body));
          EXPECT_TRUE(same(Of->Y, Expected.Y));
        }
    }
    EXPECT_EQ(V.figures().FusedCalls - Fused, All.size());
  }
}

TEST_F(FusedCalls, WithArraysThatChangePlaces) {
  ASSERT_EQ(Versions.all().size(), 2U) << lastLog();
  TwoResults A(gridPattern(25, 80), Engine);
  for (const RowVersion &V : Versions.all()) {
    V.begin();
    for (int Use = 0; Use < 12; ++Use) {
      A.renew(Engine);
      TwoResults Expected = A;
      const auto Call = [&](auto *F, TwoResults &Of) {
        double *First = Use % 2 ? Of.second() : Of.first(),
               *Second = Use % 2 ? Of.first() : Of.second();
        F(Of.rows(), Of.Ptr.data(), Of.Col.data(), Of.Val.data(), Of.X.data(), First, Second);
      };
      Call(&twice, Expected);
      Call(reinterpret_cast<Kernel *>(V.Body), A);
      EXPECT_TRUE(same(A.Y, Expected.Y));
    }
    EXPECT_GE(V.figures().FusedCalls, 8U);
  }
}

class LoopsApart : public testing::Test {
protected:
  /// Calls all versions of two products some times.
  void callTwice(const std::function<void(const RowFigures &)> &Check) {
    const RowVersions Versions =
        versionsOf("twice", [&](void *Body) { A.call(reinterpret_cast<Kernel *>(Body)); });
    ASSERT_FALSE(Versions.all().empty()) << lastLog();
    for (const RowVersion &V : Versions.all()) {
      V.begin();
      for (int Use = 0; Use < 4; ++Use)
        A.call(reinterpret_cast<Kernel *>(V.Body));
      EXPECT_EQ(V.figures().FusedCalls, 0U);
      Check(V.figures());
    }
  }

  const SmallCaches Caches;
  Random Engine{3};
  TwoResults A{gridPattern(20, 60), Engine};
};

TEST_F(LoopsApart, WhereTheFirstWritesWhatDecidesAboutTheSecond) {
  std::vector<int> Own(A.Col.size());
  const auto Call = [&](auto *F, TwoResults &Of) {
    F(Of.rows(), Of.Ptr.data(), Of.Col.data(), Of.Val.data(), Of.X.data(), Own.data(), Of.first());
  };
  const RowVersions Versions = versionsOf(
      "renumbered", [&](void *Body) { Call(reinterpret_cast<decltype(&renumbered)>(Body), A); });
  ASSERT_FALSE(Versions.all().empty()) << lastLog();
  for (const RowVersion &V : Versions.all()) {
    V.begin();
    for (int Use = 0; Use < 5; ++Use) {
      std::reverse(A.Col.begin(), A.Col.end()); // the next call finds other columns there
      TwoResults Expected = A;
      Call(&renumbered, Expected);
      std::fill(Own.begin(), Own.end(), 0);
      Call(reinterpret_cast<decltype(&renumbered)>(V.Body), A);
      EXPECT_TRUE(same(A.Y, Expected.Y));
    }
    EXPECT_EQ(V.figures().FusedCalls, 0U);
  }
}

TEST_F(LoopsApart, WhereTheFirstWritesWhatIsReadBetweenThem) {
  A.X.resize(2 * A.X.size(), 0.5);
  A.Y.resize(2 * A.X.size(), 0.5);
  const auto Middle = static_cast<size_t>(A.rows()) / 2;
  const auto Row = static_cast<size_t>(A.Ptr[Middle]);
  std::fill_n(A.X.begin(), A.X.size(), 0.5);
  std::fill(A.Val.begin(), A.Val.end(), 0.25);
  std::fill(A.Val.begin() + Row, A.Val.begin() + A.Ptr[Middle + 1], 0.0);
  for (size_t I = 0; I < A.X.size(); ++I)
    A.X[I] = 1 + static_cast<double>(I);
  const auto Call = [&](auto *F, TwoResults &Of, const double *By) {
    F(Of.rows(), Of.Ptr.data(), Of.Col.data(), Of.Val.data(), Of.X.data(), Of.first(), Of.second(),
      By);
  };
  const double Elsewhere = 7;
  const RowVersions Versions = versionsOf("shifted", [&](void *Body) {
    Call(reinterpret_cast<decltype(&shifted)>(Body), A, &Elsewhere);
  });
  ASSERT_EQ(Versions.all().size(), 2U) << lastLog();
  for (const RowVersion &V : Versions.all()) {
    SCOPED_TRACE(V.Name);
    V.begin();
    const auto Compare = [&](bool IsInside) {
      TwoResults Expected = A;
      for (TwoResults *Of : {&A, &Expected})
        Of->first()[Middle] = 3; // until the row is over
      Call(&shifted, Expected, IsInside ? Expected.first() + Middle : &Elsewhere);
      Call(reinterpret_cast<decltype(&shifted)>(V.Body), A,
           IsInside ? A.first() + Middle : &Elsewhere);
      EXPECT_TRUE(same(A.Y, Expected.Y));
    };
    for (int Use = 0; Use < 4; ++Use)
      Compare(/*IsInside=*/false);
    const uint64_t Fused = V.figures().FusedCalls;
    EXPECT_GT(Fused, 0U) << V.figures().FusionProblem;
    for (int Use = 0; Use < 4; ++Use)
      Compare(/*IsInside=*/true);
    EXPECT_EQ(V.figures().FusedCalls, Fused);
  }
}

TEST_F(LoopsApart, WhereWhatIsReadBetweenThemFollowsFromTheFirst) {
  std::vector<int> Own(A.X.size());
  const std::vector<double> By(16);
  const auto Call = [&](auto *F, TwoResults &Of) {
    std::fill(Own.begin(), Own.end(), INT32_MAX); // nobody may read that far
    F(Of.rows(), Of.Ptr.data(), Of.Col.data(), Of.Val.data(), Of.X.data(), Own.data(), Of.first(),
      By.data());
  };
  const RowVersions Versions = versionsOf(
      "chained", [&](void *Body) { Call(reinterpret_cast<decltype(&chained)>(Body), A); });
  ASSERT_FALSE(Versions.all().empty()) << lastLog();
  for (const RowVersion &V : Versions.all()) {
    V.begin();
    for (int Use = 0; Use < 5; ++Use) {
      A.renew(Engine);
      TwoResults Expected = A;
      Call(&chained, Expected);
      Call(reinterpret_cast<decltype(&chained)>(V.Body), A);
      EXPECT_TRUE(same(A.Y, Expected.Y));
    }
  }
}

/// Rows in no order wait for most of the others.
TEST_F(LoopsApart, WhereRowsWaitForMostOthers) {
  A = TwoResults(evenPattern(1200, 5, Engine), Engine);
  callTwice(
      [](const RowFigures &Seen) { EXPECT_EQ(Seen.FusionProblem, words(Reason::FusedRowsWait)); });
}

/// What caches keep is read again without taking turns.
TEST_F(LoopsApart, WhereCachesKeepTheirData) {
  cachedBytes() = 1e9;
  callTwice([](const RowFigures &Seen) { EXPECT_GT(Seen.Calls, 0U); });
}

} // namespace
