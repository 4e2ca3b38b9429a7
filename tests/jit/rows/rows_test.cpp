//===- tests/jit/rows/rows_test.cpp - code for classes of rows, bit for bit ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/jit/rows/kernel.h"
#include "tests/jit/rows/row_versions.h"
#include "tests/jit/rows/sparse_rows.h"
#include "tests/runtime/watch/fixture.h"
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

extern "C" {
void csr(int, const int *, const int *, const double *, const double *, double *);
void csr_added(int, double, const int *, const int *, const double *, const double *, double *);
void csr_reversed(int, const int *, const int *, const double *, const double *, double *);
void csr_long(int64_t, const int64_t *, const int64_t *, const double *, const double *, double *);
void csr_unsigned(unsigned, const unsigned *, const unsigned *, const double *, const double *,
                  double *);
void csr_short(int, const int *, const uint16_t *, const double *, const double *, double *);
void csr_floats(int, const int *, const int *, const float *, const float *, float *);
void off_diagonal(int, const int *, const int *, const double *, const double *, double *);
void gauss_seidel(int, const int *, const int *, const double *, const double *, double *);
void sweeps(int, const int *, const int *, const double *, const double *, double *);
void sweep_floats(int, const int *, const int *, const float *, const float *, float *);
void block_sweep(int, int, const int *, const int *, const double *, const double *, double *);
void row_updates(int, const int *, const int *, double *);
void listed_sweep(int, const int *, const int *, const int *, const double *, double *);
void spmm(int, int, const int *, const int *, const double *, const double *, double *);
void followed(int, int, int, const int *, const int *, const double *, const double *, double *);
void ell(int, int, const int *, const double *, const double *, double *);
void two_products(int, const int *, const int *, const double *, const double *, double *,
                  double *);
void segments(int, const int *, const int *, const int *, const double *, const double *, double *);
void merged(int, const int *, const int *, const double *, double *);
void incomplete_cholesky(int, const int *, const int *, const double *, double *);
void searched(int, const int *, const int *, const double *, const double *, double *);
void exponentials(int, const int *, const int *, const double *, const double *, double *);
void own_index(int, int *, const double *, double *);
void chained(int, int, const int *, const double *, double *);
void made_on_the_way(int, const int *, int *, const int *, const double *, double *);
}

using namespace specrt;

namespace {

using Plain = Sparse<int, int, double>;

constexpr int Cases = 500; // of each kernel and candidate

#define PRODUCT(Test, Name, ...)                                                                   \
  TEST(Rows, Test) {                                                                               \
    using Matrix = Sparse<__VA_ARGS__>;                                                            \
    rowKernel<Matrix>(#Name, &Name, [](decltype(&Name) F, Matrix &A) {                             \
      F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());               \
    }).compareMany(Cases);                                                                         \
  }
PRODUCT(Product, csr, int, int, double)
PRODUCT(FromTheLastRow, csr_reversed, int, int, double)
PRODUCT(LongIndices, csr_long, int64_t, int64_t, double)
PRODUCT(UnsignedIndices, csr_unsigned, unsigned, unsigned, double)
PRODUCT(ShortIndices, csr_short, int, uint16_t, double)
PRODUCT(Floats, csr_floats, int, int, float)
PRODUCT(BranchOnAnIndex, off_diagonal, int, int, double)
PRODUCT(Sweeps, sweeps, int, int, double)
PRODUCT(SweepOfFloats, sweep_floats, int, int, float)
PRODUCT(SweepWithABranch, gauss_seidel, int, int, double)
PRODUCT(LoopsThatEndEarly, searched, int, int, double)
PRODUCT(CallsThatReportErrors, exponentials, int, int, double)
#undef PRODUCT

TEST(Rows, ThreadsShareTheCodeOfOneThreadButNoSparseLoop) {
  const auto Versions =
      rowKernel<Plain>("csr", &csr, [](decltype(&csr) F, Plain &A) {
        F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
      }).versions();
  ASSERT_EQ(Versions->all().size(), 2u);
  const RowVersion &Shared = Versions->all()[0], &Alone = Versions->all()[1];
  EXPECT_EQ(Shared.Name, "rows-parallel");
  EXPECT_EQ(Alone.Name, "rows");
  EXPECT_NE(Shared.Body, Alone.Body);
  ASSERT_NE(Shared.Rows, Alone.Rows);
  EXPECT_EQ(Shared.Rows->is_parallel, 1u);
  EXPECT_EQ(Alone.Rows->is_parallel, 0u);
  EXPECT_TRUE(std::equal(std::begin(Shared.Rows->digest), std::end(Shared.Rows->digest),
                         std::begin(Alone.Rows->digest)));
}

TEST(Rows, AddedToWhatIsThere) {
  double Alpha = 1;
  rowKernel<Plain>("csr_added", &csr_added, [&](decltype(&csr_added) F, Plain &A) {
    F(A.rows(), Alpha, A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
  }).compareMany(Cases);
}

TEST(Rows, DenseColumns) {
  rowKernel<Plain>(
      "spmm", &spmm,
      [](decltype(&spmm) F, Plain &A) {
        F(A.rows(), 3, A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
      },
      3)
      .compareMany(Cases);
}

TEST(Rows, RestrictParametersOfWhatWasInlinedHoldForAnIteration) {
  constexpr int Columns = 24;
  for (const int Lag : {1, 3})
    rowKernel<Plain>(
        "followed", &followed,
        [&](decltype(&followed) F, Plain &A) {
          F(A.rows(), Columns, Lag, A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(),
            A.Y.data());
        },
        Columns)
        .compareMany(Cases / 8);
}

TEST(Rows, EqualLengths) {
  rowKernel<Plain>("ell", &ell, [](decltype(&ell) F, Plain &A) {
    F(A.rows(), 5, A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
  }).compareMany(Cases);
}

TEST(Rows, TwoLoops) {
  std::vector<double> T;
  rowKernel<Plain>("two_products", &two_products, [&](decltype(&two_products) F, Plain &A) {
    T.assign(A.Y.size() + 1, 0);
    F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), T.data(), A.Y.data());
  }).compareMany(Cases);
}

/// In ascending order; now and then two segments belong to the same row.
TEST(Rows, Segments) {
  std::vector<int> Row;
  rowKernel<Plain>("segments", &segments, [&](decltype(&segments) F, Plain &A) {
    const auto Size = static_cast<size_t>(A.rows());
    if (Row.size() != Size) {
      Row.resize(Size);
      for (size_t I = 0; I < Size; ++I)
        Row[I] = static_cast<int>(I);
      if (Size % 5 == 4)
        Row[Size / 2] = Row[Size / 2 - 1];
    }
    F(A.rows(), A.Ptr.data(), Row.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
  }).compareMany(Cases);
}

TEST(Rows, SweepOverSeveralUnknowns) {
  rowKernel<Plain>(
      "block_sweep", &block_sweep,
      [](decltype(&block_sweep) F, Plain &A) {
        F(A.rows(), 3, A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
      },
      3)
      .compareMany(Cases);
}

TEST(Rows, RowsThatUpdateThemselves) {
  rowKernel<Plain>("row_updates", &row_updates, [](decltype(&row_updates) F, Plain &A) {
    std::vector<double> L = A.Val;
    F(A.rows(), A.Ptr.data(), A.Col.data(), L.data());
    A.Y.assign(L.begin(), L.end());
  }).compareMany(Cases);
}

TEST(Rows, Merges) {
  rowKernel<Plain>("merged", &merged, [](decltype(&merged) F, Plain &A) {
    F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.Y.data());
  }).compareMany(Cases);
}

/// Numbers, and errno.
auto factorisation() {
  return rowKernel<Plain>("incomplete_cholesky", &incomplete_cholesky,
                          [](decltype(&incomplete_cholesky) F, Plain &A) {
                            std::vector<double> L(A.Val.size());
                            errno = 0;
                            F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), L.data());
                            L.push_back(errno);
                            A.Y.assign(L.begin(), L.end());
                          });
}

TEST(Rows, IncompleteFactorisations) { factorisation().compareMany(Cases); }

TEST(Rows, RootsReportErrors) {
  auto K = factorisation();
  Random Engine(3);
  Pattern Lower = gridPattern(100, 100);
  for (size_t I = 0; I < Lower.size(); ++I)
    std::erase_if(Lower[I], [&](int Column) { return Column > static_cast<int>(I); });
  Plain A(Lower, 1, Engine);
  std::fill(A.Val.begin(), A.Val.end(), 0.25);
  const RowVersions Versions(K.Name, [&](void *Body) {
    K.Run(reinterpret_cast<decltype(&incomplete_cholesky)>(Body), A);
  });
  for (const RowVersion &V : Versions.all()) {
    for (const double Last : {1.0, -100.0, 2.0}) {
      A.Val.back() = Last; // of the last row: its root is of a negative number
      K.compare(V, A);
      K.Run(reinterpret_cast<decltype(&incomplete_cholesky)>(V.Body), A);
      EXPECT_EQ(A.Y.back(), Last < 0 ? EDOM : 0);
    }
    EXPECT_EQ(V.figures().Calls, 6U) << V.Name << ": " << V.figures().Problem;
    EXPECT_GT(V.figures().RowsInLanes, 8000U);
  }
}

/// The program could find out that errno is in one of the arrays.
TEST(Rows, OfErrnoAreNone) {
  auto K = factorisation();
  const auto Versions = K.versions();
  Random Engine(3);
  Plain A(gridPattern(30, 1), 1, Engine);
  A.Ptr.resize(2);
  A.Col.resize(1);
  A.Val.resize(1);
  const int Before = errno;
  for (const RowVersion &V : Versions->all()) {
    int *const Columns = &errno; // one row of one entry
    double L = 0, Expected = 0;
    const int Ptr[] = {0, 1};
    errno = 0;
    incomplete_cholesky(1, Ptr, Columns, A.Val.data(), &Expected);
    reinterpret_cast<decltype(&incomplete_cholesky)>(V.Body)(1, Ptr, Columns, A.Val.data(), &L);
    EXPECT_EQ(L, Expected);
    EXPECT_EQ(V.figures().Calls, 0U);
  }
  errno = Before;
}

TEST(Rows, SweepInTheOrderOfAList) {
  std::vector<int> List;
  rowKernel<Plain>("listed_sweep", &listed_sweep, [&](decltype(&listed_sweep) F, Plain &A) {
    const auto Size = static_cast<size_t>(A.rows());
    if (List.size() != Size) {
      List.resize(Size);
      for (size_t I = 0; I < Size; ++I)
        List[I] = static_cast<int>(I * 7 % Size);
    }
    F(A.rows(), List.data(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.Y.data());
  }).compareMany(Cases);
}

/// Processors do not prefetch reads whose distance is a row.
TEST(Rows, InVectorsAskAheadForTheirValues) {
  const std::filesystem::path Folder = testing::TempDir() + "specrt-rows-ahead";
  Random Engine(1);
  Plain A(gridPattern(40, 40), 1, Engine);
  const RowVersions Versions(
      "csr",
      [&](void *Body) {
        reinterpret_cast<decltype(&csr)>(Body)(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(),
                                               A.X.data(), A.Y.data());
      },
      SPECRT_ROWS_KERNELS, Folder.c_str());
  EXPECT_EQ(Versions.all().size(), 2U);
  std::string Code;
  for (const auto &File : std::filesystem::recursive_directory_iterator(Folder))
    if (File.path().filename() == "rows.after.ll" ||
        File.path().filename() == "rows-parallel.after.ll") {
      std::ifstream In(File.path());
      Code.append(std::istreambuf_iterator<char>(In), {});
    }
  std::filesystem::remove_all(Folder);
  // A vector of two rows reads 80 bytes of values, one of four 160.
  size_t Asked = 0;
  for (size_t At = Code.find("call void @llvm.prefetch"); At != Code.npos;
       At = Code.find("call void @llvm.prefetch", At + 1))
    ++Asked;
  EXPECT_GE(Asked, 2U);
}

TEST(Rows, OnAGridAreDoneInWavefronts) {
  auto K = rowKernel<Plain>("gauss_seidel", &gauss_seidel, [](decltype(&gauss_seidel) F, Plain &A) {
    F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
  });
  const auto Versions = K.versions();
  Random Engine(3);
  Plain A(gridPattern(100, 100), 1, Engine);
  for (const RowVersion &V : Versions->all()) {
    for (int Call = 0; Call < 5; ++Call)
      K.compare(V, A);
    EXPECT_EQ(V.figures().Calls, 5U) << V.Name << ": " << V.figures().Problem;
    EXPECT_EQ(V.figures().Levels, 199U);
    EXPECT_LT(V.figures().MergedLevels, 40U);
    EXPECT_GT(V.figures().RowsInClasses, 9000U);
    EXPECT_GT(V.figures().RowsInLanes, 8000U);
  }
}

TEST(Rows, ThatFollowOneAnotherRunAsTheyWereWritten) {
  auto K = rowKernel<Plain>("gauss_seidel", &gauss_seidel, [](decltype(&gauss_seidel) F, Plain &A) {
    F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
  });
  const auto Versions = K.versions();
  Random Engine(3);
  Plain A(gridPattern(1000, 1), 1, Engine);
  for (const RowVersion &V : Versions->all()) {
    for (int Call = 0; Call < 5; ++Call)
      K.compare(V, A);
    EXPECT_EQ(V.figures().Calls, 0U);
    EXPECT_EQ(V.figures().Inspections + V.figures().TakenOver, 1U);
    EXPECT_EQ(V.figures().Problem, "each row waits for the one before it");
  }
}

/// Several threads call the same version at the same time.
TEST(Rows, SweepsOfSeveralThreads) {
  auto K = rowKernel<Plain>("sweeps", &sweeps, [](decltype(&sweeps) F, Plain &A) {
    F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
  });
  const auto Versions = K.versions();
  Random Engine(5);
  const Plain Common(gridPattern(100, 100), 1, Engine);
  for (const RowVersion &V : Versions->all()) {
    std::vector<std::thread> Threads;
    for (unsigned I = 0; I < 4; ++I)
      Threads.emplace_back([&, I] {
        Random Mine(I);
        std::vector<double> Expected = someNumbers<double>(10000, Mine), X = Expected;
        auto Run = [&](decltype(&sweeps) F, std::vector<double> &Into) {
          F(10000, Common.Ptr.data(), Common.Col.data(), Common.Val.data(), Common.X.data(),
            Into.data());
        };
        for (int Use = 0; Use < 50; ++Use) {
          Run(&sweeps, Expected);
          Run(reinterpret_cast<decltype(&sweeps)>(V.Body), X);
        }
        EXPECT_TRUE(same(X, Expected));
      });
    for (std::thread &T : Threads)
      T.join();
    EXPECT_GT(V.figures().Calls, 0U) << V.Name << ": " << V.figures().Problem;
  }
}

/// Another number from outside is no other matrix.
TEST(Rows, FactorsAreNoPartOfAPattern) {
  double Alpha = 1;
  auto K = rowKernel<Plain>("csr_added", &csr_added, [&](decltype(&csr_added) F, Plain &A) {
    F(A.rows(), Alpha, A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
  });
  const auto Versions = K.versions();
  Random Engine(3);
  Plain A(gridPattern(20, 20), 1, Engine);
  uint64_t Walks = 0;
  for (const RowVersion &V : Versions->all()) {
    for (int Call = 0; Call < 10; ++Call, Alpha += 0.5)
      K.compare(V, A);
    Walks += V.figures().Inspections;
    EXPECT_EQ(V.figures().Inspections + V.figures().TakenOver, 1U);
    EXPECT_EQ(V.figures().Calls, 10U);
  }
  EXPECT_EQ(Walks, 1U) << "of all versions";
}

TEST(Rows, ResultsThatLieWhereOperandsAre) {
  double *Result = nullptr;
  auto K = rowKernel<Plain>("csr", &csr, [&](decltype(&csr) F, Plain &A) {
    F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), Result ? Result : A.Y.data());
  });
  const auto Versions = K.versions();
  Random Engine(3);
  Plain A(gridPattern(20, 20), 1, Engine);
  for (const RowVersion &V : Versions->all()) {
    Result = nullptr;
    K.compare(V, A);
    EXPECT_EQ(V.figures().Calls, 1U);
    for (auto *Operand : {&A.X, &A.Val}) {
      const auto Before = *Operand;
      Result = Operand->data();
      K.Run(&csr, A);
      const auto Expected = *Operand;
      std::copy(Before.begin(), Before.end(), Operand->begin());
      K.Run(reinterpret_cast<decltype(&csr)>(V.Body), A);
      EXPECT_TRUE(same(*Operand, Expected));
      std::copy(Before.begin(), Before.end(), Operand->begin());
    }
    EXPECT_EQ(V.figures().Calls, 1U);
    EXPECT_EQ(V.figures().Refused, 2U);
  }
}

TEST(Rows, IndicesThatTheLoopWritesItself) {
  std::vector<int> Index(100, 0);
  std::vector<double> X(100, 1), Y(100);
  const RowVersions Versions("own_index", [&](void *Body) {
    reinterpret_cast<decltype(&own_index)>(Body)(100, Index.data(), X.data(), Y.data());
  });
  EXPECT_EQ(Versions.rowLoops(), 0U);
}

/// The inspector must not follow integers that the loop overwrites before it reads them.
TEST(Rows, IndicesMadeOnTheWay) {
  constexpr int N = 300;
  std::vector<int> Begin(N + 8), Next(N + 8), Table(N + 8);
  for (int I = 0; I < N + 8; ++I)
    Begin[size_t(I)] = Table[size_t(I)] = I;
  std::vector<double> X(N + 8), Expected(N), Y(N);
  for (size_t I = 0; I < X.size(); ++I)
    X[I] = 1.0 / double(I + 1);
  const RowVersions Versions("made_on_the_way", [&](void *Body) {
    reinterpret_cast<decltype(&made_on_the_way)>(Body)(N, Begin.data(), Next.data(), Table.data(),
                                                       X.data(), Y.data());
  });
  ASSERT_EQ(Versions.all().size(), 2U);
  made_on_the_way(N, Begin.data(), Next.data(), Table.data(), X.data(), Expected.data());
  for (const RowVersion &V : Versions.all()) {
    auto *F = reinterpret_cast<decltype(&made_on_the_way)>(V.Body);
    F(N, Begin.data(), Next.data(), Table.data(), X.data(), Y.data());
    EXPECT_TRUE(same(Y, Expected));
    EXPECT_EQ(V.figures().Calls, 1U);
    std::vector<int> Raw(N + 8, 0x7f000000);
    Raw[0] = 0;
    std::fill(Y.begin(), Y.end(), 0);
    F(N, Raw.data(), Raw.data() + 1, Table.data(), X.data(), Y.data());
    EXPECT_TRUE(same(Y, Expected));
    EXPECT_EQ(V.figures().Calls, 1U);
  }
}

/// What a row gives to the next one is in no order: nobody can load it in the next one.
TEST(Rows, ThatSayAnywhereInWhichTheNextOneReads) {
  constexpr int N = 5000;
  Random Engine(3);
  std::vector<int> Next(N);
  for (int &One : Next)
    One = upTo(Engine, N - 1);
  const std::vector<double> X = someNumbers<double>(N, Engine);
  std::vector<double> Expected(N), Y(N);
  chained(N, 7, Next.data(), X.data(), Expected.data());
  const RowVersions Versions("chained", [&](void *Body) {
    reinterpret_cast<decltype(&chained)>(Body)(N, 7, Next.data(), X.data(), Y.data());
  });
  for (const RowVersion &V : Versions.all()) {
    std::fill(Y.begin(), Y.end(), 0);
    reinterpret_cast<decltype(&chained)>(V.Body)(N, 7, Next.data(), X.data(), Y.data());
    EXPECT_TRUE(same(Y, Expected)) << V.Name << ", " << V.figures().Calls << " calls";
  }
}

TEST(Rows, ThreadsWithMatricesOfTheirOwn) {
  auto K = rowKernel<Plain>("csr", &csr, [](decltype(&csr) F, Plain &A) {
    F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
  });
  const auto Versions = K.versions();
  for (const RowVersion &V : Versions->all()) {
    std::vector<std::thread> Threads;
    for (unsigned Seed = 1; Seed <= 4; ++Seed)
      Threads.emplace_back([&, Seed] {
        Random Engine(Seed);
        for (int Round = 0; Round < 10; ++Round) {
          Pattern Rows = somePattern(Engine);
          Plain A(Rows, 1, Engine);
          for (int Use = 0; Use < 10; ++Use)
            K.compare(V, A);
        }
      });
    for (std::thread &T : Threads)
      T.join();
    EXPECT_GT(V.figures().Calls, 0U);
  }
}

/// Whether comparison sees what pages see.
TEST(Rows, ProductWithComparison) {
  const WithMode Mode(WatchMode::Compare);
  rowKernel<Plain>("csr", &csr, [](decltype(&csr) F, Plain &A) {
    F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
  }).compareMany(Cases);
}

TEST(Rows, ProductWithPages) {
  const WithMode Mode(WatchMode::Pages);
  rowKernel<Plain>("csr", &csr, [](decltype(&csr) F, Plain &A) {
    F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
  }).compareMany(Cases);
}

/// Code for rows of no class would be the loop as it was written.
TEST(Rows, ThatAreNotAlikeAreForThreadsOnly) {
  Random Engine(4);
  Pattern Rows(40);
  for (size_t I = 0; I < Rows.size(); ++I)
    for (size_t K = 0; K < I * 17 % 41; ++K)
      Rows[I].push_back(upTo(Engine, 39));
  Plain A(Rows, 1, Engine);
  const RowVersions Versions("csr", [&](void *Body) {
    reinterpret_cast<decltype(&csr)>(Body)(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(),
                                           A.X.data(), A.Y.data());
  });
  ASSERT_EQ(Versions.all().size(), 1U);
  EXPECT_EQ(Versions.all().front().Name, "rows-parallel");
}

} // namespace
