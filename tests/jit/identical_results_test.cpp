//===- tests/jit/identical_results_test.cpp - every candidate, every bit --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/compiler.h"
#include "tests/jit/numbers.h"
#include "tests/jit/shared_compiler.h"
#include "tests/specializer/test_region.h"
#include "gtest/gtest.h"
#include <cerrno>
#include <cstring>
#include <functional>
#include <random>
#include <set>

extern "C" {
void gemm(int64_t N, int64_t M, int64_t K, double *C, const double *A, const double *B);
void axpy(int N, float A, const float *X, float *Y);
void increase(void *S, int64_t By);
void row_sums(int64_t N, int64_t M, void *P);
void powers(int N, double Exponent, const double *X, double *Y);
void power_float(int N, float Exponent, const float *X, float *Y);
void weights(int64_t N, int Kind, const double *X, double *Y);
void jacobi(int64_t N, int64_t Steps, double *A, double *B);
void scale_table(int N, double *X);
int64_t count_below(int64_t N, double Limit, const double *X);
void gather(int64_t N, const int64_t *Index, const double *X, double *Y);
void quadratic(int64_t N, const double *X, double *Y);
int64_t count_domain_errors(int64_t N, const double *X, double *Y, int *Error);
extern double table[64];
double pow(double, double);
double sin(double);
double sqrt(double);
float powf(float, float);
float expf(float);
float sinf(float);
}

using namespace specrt;

namespace {

/// Compiles and calls \p Run with every candidate's body; returns their names.
std::set<std::string> forEachBody(TestRegion &R, const std::function<void(void *)> &Run) {
  std::set<std::string> Names;
  const specrt_jit_result *Result = sharedCompiler().compile(R.request());
  EXPECT_EQ(Result->error, nullptr) << (Result->error ? Result->error : "");
  for (unsigned I = 0; I < Result->num_candidates; ++I) {
    const specrt_jit_candidate &C = Result->candidates[I];
    SCOPED_TRACE(C.name);
    Run(C.body);
    Names.insert(C.name);
    sharedCompiler().release(C.handle);
  }
  EXPECT_FALSE(Names.empty()) << "nothing was compared";
  delete CompileResult::from(Result);
  return Names;
}

TEST(IdenticalResults, Gemm) {
  constexpr int64_t N = 61, M = 70, K = 83;
  auto A = noise<double>(N * K, 1), B = noise<double>(K * M, 2), C = noise<double>(N * M, 3);
  auto Expected = C;
  gemm(N, M, K, Expected.data(), A.data(), B.data());
  auto R = TestRegion::fromKernel("gemm");
  R->constant(0, N);
  R->constant(1, M);
  R->constant(2, K);
  R->request().threads = 2;
  auto Names = forEachBody(*R, [&](void *Body) {
    auto Actual = C;
    reinterpret_cast<decltype(&gemm)>(Body)(N, M, K, Actual.data(), A.data(), B.data());
    EXPECT_TRUE(sameBits(Actual, Expected));
  });
  EXPECT_TRUE(Names.count("constants"));
  EXPECT_TRUE(Names.count("contraction"));
  EXPECT_TRUE(Names.count("contraction-parallel"));
}

TEST(IdenticalResults, SymbolicSizes) {
  constexpr int64_t N = 21, M = 34, K = 17;
  auto A = noise<double>(N * K, 1), B = noise<double>(K * M, 2), C = noise<double>(N * M, 3);
  auto Expected = C;
  gemm(N, M, K, Expected.data(), A.data(), B.data());
  auto R = TestRegion::fromKernel("gemm");
  forEachBody(*R, [&](void *Body) {
    auto Actual = C;
    reinterpret_cast<decltype(&gemm)>(Body)(N, M, K, Actual.data(), A.data(), B.data());
    EXPECT_TRUE(sameBits(Actual, Expected));
  });
}

TEST(IdenticalResults, Axpy) {
  constexpr int N = 1003;
  auto X = noise<float>(N, 4), Y = noise<float>(N, 5);
  auto Expected = Y;
  axpy(N, 1.7f, X.data(), Expected.data());
  auto R = TestRegion::fromKernel("axpy");
  R->constant(0, N);
  R->constant(1, packedFloat(1.7f));
  forEachBody(*R, [&](void *Body) {
    auto Actual = Y;
    reinterpret_cast<decltype(&axpy)>(Body)(N, 1.7f, X.data(), Actual.data());
    EXPECT_TRUE(sameBits(Actual, Expected));
  });
}

TEST(IdenticalResults, LibraryFunctionsWithConstantArguments) {
  constexpr int N = 500;
  auto X = noise<double>(N, 6);
  for (double Exponent : {2.0, 0.5, 3.0, -1.0, 0.3}) {
    std::vector<double> Expected(N), Actual(N);
    powers(N, Exponent, X.data(), Expected.data());
    auto R = TestRegion::fromKernel("powers", {{"pow", reinterpret_cast<void *>(&pow)},
                                               {"sin", reinterpret_cast<void *>(&sin)}});
    R->constant(0, N);
    R->constant(1, packed(Exponent));
    forEachBody(*R, [&](void *Body) {
      reinterpret_cast<decltype(&powers)>(Body)(N, Exponent, X.data(), Actual.data());
      EXPECT_TRUE(sameBits(Actual, Expected)) << Exponent;
    });
  }
}

TEST(IdenticalResults, FloatLibraryFunctions) {
  constexpr int N = 500;
  auto X = noise<float>(N, 7);
  std::vector<float> Expected(N), Actual(N);
  auto R = TestRegion::fromKernel("power_float", {{"powf", reinterpret_cast<void *>(&powf)},
                                                  {"expf", reinterpret_cast<void *>(&expf)},
                                                  {"sinf", reinterpret_cast<void *>(&sinf)}});
  for (float Exponent : {2.0f, 0.7f, 1.9f, 2.9f}) {
    power_float(N, Exponent, X.data(), Expected.data());
    R->constant(0, N);
    R->constant(1, packedFloat(Exponent));
    forEachBody(*R, [&](void *Body) {
      reinterpret_cast<decltype(&power_float)>(Body)(N, Exponent, X.data(), Actual.data());
      EXPECT_TRUE(sameBits(Actual, Expected)) << Exponent;
    });
  }
}

TEST(IdenticalResults, BoundInMemory) {
  struct {
    int64_t N;
    double Scale;
    int64_t *Data;
  } S = {777, 1.0, nullptr};
  std::vector<int64_t> Data(777, 5), Expected = Data;
  S.Data = Expected.data();
  increase(&S, 3);
  auto R = TestRegion::fromKernel("increase");
  R->sample({packed(&S), 3});
  forEachBody(*R, [&](void *Body) {
    auto Actual = Data;
    S.Data = Actual.data();
    reinterpret_cast<decltype(&increase)>(Body)(&S, 3);
    EXPECT_TRUE(sameBits(Actual, Expected));
  });
}

TEST(IdenticalResults, BasesInMemory) {
  constexpr int64_t N = 45, M = 67;
  auto In = noise<double>(N * M, 17), Out = noise<double>(N, 18), Expected = Out;
  struct {
    double *In, *Out;
  } P = {In.data(), Expected.data()};
  row_sums(N, M, &P);
  auto R = TestRegion::fromKernel("row_sums");
  R->constant(0, N);
  R->constant(1, M);
  auto Names = forEachBody(*R, [&](void *Body) {
    auto Actual = Out;
    P.Out = Actual.data();
    reinterpret_cast<decltype(&row_sums)>(Body)(N, M, &P);
    EXPECT_TRUE(sameBits(Actual, Expected));
  });
  EXPECT_TRUE(Names.count("vector"));
}

TEST(IdenticalResults, TimeSteppedStencil) {
  constexpr int64_t N = 40, Steps = 5;
  auto A = noise<double>(N * N, 8), B = noise<double>(N * N, 9);
  auto ExpectedA = A, ExpectedB = B;
  jacobi(N, Steps, ExpectedA.data(), ExpectedB.data());
  auto R = TestRegion::fromKernel("jacobi");
  R->constant(0, N);
  R->constant(1, Steps);
  R->request().threads = 2;
  forEachBody(*R, [&](void *Body) {
    auto ActualA = A, ActualB = B;
    reinterpret_cast<decltype(&jacobi)>(Body)(N, Steps, ActualA.data(), ActualB.data());
    EXPECT_TRUE(sameBits(ActualA, ExpectedA));
    EXPECT_TRUE(sameBits(ActualB, ExpectedB));
  });
}

TEST(IdenticalResults, GlobalsThroughTheDescriptor) {
  for (int I = 0; I < 64; ++I)
    table[I] = 1.0 / (I + 1);
  auto X = noise<double>(50, 10), Expected = X;
  scale_table(50, Expected.data());
  auto R = TestRegion::fromKernel("scale_table", {{"table", table}});
  R->constant(0, 50);
  forEachBody(*R, [&](void *Body) {
    auto Actual = X;
    reinterpret_cast<decltype(&scale_table)>(Body)(50, Actual.data());
    EXPECT_TRUE(sameBits(Actual, Expected));
  });
}

TEST(IdenticalResults, ReturnValuesAndBranches) {
  auto X = noise<double>(999, 11);
  auto R = TestRegion::fromKernel("count_below");
  R->constant(0, 999);
  R->constant(1, packed(1.5));
  forEachBody(*R, [&](void *Body) {
    EXPECT_EQ(reinterpret_cast<decltype(&count_below)>(Body)(999, 1.5, X.data()),
              count_below(999, 1.5, X.data()));
  });
}

TEST(IdenticalResults, InlinedCallees) {
  auto X = noise<double>(300, 12), Y = noise<double>(300, 13);
  for (int Kind : {0, 1, 2}) {
    auto Expected = Y;
    weights(300, Kind, X.data(), Expected.data());
    auto R = TestRegion::fromKernel("weights");
    R->constant(0, 300);
    R->constant(1, Kind);
    forEachBody(*R, [&](void *Body) {
      auto Actual = Y;
      reinterpret_cast<decltype(&weights)>(Body)(300, Kind, X.data(), Actual.data());
      EXPECT_TRUE(sameBits(Actual, Expected));
    });
  }
}

TEST(IdenticalResults, IndirectAndQuadraticSubscripts) {
  std::vector<int64_t> Index(100);
  for (int I = 0; I < 100; ++I)
    Index[I] = (I * 37) % 100;
  auto X = noise<double>(100, 14), Y = noise<double>(100, 15), Expected = Y;
  gather(100, Index.data(), X.data(), Expected.data());
  auto R = TestRegion::fromKernel("gather");
  R->constant(0, 100);
  forEachBody(*R, [&](void *Body) {
    auto Actual = Y;
    reinterpret_cast<decltype(&gather)>(Body)(100, Index.data(), X.data(), Actual.data());
    EXPECT_TRUE(sameBits(Actual, Expected));
  });
  auto Z = noise<double>(100 * 100, 16), ExpectedZ = Z;
  quadratic(100, X.data(), ExpectedZ.data());
  auto Q = TestRegion::fromKernel("quadratic");
  Q->constant(0, 100);
  forEachBody(*Q, [&](void *Body) {
    auto Actual = Z;
    reinterpret_cast<decltype(&quadratic)>(Body)(100, X.data(), Actual.data());
    EXPECT_TRUE(sameBits(Actual, ExpectedZ));
  });
}

TEST(IdenticalResults, LoopsThatLookAtErrno) {
  auto X = noise<double>(100, 17), Y = noise<double>(100, 18), Expected = Y;
  for (int I = 0; I < 100; I += 7)
    X[I] = -X[I];
  // A guard checks that the pointer does not point to errno.
  int Other = 0;
  const int64_t Sum = count_domain_errors(100, X.data(), Expected.data(), &Other);
  auto R =
      TestRegion::fromKernel("count_domain_errors", {{"sqrt", reinterpret_cast<void *>(&sqrt)}});
  R->constant(0, 100);
  errno = 0;
  // What the pointer points to is no constant either.
  R->sample({100, packed(X.data()), packed(Y.data()), packed(&Other)});
  auto Names = forEachBody(*R, [&](void *Body) {
    auto Actual = Y;
    errno = 0;
    EXPECT_EQ(reinterpret_cast<decltype(&count_domain_errors)>(Body)(100, X.data(), Actual.data(),
                                                                     &Other),
              Sum);
    EXPECT_EQ(errno, EDOM);
    EXPECT_TRUE(sameBits(Actual, Expected));
  });
  EXPECT_TRUE(Names.count("constants"));
}

/// for (i = 0; i < n; ++i) for (j = 0; j <= i; ++j) a[i * m + j] = a[i * m + j] * 3 + b[j * m + i],
/// as the plugin outlines it, with a second counter that runs down by 2.
const char *const Triangle = R"(
define void @triangle(i64 %n, i64 %m, ptr %a, ptr %b) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %down = phi i32 [ 1000, %entry ], [ %down.next, %latch ]
  %row = mul nsw i64 %i, %m
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %ij = add nsw i64 %row, %j
  %pa = getelementptr inbounds double, ptr %a, i64 %ij
  %jrow = mul nsw i64 %j, %m
  %ji = add nsw i64 %jrow, %i
  %pb = getelementptr inbounds double, ptr %b, i64 %ji
  %va = load double, ptr %pa
  %vb = load double, ptr %pb
  %t = fmul double %va, 3.0
  %u = fadd double %t, %vb
  store double %u, ptr %pa
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ule i64 %j.next, %i
  br i1 %more, label %inner, label %latch
latch:
  %f = sitofp i32 %down to double
  %pd = getelementptr inbounds double, ptr %a, i64 %row
  store double %f, ptr %pd
  %down.next = add nsw i32 %down, -2
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %outer
exit:
  ret void
})";

TEST(IdenticalResults, TheRestOfACall) {
  constexpr int64_t N = 90, M = 93;
  auto A = noise<double>(N * M, 11), B = noise<double>(N * M, 12);
  auto rows = [&](std::vector<double> &Out, int64_t Begin, int64_t End) {
    for (int64_t I = Begin; I < std::min(N, End); ++I) {
      for (int64_t J = 0; J <= I; ++J)
        Out[I * M + J] = Out[I * M + J] * 3 + B[J * M + I];
      Out[I * M] = 1000 - 2 * I;
    }
  };
  const std::pair<int64_t, int64_t> Parts[] = {{1, 0},  {8, 0},   {61, 0},  {89, 0},
                                               {1, 17}, {60, 61}, {2, 90},  {3, 1000},
                                               {90, 0}, {90, 95}, {1000, 0}};
  for (const auto &[First, End] : Parts) {
    SCOPED_TRACE(testing::Message() << First << " to " << End);
    auto Expected = A;
    rows(Expected, First, End ? End : N);
    auto R = TestRegion::fromIR(Triangle, "triangle");
    R->constant(0, N);
    R->constant(1, M);
    R->request().threads = 2;
    R->request().first_iteration = static_cast<uint64_t>(First);
    R->request().end_iteration = static_cast<uint64_t>(End);
    auto Names = forEachBody(*R, [&](void *Body) {
      auto Actual = A;
      reinterpret_cast<void (*)(int64_t, int64_t, double *, const double *)>(Body)(
          N, M, Actual.data(), B.data());
      EXPECT_TRUE(sameBits(Actual, Expected));
    });
    EXPECT_TRUE(Names.count("constants"));
  }
}

} // namespace
