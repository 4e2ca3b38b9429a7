//===- tests/soundness/definitions_test.cpp - one name, several functions --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace specrt::soundness;
using testing::HasSubstr;

namespace {

/// Two files define the same inline functions with other flags, and the linker keeps those of the
/// first file. Versions of the second file's loops call these as well.
TEST(Definitions, OfInlineFunctionsInFilesWithOtherFlags) {
  const std::string Inline = R"(
#include <cmath>
#include <cstdio>
template <class T> __attribute__((noinline)) T price(T s, T k, T t) noexcept {
  return s * k + t * s - k * t;
}
struct Mixer {
  double w;
  __attribute__((noinline)) double mix(double a, double b) const noexcept { return a * w + b; }
};
)";
  ProgramPair Program({{"first.cpp", Inline + R"(
void run(double *a, const double *b, int n, const Mixer &m);
double A[1000], B[1000];
int main() {
  Mixer m{0.7};
  for (int i = 0; i < 1000; i++) {
    A[i] = i * 0.1 + 0.01;
    B[i] = 1.0 / (i + 1);
  }
  for (int c = 0; c < 30; c++) {
    run(A, B, 1000, m);
    for (int i = 0; i < 1000; i++) {
      if (i % 37 == 0)
        std::printf("%a\n", A[i]);
      A[i] = std::fmod(price(A[i], 0.1, 0.2) + m.mix(A[i], 0.3), 10);
    }
  }
}
)",
                        "-mno-fma"},
                       {"second.cpp", Inline + R"(
void run(double *a, const double *b, int n, const Mixer &m) {
  for (int i = 0; i < n; ++i)
    a[i] = m.mix(price(a[i], b[i], 0.3), b[i]);
}
)",
                        "-mfma"}},
                      "-O2");
  EXPECT_THAT(Program.remarks(), HasSubstr("second.cpp:13:3: remark: loop is a region"));
  Program.expectSameBits();
}

/// At -O1 clang inlines nothing of the C++ library; versions still do, and find an affine loop.
TEST(Definitions, OfAccessorsAreUsedInVersions) {
  ProgramPair Program({{"program.cpp", R"(
#include <cstdio>
#include <vector>
__attribute__((noinline)) void step(std::vector<double> &a, const std::vector<double> &b, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a[i * n + j] += b[j * n + i] * 0.5;
}
int main() {
  int n = 300;
  std::vector<double> a(n * n, 1.0), b(n * n);
  for (int i = 0; i < n * n; ++i)
    b[i] = i % 17 * 0.1;
  for (int c = 0; c < 50; ++c)
    step(a, b, n);
  for (int i = 0; i < n * n; i += 1001)
    std::printf("%a\n", a[i]);
}
)"}},
                      "-O1");
  EXPECT_THAT(Program.remarks(), HasSubstr("program.cpp:5:3: remark: loop is a region"));
  Program.expectSameBits();
}

/// A program may define what a shared library exports: then the library's own calls reach it.
TEST(Definitions, OfASharedLibraryThatTheProgramReplaces) {
  specrt::e2e::Sandbox Box;
  std::ofstream(Box.path("library.c")) << R"(
__attribute__((noinline)) double weigh(double x) { return x * 3 + 1; }
const double table[4] = {1, 2, 3, 4};
void run(double *a, int n) {
  for (int i = 0; i < n; i++)
    a[i] = weigh(a[i]) + table[i & 3];
}
)";
  std::ofstream(Box.path("program.c")) << R"(
#include <stdio.h>
double weigh(double x) { return x * 0.5 + 2; }
const double table[4] = {5, 6, 7, 8};
void run(double *a, int n);
double A[1000];
int main(void) {
  for (int c = 0; c < 60; ++c)
    run(A, 1000);
  for (int i = 0; i < 1000; i += 37)
    printf("%a\n", A[i]);
}
)";
  auto Build = [&](const char *Compiler, const std::string &Half) {
    const std::string Library = Box.path("lib" + Half + ".so"), Host = SPECRT_SOUNDNESS_HOST_FLAGS;
    std::vector<std::string> Flags = {"-O2", "-w"}, Linked = Flags;
    if (!Host.empty())
      Linked.push_back(Host);
    Flags.insert(Flags.end(), {"-fPIC", "-shared", Box.path("library.c"), "-o", Library});
    Linked.insert(Linked.end(), {Box.path("program.c"), Library, "-pthread", "-o", Box.path(Half)});
    EXPECT_EQ(Box.run(Compiler, Flags).Status, 0);
    EXPECT_EQ(Box.run(Compiler, Linked).Status, 0);
  };
  Build(SPECRT_SOUNDNESS_CLANG, "plain");
  Build(SPECRT_SOUNDNESS_DRIVER, "with");
  const Outcome Plain = Box.run(Box.path("plain"), {});
  EXPECT_EQ(Plain.Status, 0);
  unsigned Ran = 0;
  for (int Run = 1; Run <= 3; ++Run) {
    const Outcome With = Box.run(Box.path("with"), {}, AtOnce);
    specrt::e2e::expectSame(With, Plain);
    Ran += versionsRan(With);
  }
  EXPECT_GT(Ran, 0U);
}

} // namespace
