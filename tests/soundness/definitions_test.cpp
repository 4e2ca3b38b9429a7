//===- tests/soundness/definitions_test.cpp - one name, several functions --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
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

} // namespace
