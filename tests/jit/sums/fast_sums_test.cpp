//===- tests/jit/sums/fast_sums_test.cpp - SPECRT_FP=fast has one result --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the fast mode results may differ from those of the original, but not between versions. The
// tests build each candidate with and without known sizes, for one and for two threads. All of them
// and the instrumented version must compute the same bits.
//
//===----------------------------------------------------------------------===//
#include "specializer/strategies/table/candidates.h"
#include "tests/jit/compiled_region.h"
#include "tests/jit/numbers.h"
#include "tests/jit/recording.h"
#include "llvm/TargetParser/Host.h"
#include <bit>
#include <cerrno>
#include <cmath>
#include <limits>
#include <set>

using namespace specrt;

namespace {

template <typename T> using Kernel = void(int64_t, int64_t, const T *, const T *, T *);

constexpr int64_t MaxElements = 6000;

template <typename T> struct Data {
  std::vector<T> X = noise<T>(MaxElements, 1), Y = noise<T>(MaxElements, 2),
                 Out = noise<T>(MaxElements, 3);
};

/// Returns the bits of a number.
template <typename T> auto bitsOf(T Number) {
  return std::bit_cast<std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>>(Number);
}

/// Functions that a kernel calls.
using Symbols = std::map<std::string, void *>;

/// Runs all versions of one kernel and compares their results with each other.
template <typename T> class Versions {
public:
  Versions(const char *Name, int64_t N, int64_t M, const Data<T> &In,
           const char *File = SPECRT_SUMS_KERNELS, Symbols Called = {})
      : Name(Name), File(File), Called(std::move(Called)), N(N), M(M), In(In) {
    for (const bool IsKnown : {false, true})
      for (const uint32_t Threads : {1u, 2u}) {
        std::set<std::string> Built = build(IsKnown, Threads, nullptr);
        // Builds the candidates that others make superfluous.
        for (const CandidateKind &Kind : candidateKinds())
          if (IsKnown && Threads > 1 && !isOfRows(Kind.Strategy) && !Built.contains(Kind.Name))
            Built.merge(build(IsKnown, Threads, Kind.Name));
        All.merge(Built);
      }
    instrument();
  }

  /// Returns the result, which all versions have in common.
  const std::vector<T> &result() const { return Result; }
  const std::set<std::string> &names() const { return All; }
  /// Returns errno after each version.
  int error() const { return Error; }

private:
  std::unique_ptr<TestRegion> region(bool IsKnown) {
    auto R = TestRegion::fromBitcode(File, Name, Called);
    R->request().fp_mode = SPECRT_FP_FAST;
    if (IsKnown) {
      R->constant(0, uint64_t(N));
      R->constant(1, uint64_t(M));
    }
    return R;
  }

  std::set<std::string> build(bool IsKnown, uint32_t Threads, const char *Only) {
    SCOPED_TRACE(std::to_string(IsKnown) + " " + std::to_string(Threads));
    auto R = region(IsKnown);
    R->request().threads = Threads;
    R->request().only = Only;
    const specrt_jit_result *Made = sharedCompiler().compile(R->request());
    EXPECT_TRUE(Only || !Made->error) << Made->error;
    std::set<std::string> Names;
    for (unsigned I = 0; I < Made->num_candidates; ++I) {
      SCOPED_TRACE(Made->candidates[I].name);
      Names.insert(Made->candidates[I].name);
      run(reinterpret_cast<Kernel<T> *>(Made->candidates[I].body));
      sharedCompiler().release(Made->candidates[I].handle);
    }
    delete CompileResult::from(Made);
    return Names;
  }

  void instrument() {
    SCOPED_TRACE("instrumented");
    auto R = region(/*IsKnown=*/false);
    Instrumented Made(*R);
    if (!Made.lacksStack())
      run(Made.as<Kernel<T>>());
  }

  void run(Kernel<T> *Body) {
    std::vector<T> Out = In.Out;
    errno = 0;
    Body(N, M, In.X.data(), In.Y.data(), Out.data());
    const int ErrorNow = errno;
    if (Result.empty()) {
      Result = Out;
      Error = ErrorNow;
    }
    EXPECT_EQ(ErrorNow, Error);
    for (size_t I = 0; I < Out.size(); ++I)
      if (bitsOf(Out[I]) != bitsOf(Result[I])) {
        ADD_FAILURE() << Name << " (" << N << ", " << M << ") element " << I << ": " << Out[I]
                      << ", not " << Result[I];
        break;
      }
  }

  const char *Name, *File;
  const Symbols Called;
  const int64_t N, M;
  const Data<T> &In;
  std::vector<T> Result;
  int Error = 0;
  std::set<std::string> All;
};

/// Adds \p N numbers in the order that sum_trees.h defines. \p Add adds number I to a sum.
template <typename T, typename F> T inLanes(T Start, int64_t N, F Add) {
  constexpr size_t NumLanes = 128 / sizeof(T);
  int64_t I = 0;
  if (N >= int64_t(NumLanes)) {
    std::vector<T> Lanes(NumLanes, T(-0.0));
    for (; I + int64_t(NumLanes) <= N; I += NumLanes)
      for (size_t L = 0; L < NumLanes; ++L)
        Lanes[L] = Add(Lanes[L], I + int64_t(L));
    for (size_t Half = NumLanes / 2; Half > 0; Half /= 2)
      for (size_t L = 0; L < Half; ++L)
        Lanes[L] += Lanes[L + Half];
    Start += Lanes[0];
  }
  for (; I < N; ++I)
    Start = Add(Start, I);
  return Start;
}

/// Adds \p N numbers in the order of the source.
template <typename T, typename F> T inOrder(T Start, int64_t N, F Add) {
  for (int64_t I = 0; I < N; ++I)
    Start = Add(Start, I);
  return Start;
}

template <typename T> T sumInLanes(T Start, const T *X, int64_t N) {
  return inLanes(Start, N, [&](T Sum, int64_t I) { return Sum + X[I]; });
}

/// Returns X * Y + Z as the fast mode computes it on this processor.
double fused(double X, double Y, double Z) {
  static const bool HasFma = [] {
    const llvm::StringMap<bool> Features = llvm::sys::getHostCPUFeatures();
    return !Features.contains("fma") || Features.lookup("fma");
  }();
  const volatile double Product = X * Y;
  return HasFma ? std::fma(X, Y, Z) : Product + Z;
}

/// The lengths include no iterations, less than a block, whole blocks, and whole blocks with a
/// rest.
constexpr int64_t Lengths[] = {0, 1, 15, 16, 31, 32, 33, 64, 1000, 1023};

TEST(FastSums, HaveTheOrderThatIsDocumented) {
  const Data<double> In;
  const Data<float> Floats;
  for (const int64_t N : Lengths) {
    EXPECT_EQ(Versions("sum", N, 1, In).result()[0], sumInLanes(0.25, In.X.data(), N)) << N;
    EXPECT_EQ(Versions("sum_of_floats", N, 1, Floats).result()[0],
              sumInLanes(0.25f, Floats.X.data(), N))
        << N;
  }
}

class FastSumsOf : public testing::TestWithParam<const char *> {};

TEST_P(FastSumsOf, AreTheSameInAllVersions) {
  const Data<double> In;
  for (const int64_t N : {int64_t(0), int64_t(7), int64_t(100), int64_t(1003)}) {
    const Versions<double> Some(GetParam(), N, 1, In);
    EXPECT_TRUE(Some.names().contains("constants"));
  }
  Versions<double>(GetParam(), 1003, 1, In, SPECRT_FAST_MATH_KERNELS);
}

INSTANTIATE_TEST_SUITE_P(Loop, FastSumsOf,
                         testing::Values("dot", "difference", "product", "extrema", "moments",
                                         "some", "backwards", "last", "means"),
                         [](const auto &Info) { return std::string(Info.param); });

TEST(FastSums, OfFloatsAreTheSameInAllVersions) {
  const Data<float> In;
  for (const int64_t N : Lengths)
    Versions("dot_of_floats", N, 1, In);
}

class FastSumsOfNest : public testing::TestWithParam<const char *> {};

TEST_P(FastSumsOfNest, AreTheSameInAllVersions) {
  const Data<double> In;
  std::set<std::string> Names;
  for (const auto &[N, M] : {std::pair<int64_t, int64_t>{40, 67}, {3, 512}, {60, 5}, {0, 9}}) {
    const Versions<double> Some(GetParam(), N, M, In);
    Names.insert(Some.names().begin(), Some.names().end());
  }
  EXPECT_TRUE(Names.contains("constants"));
  EXPECT_GT(Names.size(), 1u) << "nothing was compared";
  Versions<double>(GetParam(), 40, 67, In, SPECRT_FAST_MATH_KERNELS);
}

INSTANTIATE_TEST_SUITE_P(, FastSumsOfNest,
                         testing::Values("matrix_vector", "matrix_norm", "triangle",
                                         "matrix_product", "filter", "recursion", "in_memory"),
                         [](const auto &Info) { return std::string(Info.param); });

TEST(FastSums, InMemoryHaveTheSameOrder) {
  constexpr int64_t N = 40, M = 67;
  const Data<double> In;
  const std::vector<double> Out = Versions("in_memory", N, M, In).result();
  unsigned NumReordered = 0;
  for (int64_t I = 0; I < N; ++I) {
    const auto Add = [&](double Sum, int64_t J) { return fused(In.X[I * M + J], In.Y[J], Sum); };
    EXPECT_EQ(Out[I], inLanes(In.Out[I], M, Add)) << I;
    NumReordered += Out[I] != inOrder(In.Out[I], M, Add);
  }
  EXPECT_GT(NumReordered, 0u);
}

/// All versions compare the same ranges of out, whatever they know about n and m.
TEST(FastSums, InMemoryThatIsReadKeepTheirOrder) {
  constexpr int64_t M = 512;
  const Data<double> In;
  for (const int64_t N : {7, 8, 2001}) {
    std::vector<double> Expected = In.Out;
    double &Sum = Expected[N];
    const auto Add = [&](double Old, int64_t J) {
      const double Factor = Expected[2 * J];
      return Sum = fused(Factor, In.X[J], Old);
    };
    if (N < 2 * M)
      inOrder(Sum, M, Add);
    else
      Sum = inLanes(In.Out[N], M,
                    [&](double Old, int64_t J) { return fused(In.Out[2 * J], In.X[J], Old); });
    EXPECT_EQ(Versions("between", N, M, In).result(), Expected) << N;
  }
  std::vector<double> Expected = In.Out;
  for (int64_t J = 0; J < M; ++J)
    Expected[3] = fused(Expected[3], In.X[J] * 0.001, Expected[3]);
  EXPECT_EQ(Versions("itself", 3, M, In).result(), Expected);
  Expected = In.Out;
  for (int64_t J = 0; J < M; ++J)
    Expected[0] = fused(0.5, In.X[J], Expected[0]);
  EXPECT_EQ(Versions("sometimes", 0, M, In).result(), Expected);
}

/// A guard separates the sum from the global array. That does not imply that the sum is behind all
/// addresses that the loop computes.
TEST(FastSums, InMemoryAreNotAlwaysSeparateFromAddressesThatAreNotAccessed) {
  const std::vector<double> Numbers = noise<double>(100, 1);
  std::vector<double> Memory(501), Chosen(1000, 0.0); // &Memory[0] is the global array
  std::fill_n(Chosen.begin(), Numbers.size(), 1.0);
  const auto R =
      TestRegion::fromBitcode(SPECRT_SUMS_KERNELS, "of_global", {{"elements", Memory.data()}});
  R->request().fp_mode = SPECRT_FP_FAST;
  const Compiled Made(*R);
  EXPECT_THAT(Made.Guards, testing::HasSubstr("elements"));
  const Instrumented Original(*R);
  ASSERT_EQ(Original.Version->error, nullptr) << Original.Version->error;

  double &Sum = Memory.back();
  for (const double Count : {90.0, 1000.0}) {
    EXPECT_TRUE(Made.admits(int64_t{0}, int64_t{0}, &Count, Chosen.data(), &Sum));
    const auto Run = [&](Kernel<double> *Body) {
      llvm::copy(Numbers, Memory.begin());
      Sum = 0.25;
      Body(0, 0, &Count, Chosen.data(), &Sum);
      return Sum;
    };
    const auto Add = [&](double Old, int64_t J) { return Old + (J < 100 ? Numbers[J] : 0); };
    const double InLanes = inLanes(0.25, int64_t(Count), Add),
                 InOrder = inOrder(0.25, int64_t(Count), Add);
    EXPECT_NE(InLanes, InOrder);
    const double Expected = Count == 90 ? InLanes : InOrder;
    EXPECT_EQ(Run(Original.as<Kernel<double>>()), Expected);
    Made.forEach<Kernel<double>>([&](auto *Body) { EXPECT_EQ(Run(Body), Expected) << Count; });
  }
}

TEST(FastSums, QuotientsBecomeProducts) {
  const Data<double> In;
  const std::vector<double> Out = Versions("quotients", 1000, 1, In).result();
  unsigned NumChanged = 0;
  for (size_t I = 0; I < 1000; ++I) {
    EXPECT_EQ(Out[I], In.X[I] * (1 / In.Y[0]));
    NumChanged += Out[I] != In.X[I] / In.Y[0];
  }
  EXPECT_GT(NumChanged, 0u);
}

TEST(FastSums, ProductsAndSumsAreFused) {
  const Data<double> In;
  const std::vector<double> Out = Versions("products_and_sums", 1000, 1, In).result();
  for (size_t I = 0; I < 1000; ++I)
    EXPECT_EQ(Out[I], fused(In.X[I], In.Y[I], 0.1));
}

unsigned NumPowers = 0; ///< calls of countedPower()

double countedPower(double X, double Y) {
  ++NumPowers;
  return std::pow(X, Y);
}

TEST(FastSums, PowersBecomeSquares) {
  const Symbols Called = {{"pow", reinterpret_cast<void *>(&countedPower)}};
  constexpr size_t N = 1000;
  Data<double> In;
  In.Y[0] = 2;
  NumPowers = 0;
  const std::vector<double> Out =
      Versions("powers", N, 1, In, SPECRT_SUMS_KERNELS, Called).result();
  EXPECT_EQ(NumPowers, 0u);
  for (size_t I = 0; I < N; ++I)
    EXPECT_EQ(Out[I], In.X[I] * In.X[I]);

  for (const double X : {1e200, 1e-200}) {
    In.X[17] = X;
    const Versions Some("powers", N, 1, In, SPECRT_SUMS_KERNELS, Called);
    EXPECT_EQ(Some.result()[17], X * X);
    EXPECT_EQ(Some.error(), ERANGE) << X;
  }

  In.Y[0] = 3;
  NumPowers = 0;
  EXPECT_EQ(Versions("powers", N, 1, In, SPECRT_SUMS_KERNELS, Called).error(), ERANGE);
  EXPECT_GE(NumPowers, N);
}

TEST(FastSums, RowsOfAMatrixAreSummedByThreads) {
  constexpr int64_t N = 300, M = 411;
  Data<double> In;
  In.X = noise<double>(N * M, 4);
  for (const char *Name : {"matrix_vector", "in_memory"}) {
    const auto Names = Versions(Name, N, M, In).names();
    EXPECT_TRUE(Names.contains("source-order-parallel") || Names.contains("vector-parallel") ||
                Names.contains("isl-schedule-parallel"))
        << Name << testing::PrintToString(Names);
  }
}

TEST(FastSums, ProductsOfMatricesKeepTheirCandidate) {
  const Data<double> In;
  EXPECT_TRUE(Versions("matrix_product", 48, 64, In).names().contains("contraction"));
}

/// g(y, x, k) is y[k] = x[k] + 1 by an inlined function with restrict parameters. These separate
/// the elements of one call only: here, each call reads what the one before it has written.
TEST(FastSums, RestrictOfCalleesHoldsForOneCall) {
  const auto R = TestRegion::fromIR(R"(
define available_externally void @g(ptr %y, ptr %x, i64 %k) {
  %yk = getelementptr inbounds double, ptr %y, i64 %k
  %xk = getelementptr inbounds double, ptr %x, i64 %k
  call void @llvm.experimental.noalias.scope.decl(metadata !3)
  call void @llvm.experimental.noalias.scope.decl(metadata !4)
  %v = load double, ptr %xk, !alias.scope !4, !noalias !3
  %w = fadd double %v, 1.0
  store double %w, ptr %yk, !alias.scope !3, !noalias !4
  ret void
}
define void @f(i64 %n, ptr %a) {
entry:
  %b = getelementptr inbounds double, ptr %a, i64 1
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @g(ptr %b, ptr %a, i64 %i)
  %next = add nuw nsw i64 %i, 1
  %last = icmp uge i64 %next, %n
  br i1 %last, label %end, label %loop
end:
  ret void
}
declare void @llvm.experimental.noalias.scope.decl(metadata)
!0 = distinct !{!0, !"h"}
!1 = distinct !{!1, !0, !"y"}
!2 = distinct !{!2, !0, !"x"}
!3 = !{!1}
!4 = !{!2}
)",
                                    "f");
  R->request().fp_mode = SPECRT_FP_FAST;
  const Compiled Made(*R);
  Made.forEach<void(int64_t, double *)>([](auto *Body) {
    std::vector<double> A(101, 0.0);
    Body(100, A.data());
    for (size_t I = 0; I < A.size(); ++I)
      EXPECT_EQ(A[I], double(I));
  });
}

/// Extrema ignore NaNs. Sums of a NaN are NaN.
TEST(FastSums, OfSpecialNumbersAreTheSameInAllVersions) {
  constexpr double Infinity = std::numeric_limits<double>::infinity();
  for (const double Special : {std::nan(""), Infinity, -0.0, 5e-324, 1e308}) {
    Data<double> In;
    In.X[20] = In.X[37] = Special;
    for (const char *Name : {"dot", "product", "moments"})
      EXPECT_EQ(std::isnan(Versions(Name, 100, 1, In).result()[0]), std::isnan(Special)) << Name;
    EXPECT_FALSE(std::isnan(Versions("extrema", 100, 1, In).result()[0]));
  }
  Data<double> Zeros;
  for (double &X : Zeros.X)
    X = -0.0;
  Zeros.Out[0] = -0.0;
  EXPECT_TRUE(std::signbit(Versions("product", 101, 1, Zeros).result()[0]));
}

} // namespace
