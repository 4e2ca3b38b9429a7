//===- tests/jit/rows/sums_test.cpp - numbers that loops carry from row to row ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/memory/scratch.h"
#include "tests/jit/rows/kernel.h"

extern "C" {
void norms(int, const int *, const int *, const double *, const double *, double *, double *);
}

using namespace specrt;

namespace {

constexpr int Cases = 500; // of each candidate

/// Norms are in front of the results.
struct WithNorms : Sparse<int, int, double> {
  WithNorms(const Pattern &Rows, size_t Columns, Random &Engine) : Sparse(Rows, Columns, Engine) {
    assign(Rows, Columns, Engine);
  }
  void assign(const Pattern &Rows, size_t Columns, Random &Engine) {
    Sparse::assign(Rows, Columns, Engine);
    Y.insert(Y.begin(), 3, 0.5);
  }
};

auto kernel() {
  return rowKernel<WithNorms>("norms", &norms, [](auto *F, auto &A) {
    F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data() + 3, A.Y.data());
  });
}

TEST(Sums, AreThoseOfTheSource) { kernel().compareMany(Cases); }

/// A thread has so many blocks of memory; when all are in use, rows add on the way.
TEST(Sums, AreMadeOnTheWayWithoutMemory) {
  Random Engine(3);
  const auto Versions = kernel().versions();
  const WithNorms A(gridPattern(40, 40), 1, Engine);
  WithNorms Expected = A;
  kernel().Run(&norms, Expected);
  ASSERT_EQ(Versions->all().size(), 2U) << lastLog();
  std::vector<void *> Taken;
  while (void *Block = specrt_scratch_take(1))
    Taken.push_back(Block);
  for (const bool HasMemory : {false, true}) {
    for (const RowVersion &V : Versions->all()) {
      V.begin();
      WithNorms Found = A;
      kernel().Run(reinterpret_cast<decltype(&norms)>(V.Body), Found);
      EXPECT_TRUE(same(Found.Y, Expected.Y));
      EXPECT_EQ(V.figures().Calls, HasMemory ? 1U : 0U) << V.Name << ": " << V.figures().Problem;
    }
    while (!Taken.empty()) {
      specrt_scratch_give(Taken.back());
      Taken.pop_back();
    }
  }
}

TEST(Sums, OverRowsThatHaveCodeEach) {
  Random Engine(5);
  WithNorms A(randomPattern(60, 7, Engine), 1, Engine);
  const RowVersions Versions(
      "norms",
      [&](void *Body) {
        WithNorms Copy = A;
        kernel().Run(reinterpret_cast<decltype(&norms)>(Body), Copy);
      },
      SPECRT_ROWS_KERNELS, nullptr, "rows-unrolled");
  ASSERT_EQ(Versions.all().size(), 1U) << lastLog();
  for (int Use = 0; Use < 5; ++Use) {
    A.Val = someNumbers<double>(A.Val.size(), Engine);
    kernel().compare(Versions.all().front(), A);
  }
  EXPECT_EQ(Versions.all().front().figures().RowsUnrolled, 60U);
}

/// Runs the candidate `constants`, which uses no facts about rows, for SPECRT_FP=fast.
void runPlain(const char *Kernel, const std::function<void(void *)> &Run) {
  const auto Region = TestRegion::fromBitcode(SPECRT_ROWS_KERNELS, Kernel);
  Region->request().fp_mode = SPECRT_FP_FAST;
  Region->request().only = "constants";
  const specrt_jit_result *Result = rowsCompiler().compile(Region->request());
  ASSERT_EQ(Result->num_candidates, 1U) << (Result->error ? Result->error : "");
  Run(Result->candidates[0].body);
  rowsCompiler().release(Result->candidates[0].handle);
  delete CompileResult::from(Result);
}

/// The rows are long enough for lanes. Candidates with and without facts about rows must agree.
TEST(Sums, OfTheFastModeAreTheSameInAllVersions) {
  Random Engine(9);
  const WithNorms A(bandPattern(300, 40), 1, Engine);
  WithNorms Expected = A;
  const auto RunInto = [](void *Body, WithNorms &Into) {
    kernel().Run(reinterpret_cast<decltype(&norms)>(Body), Into);
  };
  runPlain("norms", [&](void *Body) { RunInto(Body, Expected); });
  const RowVersions Versions(
      "norms",
      [&](void *Body) {
        WithNorms Instrumented = A;
        RunInto(Body, Instrumented);
        EXPECT_TRUE(same(Instrumented.Y, Expected.Y));
      },
      SPECRT_ROWS_KERNELS, nullptr, nullptr, SPECRT_FP_FAST);
  ASSERT_EQ(Versions.all().size(), 2U) << lastLog();
  for (const RowVersion &V : Versions.all()) {
    V.begin();
    WithNorms Found = A;
    RunInto(V.Body, Found);
    EXPECT_TRUE(same(Found.Y, Expected.Y)) << V.Name;
    EXPECT_EQ(V.figures().Calls, 1U) << V.Name;
  }
}

} // namespace
