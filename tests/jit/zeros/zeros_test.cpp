//===- tests/jit/zeros/zeros_test.cpp - iterations that zeros make idle, bit for bit ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/zeros/zero_lists.h"
#include "tests/jit/shared_compiler.h"
#include "tests/polyhedral/guarded_memory.h"
#include "tests/specializer/test_region.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <immintrin.h>
#include <limits>
#include <random>
#include <type_traits>

extern "C" {
#define KERNEL(Name, A, C) void Name(int, int, const A *, A *, C *, double)
KERNEL(gemv, double, double);
KERNEL(gemv_added, double, double);
KERNEL(used_once, double, double);
KERNEL(seidel, double, double);
KERNEL(solve, double, double);
KERNEL(solve_in_memory, double, double);
KERNEL(seidel_if, double, double);
KERNEL(lu, double, double);
KERNEL(lu_by_rows, double, double);
KERNEL(lu_multiplier, double, double);
KERNEL(lu_separate, double, double);
KERNEL(lu_floats, float, float);
KERNEL(closure, int, int);
KERNEL(cholesky, double, double);
KERNEL(rescaled, double, double);
KERNEL(gemm_middle, double, double);
KERNEL(gemm_inner, double, double);
KERNEL(gemm_outer, double, double);
KERNEL(gemm_right, double, double);
KERNEL(gemm_shifted, double, double);
KERNEL(gemm_chained, double, double);
KERNEL(syrk, double, double);
KERNEL(lower, double, double);
KERNEL(separate, float, float);
KERNEL(floats, float, float);
KERNEL(widened, float, double);
KERNEL(integers, int, int);
KERNEL(jacobi, double, double);
#undef KERNEL
}

using namespace specrt;

namespace {

using Random = std::mt19937;
int upTo(Random &Engine, int Most) { return std::uniform_int_distribution<>(0, Most)(Engine); }
bool oneIn(Random &Engine, int N) { return upTo(Engine, N - 1) == 0; }

Compiler &zerosCompiler() {
  static Compiler &C = *[] {
    static constexpr specrt_zeros_functions Functions{beginZeros, fitZeros, endZeros};
    specrt_jit_config Config = {.log = [](int, const char *Message) { lastLog() = Message; },
                                .library_directory = SPECRT_TEST_LIBRARIES,
                                .rows_begin = nullptr,
                                .rows_end = nullptr,
                                .entry_runs = nullptr,
                                .fused_rows = nullptr,
                                .zeros = &Functions};
    return llvm::cantFail(Compiler::create(Config)).release();
  }();
  return C;
}

/// The candidate `zeros` of a function of kernels.c, or another one; \p Sparse: numbers of
/// arguments. \p Candidate may be "": all of them, with the sparsity report.
class ZerosVersion {
public:
  explicit ZerosVersion(const char *Kernel, std::vector<uint16_t> Sparse = {2},
                        const char *Candidate = "zeros", int LeastRows = 0)
      : Region(TestRegion::fromBitcode(SPECRT_ZEROS_KERNELS, Kernel)), Shares(Sparse.size(), 1) {
    for (uint16_t Argument : Sparse) {
      specrt_access &A = Accesses.emplace_back();
      A.range.base = {SPECRT_BASE_ARGUMENT, Argument, 0};
      A.range.begin.num_terms = A.range.end.num_terms = SPECRT_UNKNOWN;
    }
    Region->region().accesses = Accesses.data();
    Region->region().num_accesses = static_cast<uint32_t>(Accesses.size());
    Region->range(0, LeastRows, 4096);
    Region->range(1, 0, 4096);
    Region->request().zeros = Shares.data();
    Region->request().only = *Candidate ? Candidate : nullptr;
    Region->request().wants_zeros = *Candidate == 0;
    Region->request().threads = 3;
    Result = zerosCompiler().compile(Region->request());
  }
  ~ZerosVersion() {
    for (unsigned I = 0; I < Result->num_candidates; ++I)
      zerosCompiler().release(Result->candidates[I].handle);
    delete CompileResult::from(Result);
  }
  ZerosVersion(const ZerosVersion &) = delete;
  ZerosVersion &operator=(const ZerosVersion &) = delete;

  bool exists() const { return Result->num_candidates == 1; }
  const specrt_jit_zeros &report() const { return Result->zeros; }
  uint32_t array(uint32_t Access) const {
    return specrt_zeros_array(Region->region().bitcode_hash[0], Access);
  }
  std::string problem() const { return Result->error ? Result->error : ""; }
  template <typename F> F *as() const { return reinterpret_cast<F *>(Result->candidates[0].body); }

private:
  std::unique_ptr<TestRegion> Region;
  std::vector<specrt_access> Accesses;
  std::vector<uint8_t> Shares;
  const specrt_jit_result *Result = nullptr;
};

template <typename T> T someNumber(Random &Engine) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(upTo(Engine, 2000) - 1000);
  else
    return static_cast<T>(std::uniform_real_distribution<>(-2, 2)(Engine));
}

/// Numbers with which leaving something out is seen.
template <typename T> T touchyNumber(Random &Engine) {
  if constexpr (std::is_integral_v<T>)
    return oneIn(Engine, 2) ? std::numeric_limits<T>::min() : T(-1);
  else {
    using Limits = std::numeric_limits<T>;
    const T All[] = {-T(0),
                     T(0),
                     Limits::infinity(),
                     -Limits::infinity(),
                     Limits::quiet_NaN(),
                     Limits::signaling_NaN(),
                     Limits::denorm_min(),
                     -Limits::denorm_min(),
                     Limits::min(),
                     -Limits::min(),
                     Limits::max(),
                     T(1e-30),
                     -T(1e-25),
                     T(0.5)};
    return All[upTo(Engine, int(std::size(All)) - 1)];
  }
}

template <typename T> void fill(std::vector<T> &V, Random &Engine, double Density, int Touchy) {
  for (T &Number : V) {
    Number = std::uniform_real_distribution<>()(Engine) < Density ? someNumber<T>(Engine) : T(0);
    if (Touchy > 0 && oneIn(Engine, Touchy))
      Number = touchyNumber<T>(Engine);
  }
}

/// But for the bits of NaNs: which of two an addition hands on is the compiler's choice.
template <typename T> bool isSame(const std::vector<T> &X, const std::vector<T> &Y) {
  return std::equal(X.begin(), X.end(), Y.begin(), Y.end(), [](const T &A, const T &B) {
    if constexpr (std::is_floating_point_v<T>)
      if (std::isnan(A) && std::isnan(B))
        return true;
    const void *const First = &A, *const Second = &B;
    return std::memcmp(First, Second, sizeof(T)) == 0;
  });
}

template <typename A, typename C> struct Kernel {
  using Function = void(int, int, const A *, A *, C *, double);
  const char *Name;
  Function *Original;
  int LeastRows = 1;

  /// Arrays of all kinds, used several times and changed meanwhile.
  void compareMany(unsigned Cases, int Most = 40, const char *Candidate = "zeros") const {
    const ZerosVersion Version(Name, {2}, Candidate, LeastRows > 1 ? LeastRows : 0);
    ASSERT_TRUE(Version.exists()) << Version.problem() << lastLog();
    auto *Body = Version.as<Function>();
    const ZeroFigures Before = zeroFigures();
    Random Engine(11);
    for (unsigned Case = 0; Case < Cases;) {
      const int N = LeastRows + upTo(Engine, Most), M = 1 + upTo(Engine, 40);
      const auto Size = static_cast<size_t>(std::max(N, M)) * static_cast<size_t>(std::max(N, M));
      const bool IsTouchy = oneIn(Engine, 3);
      std::vector<A> Sparse(Size), B(Size);
      std::vector<C> Out(Size);
      const double Density = oneIn(Engine, 6) ? 0.6 : 0.02 * upTo(Engine, 12);
      fill(Sparse, Engine, Density, IsTouchy ? 200 : 0);
      fill(B, Engine, 1, IsTouchy ? 40 : 0);
      fill(Out, Engine, 1, oneIn(Engine, 4) ? 50 : 0);
      const double S = oneIn(Engine, 8) ? touchyNumber<double>(Engine) : someNumber<double>(Engine);
      for (int Uses = 1 + upTo(Engine, 5); Uses > 0; --Uses, ++Case) {
        std::vector<A> ExpectedB = B;
        std::vector<C> Expected = Out;
        Original(N, M, Sparse.data(), ExpectedB.data(), Expected.data(), S);
        Body(N, M, Sparse.data(), B.data(), Out.data(), S);
        ASSERT_TRUE(isSame(Out, Expected) && isSame(B, ExpectedB))
            << Name << ", case " << Case << ": " << N << " x " << M << ", density " << Density;
        change(Sparse, B, Out, Engine);
      }
    }
    const ZeroFigures After = zeroFigures();
    EXPECT_GT(After.Made - Before.Made + After.Reused - Before.Reused, Cases / 8) << Name;
  }

  void change(std::vector<A> &Sparse, std::vector<A> &B, std::vector<C> &Out,
              Random &Engine) const {
    auto Any = [&](size_t Size) { return static_cast<size_t>(upTo(Engine, int(Size) - 1)); };
    switch (upTo(Engine, 5)) {
    case 0: // an element comes
      Sparse[Any(Sparse.size())] = someNumber<A>(Engine);
      break;
    case 1:
      Sparse[Any(Sparse.size())] = touchyNumber<A>(Engine);
      break;
    case 2: // the same elsewhere
      Sparse = std::vector<A>(Sparse);
      break;
    case 3:
      B[Any(B.size())] = touchyNumber<A>(Engine);
      break;
    case 4:
      Out[Any(Out.size())] = touchyNumber<C>(Engine);
      break;
    default:
      break;
    }
  }
};

TEST(Zeros, OfAMatrixTimesAVector) {
  Kernel<double, double>{"gemv", gemv}.compareMany(1500);
  Kernel<double, double>{"gemv_added", gemv_added}.compareMany(1500);
  Kernel<double, double>{"used_once", used_once}.compareMany(400, 500);
}
TEST(Zeros, OfProductsInEveryOrder) {
  Kernel<double, double>{"gemm_middle", gemm_middle}.compareMany(1000);
  Kernel<double, double>{"gemm_inner", gemm_inner}.compareMany(1000);
  Kernel<double, double>{"gemm_outer", gemm_outer}.compareMany(1000);
  Kernel<double, double>{"gemm_right", gemm_right}.compareMany(1000);
}
TEST(Zeros, OfTriangles) {
  Kernel<double, double>{"syrk", syrk}.compareMany(1000);
  Kernel<double, double>{"lower", lower}.compareMany(1500);
}
TEST(Zeros, OfOtherTypes) {
  Kernel<float, float>{"separate", separate}.compareMany(1500);
  Kernel<float, float>{"floats", floats}.compareMany(1500);
  Kernel<float, double>{"widened", widened}.compareMany(1500);
  Kernel<int, int>{"integers", integers}.compareMany(1000);
}
TEST(Zeros, OfSweepsOverAVectorThatChanges) {
  Kernel<double, double>{"jacobi", jacobi}.compareMany(1500);
  Kernel<double, double>{"seidel", seidel}.compareMany(2000);
  Kernel<double, double>{"solve", solve}.compareMany(2000);
  Kernel<double, double>{"solve_in_memory", solve_in_memory}.compareMany(2000);
}

/// Two rows at least, so that each element of b is read by another row.
TEST(Zeros, OfSweepsThatLeaveOutTheDiagonal) {
  Kernel<double, double>{"seidel_if", seidel_if, 2}.compareMany(2000);
  EXPECT_FALSE(ZerosVersion("lower_if", {2}, "zeros", 2).exists()) << "nothing reads b[n - 1]";
}

/// Matrices that are changed in place. What is zero comes and goes, so there are no lists.
template <typename T>
void compareInPlace(const char *Name, void (*Original)(int, int, const T *, T *, T *, double)) {
  const ZerosVersion Version(Name, {4});
  ASSERT_TRUE(Version.exists()) << Name << Version.problem() << lastLog();
  auto *Body = Version.as<void(int, int, const T *, T *, T *, double)>();
  Random Engine(17);
  for (unsigned Case = 0; Case < 2500; ++Case) {
    const int N = 1 + upTo(Engine, 32), M = 1 + upTo(Engine, 24);
    const auto Size = static_cast<size_t>(std::max(N, M)) * static_cast<size_t>(std::max(N, M));
    std::vector<T> A(Size), B(Size), C(Size);
    const double Density = oneIn(Engine, 6) ? 0.6 : 0.02 * upTo(Engine, 12);
    fill(A, Engine, 1, oneIn(Engine, 4) ? 60 : 0);
    fill(B, Engine, 1, oneIn(Engine, 4) ? 60 : 0);
    fill(C, Engine, Density, oneIn(Engine, 3) ? 100 : 0);
    for (int I = 0; I < N && !oneIn(Engine, 9); ++I)
      C[static_cast<size_t>(I) * static_cast<size_t>(N + 1)] = static_cast<T>(3 + I);
    const double S = oneIn(Engine, 8) ? touchyNumber<double>(Engine) : someNumber<double>(Engine);
    std::vector<T> ExpectedB = B, Expected = C;
    Original(N, M, A.data(), ExpectedB.data(), Expected.data(), S);
    Body(N, M, A.data(), B.data(), C.data(), S);
    ASSERT_TRUE(isSame(C, Expected) && isSame(B, ExpectedB))
        << Name << ", case " << Case << ": " << N << " x " << M << ", density " << Density;
  }
}

TEST(Zeros, OfMatricesThatAreChangedInPlace) {
  compareInPlace("lu", lu);
  compareInPlace("lu_by_rows", lu_by_rows);
  compareInPlace("lu_multiplier", lu_multiplier);
  compareInPlace("lu_separate", lu_separate);
  compareInPlace("lu_floats", lu_floats);
  compareInPlace("cholesky", cholesky);
  compareInPlace("rescaled", rescaled);
  compareInPlace("closure", closure);
}

/// A fused product that is rounded to -0 makes a sum -0 while a row is too small to be left out.
/// What follows must not take the sum for +0.
TEST(Zeros, AfterSumsThatBecameMinusZero) {
  constexpr int N = 12;
  const ZerosVersion Version("lu", {4});
  ASSERT_TRUE(Version.exists()) << Version.problem();
  std::vector<double> A(N * N), B(N * N), C(N * N);
  const auto At = [&](size_t I, size_t J) -> double & { return C[I * N + J]; };
  for (size_t I = 0; I < N; ++I)
    At(I, I) = 1;
  At(0, 5) = std::ldexp(1.0, -900);
  At(2, 0) = std::ldexp(1.0, -200);
  At(1, 5) = -1;
  std::vector<double> Expected = C;
  lu(N, N, A.data(), B.data(), Expected.data(), 1.0);
  Version.as<decltype(lu)>()(N, N, A.data(), B.data(), C.data(), 1.0);
  EXPECT_TRUE(isSame(C, Expected));
}

/// Zero times a denormal number raises a flag, so the flag tells whether the products are computed.
TEST(Zeros, RowsOfZerosAreLeftOut) {
  constexpr int N = 24;
  const ZerosVersion Version("rescaled", {4});
  ASSERT_TRUE(Version.exists()) << Version.problem();
  std::vector<double> A(N * N, 0.5), B(N * N, 1.0), C(N * N);
  A[5] = std::numeric_limits<double>::denorm_min();
  const auto RaisesFlag = [&](decltype(rescaled) *F) {
    constexpr unsigned DenormalOperand = 2;
    _mm_setcsr(_mm_getcsr() & ~DenormalOperand);
    F(N, N, A.data(), B.data(), C.data(), 1.0);
    return (_mm_getcsr() & DenormalOperand) != 0;
  };
  EXPECT_TRUE(RaisesFlag(rescaled));
  EXPECT_FALSE(RaisesFlag(Version.as<decltype(rescaled)>()));
  B[3] = -0.0; // + 0 is +0
  EXPECT_TRUE(RaisesFlag(Version.as<decltype(rescaled)>()));
  EXPECT_FALSE(std::signbit(B[3]));
}

/// What checks and lists read, the program reads: there are no pages beside the arrays.
TEST(Zeros, NothingBesideTheArraysIsRead) {
  using Function = void(int, int, const double *, double *, double *, double);
  struct Case {
    const char *Name;
    std::vector<uint16_t> Sparse;
    int BLess; ///< elements of b that do not exist
  };
  constexpr int N = 40;
  for (const Case &C :
       {Case{"lu", {4}, 0}, Case{"lu_by_rows", {4}, 0}, Case{"lu_multiplier", {4}, 0},
        Case{"cholesky", {4}, 0}, Case{"seidel_if", {2}, 0}, Case{"lower", {2}, 1},
        Case{"solve", {2}, 0}, Case{"solve_in_memory", {2}, 0}}) {
    const ZerosVersion Version(C.Name, C.Sparse, "zeros", 2);
    ASSERT_TRUE(Version.exists()) << C.Name;
    for (Side At : {Side::Begin, Side::End}) {
      const bool IsInPlace = C.Sparse.front() == 4;
      const GuardedArray Matrix = GuardedArray::dense(N * N * 8, At),
                         B = GuardedArray::dense(size_t(N - C.BLess) * 8, At),
                         X = GuardedArray::dense(N * 8, At);
      auto *Elements = static_cast<double *>(Matrix.data());
      for (int I = 0; I < N; ++I)
        Elements[I * N + I] = 4;
      for (int Call = 0; Call < 3; ++Call)
        Version.as<Function>()(N, 1, Elements, static_cast<double *>(B.data()),
                               IsInPlace ? Elements : static_cast<double *>(X.data()), 1.0);
    }
  }
}

constexpr const char *Parallel = "zeros-parallel";

TEST(ZerosInParallel, OfAMatrixTimesAVector) {
  Kernel<double, double>{"gemv", gemv}.compareMany(800, 40, Parallel);
  Kernel<double, double>{"gemv_added", gemv_added}.compareMany(800, 40, Parallel);
  Kernel<double, double>{"lower", lower}.compareMany(800, 40, Parallel);
}
TEST(ZerosInParallel, OfProducts) {
  Kernel<double, double>{"gemm_middle", gemm_middle}.compareMany(600, 40, Parallel);
  Kernel<double, double>{"gemm_inner", gemm_inner}.compareMany(600, 40, Parallel);
  Kernel<double, double>{"gemm_right", gemm_right}.compareMany(600, 40, Parallel);
  Kernel<double, double>{"syrk", syrk}.compareMany(600, 40, Parallel);
  Kernel<double, double>{"gemm_shifted", gemm_shifted}.compareMany(1500, 40, Parallel);
}
TEST(ZerosInParallel, OfOtherTypes) {
  Kernel<float, double>{"widened", widened}.compareMany(600, 40, Parallel);
  Kernel<int, int>{"integers", integers}.compareMany(600, 40, Parallel);
}
TEST(ZerosInParallel, OfSweepsOverAVectorThatChanges) {
  Kernel<double, double>{"jacobi", jacobi}.compareMany(800, 40, Parallel);
}
/// Their iterations read what others write, or there is no loop around.
TEST(ZerosInParallel, OnlyWhereIterationsAreIndependent) {
  for (const char *Name : {"seidel", "solve", "gemm_outer", "gemm_chained", "used_once"})
    EXPECT_FALSE(ZerosVersion(Name, {2}, Parallel).exists()) << Name;
}

TEST(Zeros, ThatMakeNothingIdleGiveNoVersion) {
  for (const char *Name : {"written", "counted", "divided", "assigned", "own_factor"})
    EXPECT_FALSE(ZerosVersion(Name).exists()) << Name;
}

/// An array that is not read may be anything; one that was not seen to be sparse is not looked at.
TEST(Zeros, OfArraysThatWereSeenToBeSparse) {
  EXPECT_FALSE(ZerosVersion("gemm_middle", {4}).exists());
  EXPECT_FALSE(ZerosVersion("gemm_middle", {}).exists());
}

/// Where a product is rounded to zero before it is added a sum may be -0.
TEST(Zeros, BesideNumbersThatAreTooSmall) {
  constexpr int N = 24;
  const ZerosVersion Version("gemv_added");
  ASSERT_TRUE(Version.exists()) << Version.problem();
  std::vector<double> A(N * N), B(N, 0.5), C(N, 0.0), Expected(N, 0.0);
  for (int I = 0; I < N; ++I)
    A[size_t(I) * N + 3] = std::numeric_limits<double>::denorm_min();
  gemv_added(N, N, A.data(), B.data(), Expected.data(), 1.0);
  Version.as<decltype(gemv_added)>()(N, N, A.data(), B.data(), C.data(), 1.0);
  EXPECT_TRUE(isSame(C, Expected));
}

TEST(Zeros, AreReportedWhereTheyMatter) {
  for (const char *Kernel : {"gemv", "gemm_middle", "gemm_inner", "syrk"}) {
    const ZerosVersion Version(Kernel, {2}, "");
    EXPECT_EQ(Version.problem(), "");
    ASSERT_NE(Version.report().equations, nullptr) << Kernel;
    const std::string Equations = Version.report().equations, Skips = Version.report().skips;
    EXPECT_NE(Equations.find("nonzero only where"), std::string::npos) << Kernel << Equations;
    EXPECT_NE(Skips.find("is zero, an iteration of loop"), std::string::npos) << Kernel << Skips;
    EXPECT_NE(std::string(Version.report().program), "") << Kernel;
  }
  EXPECT_EQ(ZerosVersion("gemv").report().equations, nullptr) << "nobody asked";
  const ZerosVersion Sweep("seidel", {2}, "");
  ASSERT_NE(Sweep.report().equations, nullptr);
  EXPECT_NE(std::string(Sweep.report().equations).find("nonzero only where"), std::string::npos);
}

TEST(Zeros, ListIsUsedAgainUntilTheArrayChanges) {
  constexpr int N = 64;
  const ZerosVersion Version("gemv");
  ASSERT_TRUE(Version.exists()) << Version.problem();
  std::vector<double> A(N * N), B(N, 0.5), C(N), Expected(N);
  for (size_t I = 0; I < A.size(); I += 17)
    A[I] = 1.0 / double(I + 1);
  auto Compare = [&] {
    gemv(N, N, A.data(), B.data(), Expected.data(), 0);
    Version.as<decltype(gemv)>()(N, N, A.data(), B.data(), C.data(), 0);
    EXPECT_TRUE(isSame(C, Expected));
  };
  const ZeroFigures First = zeroFigures();
  for (int Call = 0; Call < 20; ++Call)
    Compare();
  const ZeroFigures Then = zeroFigures();
  EXPECT_EQ(Then.Made - First.Made, 2U);
  EXPECT_EQ(Then.Reused - First.Reused, 18U);
  const ShownList Shown = listOf(Version.array(0));
  ASSERT_NE(Shown.List, nullptr);
  EXPECT_EQ(Shown.Elements, A.size());
  EXPECT_EQ(Shown.Listed, (A.size() + 16) / 17);
  EXPECT_EQ(Shown.List->starts[N], Shown.Listed);
  EXPECT_EQ(Shown.List->positions[1], 17U);
  EXPECT_EQ(listOf(Version.array(1)).List, nullptr);
  A[100] = 3;
  Compare();
  EXPECT_EQ(zeroFigures().Made - Then.Made, 1U);
  // One that is full is left alone, for longer and longer.
  A.assign(A.size(), 1.0);
  const ZeroFigures Full = zeroFigures();
  for (int Call = 0; Call < 50; ++Call)
    Compare();
  EXPECT_EQ(zeroFigures().Made, Full.Made);
  EXPECT_EQ(zeroFigures().Refused - Full.Refused, 50U);
}

} // namespace
