//===- tests/jit/rows/blocks_test.cpp - rows with the same columns in lanes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/data_caches.h"
#include "tests/jit/rows/kernel.h"

extern "C" {
void csr(int, const int *, const int *, const double *, const double *, double *);
void csr_added(int, double, const int *, const int *, const double *, const double *, double *);
void csr_reversed(int, const int *, const int *, const double *, const double *, double *);
void csr_long(int64_t, const int64_t *, const int64_t *, const double *, const double *, double *);
void csr_unsigned(unsigned, const unsigned *, const unsigned *, const double *, const double *,
                  double *);
void csr_floats(int, const int *, const int *, const float *, const float *, float *);
void off_diagonal(int, const int *, const int *, const double *, const double *, double *);
void gauss_seidel(int, const int *, const int *, const double *, const double *, double *);
}

using namespace specrt;

namespace {

using Plain = Sparse<int, int, double>;

/// For a while, more data than so many bytes are taken for read once.
struct Cached {
  explicit Cached(double Bytes) : Before(cachedBytes().exchange(Bytes)) {}
  ~Cached() { cachedBytes() = Before; }
  Cached(const Cached &) = delete;
  Cached &operator=(const Cached &) = delete;
  const double Before;
};

/// Compares calls with a matrix of blocks, and with what becomes of it by and by. Returns the least
/// share of its rows that were in blocks at first.
template <typename Matrix, typename Function, typename Call>
double compareBlocks(const RowKernel<Matrix, Function, Call> &K, int B) {
  Random Engine(5);
  Matrix Learned(blockPattern(12, 10, B), K.Columns, Engine);
  const RowVersions Versions(
      K.Name, [&](void *Body) { K.Run(reinterpret_cast<Function *>(Body), Learned); });
  double Least = 1;
  for (const RowVersion &V : Versions.all()) {
    SCOPED_TRACE(V.Name + ", blocks of " + std::to_string(B));
    for (const double Bytes : {1e9, 0.0}) { // in lanes, and one after the other
      const Cached Now(Bytes);
      V.begin();
      Pattern Rows = blockPattern(13, 9, B);
      Matrix A(Rows, K.Columns, Engine);
      K.compare(V, A);
      const RowFigures Of = V.figures();
      EXPECT_EQ(Of.Calls, 1U) << Of.Problem;
      Least = std::min(Least, static_cast<double>(Of.RowsInBlocks) / static_cast<double>(Of.Rows));
      for (int Case = 0; Case < 25 && !testing::Test::HasFailure(); ++Case) {
        K.change(A, Rows, Engine);
        K.compare(V, A);
        if (Case % 5 == 4)
          A.assign(Rows = blockPattern(5 + upTo(Engine, 9), 4 + upTo(Engine, 9), B), K.Columns,
                   Engine);
      }
    }
  }
  return Least;
}

#define PRODUCT(Test, Name, Share, ...)                                                            \
  TEST(RowBlocks, Test) {                                                                          \
    using Matrix = Sparse<__VA_ARGS__>;                                                            \
    const auto K = rowKernel<Matrix>(#Name, &Name, [](decltype(&Name) F, Matrix &A) {              \
      F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());               \
    });                                                                                            \
    for (const int B : {2, 3, 4, 6})                                                               \
      EXPECT_GT(compareBlocks(K, B), Share);                                                       \
  }
PRODUCT(OfDoubles, csr, 0.5, int, int, double)
PRODUCT(OfFloats, csr_floats, 0.5, int, int, float)
PRODUCT(WithLongIndices, csr_long, 0.5, int64_t, int64_t, double)
PRODUCT(WithUnsignedIndices, csr_unsigned, 0.5, unsigned, unsigned, double)
PRODUCT(FromTheLastRow, csr_reversed, 0.5, int, int, double)
// What a branch asks is another thing in each row of a block.
PRODUCT(WithABranch, off_diagonal, -1, int, int, double)
#undef PRODUCT

TEST(RowBlocks, AddedToWhatIsThere) {
  const auto K = rowKernel<Plain>("csr_added", &csr_added, [](decltype(&csr_added) F, Plain &A) {
    F(A.rows(), 0.75, A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
  });
  EXPECT_GT(compareBlocks(K, 3), 0.5);
}

/// What each row has just stored, the next one need not load.
TEST(RowsInLanes, KeepWhatTheRowBeforeHasComputed) {
  const auto K =
      rowKernel<Plain>("gauss_seidel", &gauss_seidel, [](decltype(&gauss_seidel) F, Plain &A) {
        F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
      });
  Random Engine(3);
  Plain Learned(gridPattern(60, 60), 1, Engine);
  const RowVersions Versions(
      K.Name, [&](void *Body) { K.Run(reinterpret_cast<decltype(&gauss_seidel)>(Body), Learned); });
  for (const RowVersion &V : Versions.all()) {
    SCOPED_TRACE(V.Name);
    V.begin();
    Pattern Rows = gridPattern(70, 50);
    Plain A(Rows, 1, Engine);
    K.compare(V, A);
    EXPECT_GT(V.figures().RowsInLanes, 1500U) << V.figures().Problem;
    // Lines whose rows read others than the next but one.
    for (int Case = 0; Case < 60 && !testing::Test::HasFailure(); ++Case) {
      for (int Times = upTo(Engine, 3); Times >= 0; --Times) {
        const int From = upTo(Engine, 49) * 70, By = upTo(Engine, 4) - 2;
        for (size_t I = static_cast<size_t>(From); I < static_cast<size_t>(From) + 70; ++I)
          for (int &Column : Rows[I])
            Column = std::clamp(Column + By, 0, 70 * 50 - 1);
      }
      A.assign(Rows, 1, Engine);
      K.compare(V, A);
      if (Case % 10 == 9)
        Rows = gridPattern(70, 50);
    }
  }
}

} // namespace
