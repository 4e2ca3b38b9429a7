//===- tests/wrap/programs_test.cpp - wrapped functions in programs of their own ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/wrap/kernels.h"
#include "tests/wrap/plugin.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

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

} // namespace
