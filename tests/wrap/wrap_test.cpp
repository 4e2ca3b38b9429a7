//===- tests/wrap/wrap_test.cpp - stories of wrapped functions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specrt/wrap.hpp"
#include "tests/wrap/plugin.h"

#include <atomic>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern "C" __attribute__((visibility("default"))) double bias;
double bias = 2;

namespace {
using Decay = double(double *, long);
/// What the library silent tells.
Decay *SilentDecay;
std::atomic<int> SilentClosings;
std::thread::id SilentClosedBy;
} // namespace

extern "C" __attribute__((visibility("default"))) void silent_opened(void *Function) {
  SilentDecay = reinterpret_cast<Decay *>(Function);
}
extern "C" __attribute__((visibility("default"))) void silent_closed() {
  SilentClosedBy = std::this_thread::get_id();
  ++SilentClosings;
}

namespace {

using Gemm = void(long, long, long, double, double, double *, const double *, const double *);
constexpr const char *GemmSignature =
    "void gemm(i64 n, i64 m, i64 p, f64 alpha, f64 beta, ptr C, ptr A, ptr B)";

std::vector<double> numbers(size_t Count, double Start) {
  std::vector<double> Values(Count);
  for (size_t I = 0; I < Count; ++I)
    Values[I] = Start + static_cast<double>(I * 7919 % 1009) / 97;
  return Values;
}

/// Runs Work in a forked child. Its result, as exit status.
template <typename F> int inChild(F Work) {
  pid_t Child = fork();
  if (Child == 0)
    _exit(Work());
  int Status = -1;
  waitpid(Child, &Status, 0);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status);
}

/// Settings are fixed by the first region that runs: these tests need programs of their own, which
/// gtest starts by running this one again.
class Settings : public testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
template <typename F> void expectInNewProgram(F Work, int Expected = 0) {
  EXPECT_EXIT(std::exit(Work()), testing::ExitedWithCode(Expected), "");
}

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

using Each = long(long, long, long (*)(long));
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

/// The callable of the library silent, which is opened by this.
Decay *wrapDecay(const Plugin &Silent) {
  void *Callable = specrt_wrap(reinterpret_cast<void *>(SilentDecay), "f64 decay(ptr, i64)",
                               Silent.Bitcode.data(), Silent.Bitcode.size());
  EXPECT_NE(Callable, nullptr) << wrapError();
  return reinterpret_cast<Decay *>(Callable);
}

TEST(Wrapped, WhatALibraryWithoutExportsImportsIsFound) {
  Plugin Silent("silent");
  Decay *Wrapped = wrapDecay(Silent);
  ASSERT_EQ(verify(Wrapped), SPECRT_WRAP_OK) << wrapError();
  for (int I = 0; I < 100; ++I) {
    std::vector<double> A = numbers(300, 0.5), B = A;
    ASSERT_EQ(SilentDecay(A.data(), 300), Wrapped(B.data(), 300));
    ASSERT_EQ(A, B);
  }
  EXPECT_GT(regionNamed("decay").compiles, 0u);
  unwrap(Wrapped);
}

TEST(Wrapped, APluginMayBeClosedAfterUnwrap) {
  for (int I = 0; I < 3; ++I) {
    SilentClosings = 0;
    Plugin Silent("silent");
    Decay *Wrapped = wrapDecay(Silent);
    for (int J = 0; J < 50; ++J) {
      std::vector<double> A = numbers(300, 0.5);
      ASSERT_GT(Wrapped(A.data(), 300), 0);
    }
    EXPECT_GT(regionNamed("decay").compiles, 0u);
    Silent.close();
    EXPECT_EQ(SilentClosings, 0);
    EXPECT_EQ(unwrap(Wrapped), SPECRT_WRAP_OK);
    EXPECT_EQ(SilentClosings, 1);
    EXPECT_EQ(SilentClosedBy, std::this_thread::get_id());
    specrt_wait_idle(10000);
  }
}

TEST(Wrapped, UnwrappingWhileItIsReadClosesThePluginOnTheCallersThread) {
  for (int I = 0; I < 20; ++I) {
    SilentClosings = 0;
    Plugin Silent("silent");
    Decay *Wrapped = wrapDecay(Silent);
    Silent.close();
    // No time to read anything, not even where calls wait for the compiler.
    EXPECT_EQ(specrt_wrap_verify(reinterpret_cast<void *>(Wrapped), 0), SPECRT_WRAP_TIMEOUT);
    std::this_thread::sleep_for(std::chrono::microseconds(I * 100));
    EXPECT_EQ(unwrap(Wrapped), SPECRT_WRAP_OK);
    EXPECT_EQ(specrt_wait_idle(60000), 1);
    EXPECT_EQ(SilentClosings, 1);
    EXPECT_EQ(SilentClosedBy, std::this_thread::get_id());
  }
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

TEST(Wrapped, APluginStaysLoadedWhileItIsWrapped) {
  SilentClosings = 0;
  Plugin Silent("silent");
  Decay *Wrapped = wrapDecay(Silent);
  Silent.close();
  for (int J = 0; J < 50; ++J) {
    std::vector<double> A = numbers(300, 0.5);
    ASSERT_GT(Wrapped(A.data(), 300), 0);
  }
  EXPECT_EQ(SilentClosings, 0);
  EXPECT_EQ(unwrap(Wrapped), SPECRT_WRAP_OK);
}

TEST(Wrapped, IsListedFromTheStart) {
  Plugin Kernels("kernels");
  auto *Wrapped = Kernels.wrap<Gemm>("gemm", GemmSignature);
  EXPECT_EQ(regionNamed("gemm").state, unsigned(SPECRT_STATE_COLD));
  unwrap(Wrapped);
  EXPECT_EQ(verify(Wrapped), SPECRT_WRAP_INVALID);
}

int disabled() {
  if (specrt_configure("SPECRT_DISABLE", "1"))
    return 1;
  Plugin Kernels("kernels");
  void *Wrapped = Kernels.wrap("fibonacci", "i64 fibonacci(i64)");
  if (Wrapped != Kernels.symbol("fibonacci"))
    return 2;
  if (verify(Wrapped) != SPECRT_WRAP_OK || specrt_unwrap(Wrapped) != SPECRT_WRAP_OK)
    return 3;
  return specrt_compiler_loaded() ? 4 : 0;
}
TEST_F(Settings, DisableGivesTheFunctionItself) { expectInNewProgram(disabled); }

int withoutCompiling() {
  if (specrt_configure("SPECRT_COMPILE", "off"))
    return 1;
  Plugin Kernels("kernels");
  auto *Wrapped = Kernels.wrap<long(long)>("fibonacci", "i64 fibonacci(i64)");
  if (verify(Wrapped) != SPECRT_WRAP_NO_COMPILER)
    return 2;
  for (int I = 0; I < 100; ++I)
    if (Wrapped(10) != 55)
      return 3;
  if (std::string(regionNamed("fibonacci").reason) != "nothing is compiled (SPECRT_COMPILE=off)")
    return 4;
  return specrt_compiler_loaded() ? 5 : 0;
}
TEST_F(Settings, WithoutCompilingTheCompilerIsNotLoaded) { expectInNewProgram(withoutCompiling); }

int neverHot() {
  if (specrt_configure("SPECRT_HOT", "10000"))
    return 1;
  Plugin Kernels("kernels");
  auto *Wrapped = Kernels.wrap<long(long)>("fibonacci", "i64 fibonacci(i64)");
  for (int I = 0; I < 100; ++I)
    if (Wrapped(10) != 55)
      return 2;
  if (regionNamed("fibonacci").calls != 100)
    return 3;
  return specrt_compiler_loaded() ? 4 : 0;
}
TEST_F(Settings, WhatIsNotHotDoesNotLoadTheCompiler) { expectInNewProgram(neverHot); }

/// 1 when gemm was specialised, 0 when not.
int runWithStore(const char *Hot) {
  if (specrt_configure("SPECRT_PROFILE", "readwrite") ||
      specrt_configure("SPECRT_CACHE_DIR", getenv("WRAP_TEST_CACHE")) ||
      specrt_configure("SPECRT_HOT", Hot))
    return 100;
  Plugin Kernels("kernels");
  auto *Wrapped = Kernels.wrap<Gemm>("gemm", GemmSignature);
  std::vector<double> A = numbers(64 * 64, 1), B = A, C = A;
  for (int I = 0; I < 60; ++I)
    Wrapped(64, 64, 64, 1, 0, C.data(), A.data(), B.data());
  return regionNamed("gemm").state == SPECRT_STATE_SPECIALISED;
}
TEST_F(Settings, TheSecondRunKnowsWhatWasHot) {
  // The programs that gtest starts come by here too.
  char Folder[] = "/tmp/specrt-wrap-XXXXXX";
  bool IsFirst = !getenv("WRAP_TEST_CACHE");
  if (IsFirst) {
    ASSERT_NE(mkdtemp(Folder), nullptr);
    setenv("WRAP_TEST_CACHE", Folder, 1);
  }
  // Nothing gets hot in ten seconds of running time; but it was, in an earlier run.
  expectInNewProgram([] { return runWithStore("10000"); }, 0);
  expectInNewProgram([] { return runWithStore("0"); }, 1);
  expectInNewProgram([] { return runWithStore("10000"); }, 1);
  if (IsFirst) {
    EXPECT_EQ(std::system(("rm -r " + std::string(Folder)).c_str()), 0);
    unsetenv("WRAP_TEST_CACHE");
  }
}

int wrapsWrongly() {
  if (specrt_configure("SPECRT_LOG", "info"))
    return 1;
  specrt_wrap(reinterpret_cast<void *>(&wrapsWrongly), "f64 dot(ptr, float)", "BC\xc0\xde", 4);
  return 0;
}
TEST_F(Settings, FailuresAreLogged) {
  EXPECT_EXIT(std::exit(wrapsWrongly()), testing::ExitedWithCode(0),
              "specrt_wrap\\(\"f64 dot\\(ptr, float\\)\"\\): signature, position 14");
}

/// Read by the worker of this process, or given up for a reason.
bool isSettled(const char *Name) {
  specrt_region_info Info = regionNamed(Name);
  return Info.compiles > 0 || Info.state == SPECRT_STATE_BLOCKED;
}

/// A program that forks while the worker reads one function and has taken up another.
int forksWhileItIsRead(unsigned DelayUs) {
  if (specrt_configure("SPECRT_COMPILE", "background"))
    return 1;
  Plugin Kernels("kernels");
  auto *Fibonacci = Kernels.wrap<long(long)>("fibonacci", "i64 fibonacci(i64)");
  auto *Sum = Kernels.wrap<Each>("each", "i64 each(i64, i64, ptr)");
  for (void *Callable : {reinterpret_cast<void *>(Fibonacci), reinterpret_cast<void *>(Sum)})
    if (specrt_wrap_verify(Callable, 0) != SPECRT_WRAP_TIMEOUT)
      return 2;
  usleep(DelayUs);
  return inChild([&] {
    for (int I = 0; I < 2000; ++I) {
      if (Fibonacci(10) != 55 || Sum(4, 1, [](long X) { return X; }) != 6)
        return 3;
      if (isSettled("fibonacci") && isSettled("each"))
        return 0;
      usleep(10000);
    }
    return 4;
  });
}
TEST_F(Settings, ForkingWhileItIsReadLosesNoRegion) {
  for (unsigned DelayUs : {0, 50, 200, 1000, 10000, 100000})
    expectInNewProgram([=] { return forksWhileItIsRead(DelayUs); });
}

TEST(Fork, AChildMayGoOnCalling) {
  Plugin Kernels("kernels");
  auto *Wrapped = Kernels.wrap<long(long)>("fibonacci", "i64 fibonacci(i64)");
  for (int I = 0; I < 5; ++I) {
    EXPECT_EQ(Wrapped(10), 55);
    EXPECT_EQ(inChild([&] {
                for (int J = 0; J < 100; ++J)
                  if (Wrapped(10) != 55)
                    return 1;
                return 0;
              }),
              0);
  }
  unwrap(Wrapped);
}

struct Pair {
  float First;
  short Second;
};
enum class Colour : unsigned char { Red };

} // namespace

template <> struct specrt::SignatureText<Pair> {
  static std::string text() { return "{f32, i16}"; }
};

namespace {

TEST(Typed, WritesSignatures) {
  EXPECT_EQ(specrt::signatureOf<void()>("f"), "void f()");
  EXPECT_EQ((specrt::signatureOf<double(const double *, const double *, long)>("dot")),
            "f64 dot(ptr, ptr, i64)");
  EXPECT_EQ((specrt::signatureOf<Pair(bool, signed char, unsigned short, int, unsigned, float,
                                      Colour, const Pair &, Pair, const int)>("g")),
            "{f32, i16} g(bool, i8, u16, i32, u32, f32, u8, ptr, {f32, i16}, i32)");
  EXPECT_EQ(specrt::signatureOf<double(float) noexcept>("h"), "f64 h(f32)");
}

TEST(Typed, OwnsTheCallable) {
  Plugin Kernels("kernels");
  auto *Fibonacci = Kernels.function<long(long)>("fibonacci");
  {
    specrt::Wrapped<long(long)> First(Fibonacci, "fibonacci", Kernels.Bitcode);
    EXPECT_EQ(First.error(), "");
    EXPECT_TRUE(First.verify(std::chrono::seconds(60)));
    specrt::Wrapped<long(long)> Second(std::move(First));
    EXPECT_NE(Second.get(), Fibonacci);
    EXPECT_EQ(Second(10), 55);
    regionNamed("fibonacci");
  }
  specrt_region_info Info;
  EXPECT_EQ(specrt_find_region("fibonacci", &Info), 0);
  specrt::Wrapped<long(long)> Refused(Fibonacci, "fibonacci", "no bitcode");
  EXPECT_EQ(Refused.code(), SPECRT_WRAP_BITCODE);
  EXPECT_EQ(Refused(10), 55);
}

} // namespace
