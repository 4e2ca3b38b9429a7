//===- tests/wrap/wrap_test.cpp - stories of wrapped functions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/wrap/kernels.h"
#include "tests/wrap/plugin.h"

#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>
#include <vector>

extern "C" __attribute__((visibility("default"))) double bias;
double bias = 2;

namespace {

TEST(Wrapped, AKernelCompiledByGccIsSpecialised) {
  Plugin Kernels("kernels");
  constexpr long N = 96;
  auto *Original = Kernels.function<Gemm>("gemm");
  auto *Wrapped = Kernels.wrap<Gemm>("gemm", GemmSignature);
  std::vector<double> A = numbers(N * N, 1), B = numbers(N * N, -3), C = numbers(N * N, 0), D = C;
  for (int I = 0; I < 100; ++I) {
    Original(N, N, N, 1.5, 0.5, C.data(), A.data(), B.data());
    Wrapped(N, N, N, 1.5, 0.5, D.data(), A.data(), B.data());
    ASSERT_EQ(std::memcmp(C.data(), D.data(), C.size() * sizeof(double)), 0) << "call " << I;
  }
  specrt_region_info Info = regionNamed("gemm");
  EXPECT_EQ(Info.state, unsigned(SPECRT_STATE_SPECIALISED)) << Info.reason;
  EXPECT_GT(Info.hits, 0u);
  EXPECT_LT(Info.best_ns, Info.original_ns);
  // Another size meets no guard of that version.
  for (int I = 0; I < 5; ++I) {
    Original(N - 1, N, N, 1.5, 0.5, C.data(), A.data(), B.data());
    Wrapped(N - 1, N, N, 1.5, 0.5, D.data(), A.data(), B.data());
    ASSERT_EQ(C, D);
  }
  EXPECT_EQ(unwrap(Wrapped), SPECRT_WRAP_OK);
}

TEST(Wrapped, OverlappingArraysAreSeen) {
  Plugin Kernels("kernels");
  auto *Original = Kernels.function<double(double *, const double *, int)>("filter");
  auto *Wrapped =
      Kernels.wrap<double(double *, const double *, int)>("filter", "f64 filter(ptr, ptr, i32)");
  std::vector<double> A = numbers(1000, 1), B = A;
  // Apart at first; then out lies in in, one element on: a recurrence.
  std::vector<double> Out(1000), Out2(1000);
  for (int I = 0; I < 40; ++I) {
    ASSERT_EQ(Original(Out.data(), A.data(), 900), Wrapped(Out2.data(), B.data(), 900));
    ASSERT_EQ(Out, Out2);
  }
  for (int I = 0; I < 40; ++I) {
    ASSERT_EQ(Original(A.data() + 1, A.data(), 900), Wrapped(B.data() + 1, B.data(), 900));
    ASSERT_EQ(A, B);
  }
  EXPECT_GT(regionNamed("filter").compiles, 0u);
  unwrap(Wrapped);
}

TEST(Wrapped, VersionsUseTheLibrarysOwnVariables) {
  Plugin Kernels("kernels");
  auto *Original = Kernels.function<double(double *, const double *, int)>("filter");
  auto *Wrapped =
      Kernels.wrap<double(double *, const double *, int)>("filter", "f64 filter(ptr, ptr, i32)");
  ASSERT_EQ(verify(Wrapped), SPECRT_WRAP_OK) << wrapError();
  auto *Gain = static_cast<double *>(Kernels.symbol("gain"));
  std::vector<double> In = numbers(500, 1), Out(500), Out2(500);
  for (int I = 0; I < 200; ++I) {
    *Gain = I < 100 ? 1 : 2.5;
    bias = I % 20;
    ASSERT_EQ(Original(Out.data(), In.data(), 500), Wrapped(Out2.data(), In.data(), 500));
    ASSERT_EQ(Out, Out2);
  }
  EXPECT_GT(regionNamed("filter").compiles, 0u);
  EXPECT_NE(Kernels.symbol("bias"), &bias);
  *Gain = 1;
  unwrap(Wrapped);
}

TEST(Wrapped, StructsTravelByValue) {
  struct Point {
    double X, Y;
  };
  struct Box {
    Point Low, High;
  };
  using Bounds = Box(const Point *, int, Point);
  Plugin Kernels("kernels");
  auto *Original = Kernels.function<Bounds>("bounds");
  auto *Wrapped =
      Kernels.wrap<Bounds>("bounds", "{{f64, f64}, {f64, f64}} bounds(ptr, i32, {f64, f64})");
  ASSERT_EQ(verify(Wrapped), SPECRT_WRAP_OK) << wrapError();
  std::vector<Point> Points;
  for (double X : numbers(400, -5))
    Points.push_back({X, 3 - X * X});
  for (int I = 0; I < 100; ++I) {
    Box A = Original(Points.data(), 400, {0.5, 0.25}), B = Wrapped(Points.data(), 400, {0.5, 0.25});
    ASSERT_EQ(A.Low.X, B.Low.X) << "call " << I;
    ASSERT_EQ(A.Low.Y, B.Low.Y);
    ASSERT_EQ(A.High.X, B.High.X);
    ASSERT_EQ(A.High.Y, B.High.Y);
  }
  EXPECT_GT(regionNamed("bounds").compiles, 0u);
  unwrap(Wrapped);
}

TEST(Wrapped, PointersAndNarrowArgumentsArriveWhole) {
  using Find = const float *(const float *, unsigned, float, bool, signed char);
  Plugin Kernels("kernels");
  auto *Original = Kernels.function<Find>("find_first");
  auto *Wrapped = Kernels.wrap<Find>("find_first", "ptr find_first(ptr, u32, f32, bool, i8)");
  ASSERT_EQ(verify(Wrapped), SPECRT_WRAP_OK) << wrapError();
  std::vector<float> Values(300, 2);
  Values[290] = 4;
  for (int I = 0; I < 200; ++I)
    for (signed char Sign : {-1, 1, -2})
      for (bool Negate : {false, true})
        ASSERT_EQ(Original(Values.data(), 300, -8, Negate, Sign),
                  Wrapped(Values.data(), 300, -8, Negate, Sign));
  EXPECT_GT(regionNamed("find_first").compiles, 0u);
  unwrap(Wrapped);
}

TEST(Wrapped, MemoryComesFromTheProgramsAllocator) {
  struct Point {
    double X, Y;
  };
  using Filled = double *(Point, unsigned long);
  Plugin Kernels("kernels");
  auto *Original = Kernels.function<Filled>("filled");
  auto *Wrapped = Kernels.wrap<Filled>("filled", "ptr filled({f64, f64}, u64)");
  ASSERT_EQ(verify(Wrapped), SPECRT_WRAP_OK) << wrapError();
  for (int I = 0; I < 100; ++I) {
    double *A = Original({1, 2}, 800), *B = Wrapped({1, 2}, 800);
    ASSERT_EQ(std::vector<double>(A, A + 100), std::vector<double>(B, B + 100));
    std::free(A);
    std::free(B);
  }
  EXPECT_GT(regionNamed("filled").compiles, 0u);
  unwrap(Wrapped);
}

TEST(Wrapped, RecursionRunsTheOriginalInside) {
  Plugin Kernels("kernels");
  auto *Wrapped = Kernels.wrap<long(long)>("fibonacci", "i64 fibonacci(i64)");
  ASSERT_EQ(verify(Wrapped), SPECRT_WRAP_OK) << wrapError();
  for (int I = 0; I < 100; ++I)
    ASSERT_EQ(Wrapped(15), 610);
  EXPECT_GT(regionNamed("fibonacci").compiles, 0u);
  unwrap(Wrapped);
}

Each *CurrentEach;
long visitAgain(long I) { return I > 0 && I % 3 == 0 ? CurrentEach(I - 1, 1, visitAgain) : I; }

TEST(Wrapped, CallablesMayCallThemselves) {
  Plugin Kernels("kernels");
  auto *Wrapped = Kernels.wrap<Each>("each", "i64 each(i64, i64, ptr)");
  CurrentEach = Kernels.function<Each>("each");
  long Expected = CurrentEach(20, 1, visitAgain);
  CurrentEach = Wrapped;
  for (int I = 0; I < 100; ++I)
    ASSERT_EQ(Wrapped(20, 1, visitAgain), Expected);
  EXPECT_GT(regionNamed("each").compiles, 0u);
  unwrap(Wrapped);
}

int throwOnThree(int N) {
  if (N == 3)
    throw std::runtime_error("three");
  return N;
}

TEST(Wrapped, ExceptionsPassThrough) {
  Plugin Functions("unsupported");
  using PassThrough = int(int, int (*)(int));
  auto *Wrapped = Functions.wrap<PassThrough>("passThrough", "i32 passThrough(i32, ptr)");
  ASSERT_EQ(verify(Wrapped), SPECRT_WRAP_OK) << wrapError();
  int Caught = 0;
  for (int I = 0; I < 400; ++I)
    try {
      int N = I % 8 == 7 ? 3 : 4; // so that versions for 4 and for 3 are tried
      ASSERT_EQ(Wrapped(N, throwOnThree), 5);
    } catch (const std::runtime_error &) {
      ++Caught;
    }
  EXPECT_EQ(Caught, 50);
  for (int I = 0; I < 100; ++I)
    EXPECT_THROW(Wrapped(3, throwOnThree), std::runtime_error);
  EXPECT_GT(regionNamed("passThrough").compiles, 0u);
  unwrap(Wrapped);
}

std::jmp_buf Landing;
int jumpOnThree(int N) {
  if (N == 3)
    std::longjmp(Landing, 1);
  return N;
}

TEST(Wrapped, LongjmpMayLeave) {
  Plugin Functions("unsupported");
  using PassThrough = int(int, int (*)(int));
  auto *Wrapped = Functions.wrap<PassThrough>("passThrough", "i32 passThrough(i32, ptr)");
  static volatile int Jumps, Results;
  Jumps = 0;
  Results = 0;
  for (volatile int I = 0; I < 200; I = I + 1) {
    if (setjmp(Landing) == 0)
      Results = Results + (Wrapped(I % 2 ? 3 : 4, jumpOnThree) == 5);
    else
      Jumps = Jumps + 1;
  }
  EXPECT_EQ(Jumps, 100);
  EXPECT_EQ(Results, 100);
  EXPECT_GT(regionNamed("passThrough").compiles, 0u);
  unwrap(Wrapped);
}

TEST(Wrapped, SixtyFourThreadsMayCallOne) {
  Plugin Kernels("kernels");
  auto *Original = Kernels.function<Gemm>("gemm");
  auto *Wrapped = Kernels.wrap<Gemm>("gemm", GemmSignature);
  constexpr long N = 12;
  std::vector<double> A = numbers(N * N, 1), B = numbers(N * N, 2), Expected(N * N);
  Original(N, N, N, 2, 0, Expected.data(), A.data(), B.data());
  std::vector<std::thread> Threads;
  std::vector<int> Wrong(64);
  for (int &Count : Wrong)
    Threads.emplace_back([&] {
      std::vector<double> C(N * N);
      for (int I = 0; I < 200; ++I) {
        Wrapped(N, N, N, 2, 0, C.data(), A.data(), B.data());
        Count += C != Expected;
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Wrong, std::vector<int>(64));
  EXPECT_GT(regionNamed("gemm").compiles, 0u);
  unwrap(Wrapped);
}

TEST(Wrapped, ManyThreadsMayWrapAndUnwrap) {
  Plugin Kernels("kernels");
  std::vector<std::thread> Threads;
  std::vector<int> Wrong(8);
  for (int &Count : Wrong)
    Threads.emplace_back([&] {
      for (int I = 0; I < 10; ++I) {
        auto *Wrapped = Kernels.wrap<long(long)>("fibonacci", "i64 fibonacci(i64)");
        for (int J = 0; J < 20; ++J)
          Count += Wrapped(10) != 55;
        Count += unwrap(Wrapped) != SPECRT_WRAP_OK;
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Wrong, std::vector<int>(8));
}

TEST(Wrapped, MayBeVerifiedAgain) {
  Plugin Kernels("kernels");
  auto *Wrapped = Kernels.wrap<long(long)>("fibonacci", "i64 fibonacci(i64)");
  for (int I = 0; I < 3; ++I)
    ASSERT_EQ(verify(Wrapped), SPECRT_WRAP_OK) << wrapError();
  for (int I = 0; I < 100; ++I)
    ASSERT_EQ(Wrapped(15), 610);
  specrt_region_info Info = regionNamed("fibonacci");
  EXPECT_GT(Info.compiles, 0u);
  EXPECT_NE(Info.state, unsigned(SPECRT_STATE_COMPILING));
  unwrap(Wrapped);
}

TEST(Wrapped, IsListedFromTheStart) {
  Plugin Kernels("kernels");
  auto *Wrapped = Kernels.wrap<Gemm>("gemm", GemmSignature);
  EXPECT_EQ(regionNamed("gemm").state, unsigned(SPECRT_STATE_COLD));
  unwrap(Wrapped);
  EXPECT_EQ(verify(Wrapped), SPECRT_WRAP_INVALID);
}

} // namespace
