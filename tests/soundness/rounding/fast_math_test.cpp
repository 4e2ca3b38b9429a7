//===- tests/soundness/rounding/fast_math_test.cpp - bits of -ffast-math ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program with a function per loop body, under several flags and for several targets. Bodies
// whose results flags leave open keep their original code and say so; others get versions. All give
// the bits of clang's build.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gmock/gmock.h>

using namespace specrt::soundness;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

const char *const Open = "flags such as -ffast-math leave its results open";

/// When versions may exist.
enum class Settled { Always, WithoutFma, Never };

struct Body {
  const char *Name;
  Settled When;
  const char *Loop;
};

const Body Bodies[] = {
    {"scale", Settled::Always, "for (int i = 0; i < m; ++i) a[i] = s * b[i];"},
    {"sub", Settled::Always, "for (int i = 0; i < m; ++i) a[i] -= c[i];"},
    {"axpy", Settled::Always, "for (int i = 0; i < m; ++i) a[i] += s * b[i];"},
    {"nmsub", Settled::Always, "for (int i = 0; i < m; ++i) a[i] = c[i] - s * b[i];"},
    {"strided", Settled::Always, "for (int i = 0; i < m / 3; ++i) a[i] += s * b[3 * i];"},
    {"reverse", Settled::Always, "for (int i = 0; i < m; ++i) a[i] = b[m - 1 - i] * c[i] + t;"},
    {"rank1", Settled::Always,
     "for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) A[i * n + j] += b[i] * c[j];"},
    {"matvect", Settled::Always,
     "for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) a[j] += A[i * n + j] * b[i];"},
    {"gemm", Settled::Always,
     "for (int i = 0; i < n; ++i) for (int k = 0; k < n; ++k) for (int j = 0; j < n; ++j) "
     "A[i * n + j] += B[i * n + k] * C[k * n + j];"},
    {"cond", Settled::Always, "for (int i = 0; i < m; ++i) if (b[i] > 0) a[i] = c[i] * s;"},
    {"clamp", Settled::Always, "for (int i = 0; i < m; ++i) a[i] = b[i] > 1 ? 1 : b[i];"},
    {"ints", Settled::Always, "for (int i = 0; i < m; ++i) D[i] = D[i] * 3 + E[i];"},
    {"axpby", Settled::WithoutFma, "for (int i = 0; i < m; ++i) a[i] = s * b[i] + t * c[i];"},
    {"addmul", Settled::Always, "for (int i = 0; i < m; ++i) a[i] = (b[i] + c[i]) * s;"},
    {"addone", Settled::WithoutFma, "for (int i = 0; i < m; ++i) a[i] = (b[i] + 1) * c[i];"},
    {"dot", Settled::Never, "T r = 0; for (int i = 0; i < m; ++i) r += b[i] * c[i]; a[0] = r;"},
    {"matvec", Settled::Never,
     "for (int i = 0; i < n; ++i) { T r = 0; for (int j = 0; j < n; ++j) r += A[i * n + j] * b[j];"
     " a[i] = r; }"},
    {"matmat", Settled::Never,
     "for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) { T r = 0; "
     "for (int k = 0; k < n; ++k) r += B[i * n + k] * C[j * n + k]; A[i * n + j] = r; }"},
    {"prefix", Settled::Never, "for (int i = 1; i < m; ++i) a[i] += a[i - 1];"},
    {"jacobi", Settled::Never,
     "for (int i = 1; i < m - 1; ++i) a[i] = s * (b[i - 1] + b[i] + b[i + 1]);"},
    {"mulmul", Settled::Never, "for (int i = 0; i < m; ++i) a[i] = b[i] * c[i] * s;"},
    {"twice", Settled::Never, "for (int i = 0; i < m; ++i) a[i] = 2 * b[i] + c[i];"},
    {"horner", Settled::WithoutFma,
     "for (int i = 0; i < m; ++i) a[i] = (b[i] * s + t) * b[i] + c[i];"},
    {"negsum", Settled::Never, "for (int i = 0; i < m; ++i) a[i] = -(b[i] + c[i]);"},
};

std::string program(const std::string &Type) {
  std::string Text = R"(
#include <stdio.h>
#include <stdlib.h>
enum { N = 1200, M = 67 }; // 17 M elements fit
)";
  Text += "typedef " + Type + " T;\n";
  for (const Body &B : Bodies)
    Text += "__attribute__((noinline)) void k_" + std::string(B.Name) +
            "(int n, int m, T *a, T *b, T *c, T *A, T *B, T *C, int *D, int *E, T s, T t) {\n  " +
            B.Loop + "\n}\n";
  Text += R"(
static T a[N], b[N], c[N], A[M * M], B[M * M], C[M * M];
static int D[N], E[N];
static void fill(T *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = (rand() % 2000001 - 1000000) * (T)0x1.3579bdp-20;
}
static unsigned long hash(const void *p, size_t n, unsigned long h) {
  for (size_t i = 0; i < n; ++i)
    h = (h ^ ((const unsigned char *)p)[i]) * 1099511628211ul;
  return h;
}
typedef void Kernel(int, int, T *, T *, T *, T *, T *, T *, int *, int *, T, T);
static void run(const char *name, Kernel *kernel) {
  static const int others[] = {1, 7, 16, 33};
  unsigned long h = 0;
  srand(7);
  fill(a, N), fill(b, N), fill(c, N), fill(A, M * M), fill(B, M * M), fill(C, M * M);
  for (int i = 0; i < N; ++i)
    D[i] = rand(), E[i] = rand();
  for (int r = 0; r < 50; ++r) {
    const int n = r < 46 ? M : others[r - 46];
    kernel(n, 17 * n, a, b, c, A, B, C, D, E, (T)1.2345678, (T)0.37);
    for (int i = 0; i < M; ++i)
      a[i] = b[i] * (T)0.5;
    for (int i = 0; i < M * M; ++i)
      A[i] = B[i] * (T)0.25;
    h = hash(D, sizeof D, hash(A, sizeof A, hash(a, sizeof a, h)));
  }
  printf("%s %lx\n", name, h);
}
int main(void) {
)";
  for (const Body &B : Bodies)
    Text += "  run(\"" + std::string(B.Name) + "\", k_" + B.Name + ");\n";
  return Text + "}\n";
}

struct Build {
  const char *Name, *Type, *Flags;
  bool HasFma;
};

void PrintTo(const Build &B, std::ostream *Out) { *Out << B.Name; }

class FastMathBuild : public testing::TestWithParam<Build> {};

TEST_P(FastMathBuild, GivesTheBitsOfClang) {
  const Build &B = GetParam();
  const ProgramPair Program(program(B.Type), B.Flags);
  const Outcome First = Program.expectSameBits();
  for (const Body &Each : Bodies) {
    const auto Region = First.region("k_" + std::string(Each.Name));
    ASSERT_TRUE(Region.is_object()) << Each.Name << "\n" << Program.remarks();
    if (Each.When == Settled::Always || (Each.When == Settled::WithoutFma && !B.HasFma))
      EXPECT_GT(versionsRan(Region), 0u) << Region.dump(1);
    else
      EXPECT_THAT(Region["reason"], StartsWith(Open)) << Region.dump(1);
  }
  EXPECT_THAT(Program.remarks(), HasSubstr("SPECRT_FP=fast only: its operations may be reordered"));
}

#define ASSOCIATIVE "-fassociative-math -fno-signed-zeros -fno-trapping-math"

const Build Builds[] = {
    {"FastMath", "double", "-O3 -ffast-math", false},
    {"FastMathAvx2", "float", "-O3 -ffast-math -mavx2", false},
    {"FastMathFma", "double", "-O3 -ffast-math -mavx2 -mfma", true},
    {"Ofast", "float", "-Ofast -march=native -mfma", true},
    {"AssociativeMath", "float", "-O2 " ASSOCIATIVE " -ffp-contract=off", false},
    {"AssociativeMathAvx2", "double", "-O3 -mavx2 " ASSOCIATIVE " -ffp-contract=off", false},
    {"AssociativeMathFma", "float", "-O3 -mavx2 -mfma -ffp-contract=fast " ASSOCIATIVE, true},
};

INSTANTIATE_TEST_SUITE_P(, FastMathBuild, testing::ValuesIn(Builds),
                         [](const auto &Info) { return std::string(Info.param.Name); });

std::string oneLoop(const std::string &Loop) {
  return R"(
#include <stdio.h>
enum { N = 3000 };
static double A[N], B[N], C[N];
__attribute__((noinline)) static void nest(int n, double s) {
)" + Loop +
         R"(
}
int main(void) {
  for (int i = 0; i < N; ++i)
    A[i] = 1.0 + (i * 37 % 101) * 0x1p-7, B[i] = (i * 53 % 89) * 0x1.23p-5 + 0.25, C[i] = i;
  for (int c = 0; c < 40; ++c)
    nest(N, 1.37);
  for (int i = 0; i < N; i += 7)
    printf("%a\n", C[i]);
}
)";
}

/// Which of its multiplications are fused, the vectoriser of straight-line code decides when it
/// looks at the values that the nest begins with.
TEST(FastMath, NestsThatExchangeNumbersInRegistersKeepTheirBits) {
  const ProgramPair Program(R"(
#include <stdio.h>
enum { P = 40 };
static float A[1500];
__attribute__((noinline)) void nest(float (*B)[P], long m) {
  float own[8];
  for (long i = 0; i < 8; ++i)
    own[i] = B[i + 8][i + 1] * 0.75f;
  for (long j = 0; j < m; ++j)
    for (long i = 0; i < 8; ++i)
      own[i] -= own[(i + 1) % 8] * B[j + 6][i + 8];
  B[0][2] = own[0];
}
__attribute__((noinline)) float sum(const float *x, const float *y, long n) {
  float s = 0;
  for (long i = 0; i < n; ++i)
    s += x[i] * y[i];
  return s;
}
int main(void) {
  for (int c = 0; c < 40; ++c) {
    for (int i = 0; i < 1500; ++i)
      A[i] = ((i * 7919 + c * 31) % 61 - 30) * 0.37f;
    nest((float (*)[P])A, 14);
    printf("%a %a\n", A[2], sum(A + 8, A + 500, 500));
  }
}
)",
                            "-O2 -march=native -ffast-math");
  Program.expectSameBits({}, /*NeedsVersion=*/false);
  EXPECT_THAT(Program.remarks(), HasSubstr("several numbers enter or leave it in registers"));
  EXPECT_THAT(Program.remarks(), Not(HasSubstr("loop is a region: nest:")));
  EXPECT_THAT(Program.remarks(), HasSubstr("loop is a region: sum:")) << "one leaves it";
}

/// Where the nest is in place, its 0.5 and the difference before it meet in registers.
TEST(FastMath, NestsThatShareSmallArraysKeepTheirBits) {
  const ProgramPair Program(R"(
#include <stdio.h>
static double Pool[600];
__attribute__((noinline)) void nest(double *B, int m) {
  double own[16];
  for (int i = 0; i < 16; ++i)
    own[i] = (double)i - B[0];
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < 16; ++i) {
      B[(j ^ i) * 2] = 3.0;
      B[(j ^ i) * 2] += own[(i + 1) % 16] * 0.5;
    }
  B[2] = own[7];
}
__attribute__((noinline)) void scale(double *B, int m) {
  double other[300];
  for (int i = 0; i < m; ++i)
    other[i] = B[i] * 0.3;
  for (int j = 0; j < 30; ++j)
    for (int i = 0; i < m; ++i)
      B[i + j] = other[i] * 1.7;
}
int main(void) {
  for (int c = 0; c < 40; ++c) {
    for (int i = 0; i < 600; ++i)
      Pool[i] = ((i * 7919 + c * 31) % 61 - 30) * 0.37;
    nest(Pool, 22);
    scale(Pool, 290);
    for (int i = 0; i < 600; ++i)
      printf("%a\n", Pool[i]);
  }
}
)",
                            "-O2 -march=x86-64 -ffast-math");
  Program.expectSameBits({}, /*NeedsVersion=*/false);
  EXPECT_THAT(Program.remarks(), HasSubstr("with which it shares a small array"));
  EXPECT_THAT(Program.remarks(), Not(HasSubstr("loop is a region: nest:")));
  EXPECT_THAT(Program.remarks(), HasSubstr("loop is a region: scale:")) << "its subscripts vary";
}

/// The linker's passes see the call in front of a region.
TEST(FastMath, NestsThatTheLinkerOptimisesKeepTheirBits) {
  const ProgramPair Program(R"(
#include <math.h>
#include <stdio.h>
enum { P = 40, N = 36 * P };
static double Pool[3 * N];
struct grid { double *data; long pitch; };
static double *at(struct grid *g, long i, long j) { return g->data + i * g->pitch + j; }
static __attribute__((noinline)) double help_at(double x, double y, int depth) {
  return depth > 0 ? help_at(x / (1 + y * y), y, depth - 1) : x;
}
static double help(double x, double y) { return help_at(x, y, 3); }
void nest(struct grid *A, struct grid *B, struct grid *C, int n) {
  double s = *at(A, 1, 2);
  for (int i = 0; i < n - 1; i += 2) {
    *at(B, i, i) = 1.0 / (1 + fabs(s)) + -1.5;
    for (int j = i; j < 12; j += 2) {
      *at(A, j, i) = (*at(C, j, i) + *at(B, j, i + 2)) * (1.5 / (1 + fabs(*at(A, j + 6, i))));
      *at(C, j + 2, i) = (double)j * *at(C, i + 8, j) * -s - help(*at(A, i, j), i % 31);
    }
  }
  *at(B, 0, 1) = s;
}
int main(void) {
  struct grid grids[3] = {{Pool, P}, {Pool + N, P}, {Pool + 2 * N, P}};
  for (int c = 0; c < 30; ++c) {
    for (int i = 0; i < 3 * N; ++i)
      Pool[i] = ((i * 7919 + c * 31) % 61 - 30) * 0.37;
    nest(&grids[0], &grids[1], &grids[2], 17);
    for (int i = 0; i < 3 * N; i += 3)
      printf("%a\n", Pool[i]);
  }
}
)",
                            "-O2 -march=x86-64 -ffast-math -flto -fuse-ld=lld");
  Program.expectSameBits({}, /*NeedsVersion=*/false);
  EXPECT_THAT(Program.remarks(), HasSubstr("the linker optimises it once more"));
}

TEST(FastMath, ReciprocalsAreLeftOpenAlone) {
  const ProgramPair Division(oneLoop("for (int i = 0; i < n; ++i) C[i] = A[i] / B[i];"),
                             "-O3 -freciprocal-math");
  EXPECT_THAT(Division.remarks(), HasSubstr("its divisions may become products"));
  Division.expectSameBits({}, /*NeedsVersion=*/false);
  const ProgramPair Sums(oneLoop("for (int i = 0; i < n; ++i) C[i] += A[i] + B[i] * s;"),
                         "-O3 -mno-fma -freciprocal-math -ffp-contract=off");
  Sums.expectSameBits();
}

/// Checks that all runs of \p Program with SPECRT_FP=fast print the same, whichever versions they
/// use. The program prints only results of calls after all trials.
void expectOneResult(const ProgramPair &Program, const std::vector<std::string> &Functions) {
  std::string First;
  for (const char *Threads : {"1", "2"})
    for (const char *Cache : {"/first", "/second", "/first"}) {
      SCOPED_TRACE(std::string(Threads) + Cache);
      const Outcome Run = Program.with(
          {{"SPECRT_FP", "fast"},
           {"SPECRT_THREADS", Threads},
           {"SPECRT_CACHE_DIR", Program.box().path("").string() + Threads + (Cache + 1)}});
      ASSERT_EQ(Run.Status, 0) << Run.Errors;
      for (const std::string &Function : Functions)
        EXPECT_GT(versionsRan(Run.region(Function)), 0u) << Run.Report.dump(1);
      if (First.empty())
        First = Run.Output;
      EXPECT_EQ(Run.Output, First);
    }
  EXPECT_THAT(First, HasSubstr("in lanes: 1\n")) << "the order is not the one of docs/fast.md";
  EXPECT_THAT(Program.plain().Output, HasSubstr("in lanes: 0\n"));
}

TEST(FastMode, GivesOneResultWhateverWins) {
  const ProgramPair Program(R"(
#include <stdio.h>
enum { N = 100003, M = 317 };
static double A[N], B[N], Y[M];
static float F[N];
__attribute__((noinline)) static void dot(int n, const double *x, const double *y, double *out) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * y[i];
  *out = s;
}
__attribute__((noinline)) static void sum(int n, const double *x, double *out) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i];
  *out = s;
}
static double in_lanes(int n, const double *x) {
  double lanes[16];
  int i = 0;
  for (int l = 0; l < 16; ++l)
    lanes[l] = -0.0;
  for (; i + 16 <= n; i += 16)
    for (int l = 0; l < 16; ++l)
      lanes[l] += x[i + l];
  for (int half = 8; half; half /= 2)
    for (int l = 0; l < half; ++l)
      lanes[l] += lanes[l + half];
  double s = lanes[0];
  for (; i < n; ++i)
    s += x[i];
  return s;
}
__attribute__((noinline)) static void norm(int n, const float *x, float *out) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  *out = s;
}
__attribute__((noinline)) static void rows(int n, const double *a, const double *x, double *y) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      y[i] += a[i * n + j] * x[j];
}
int main(void) {
  for (int i = 0; i < N; ++i)
    A[i] = 1.0 + (i * 37 % 101) * 0x1.1p-7, B[i] = (i * 53 % 89) * 0x1.23p-5 / 7, F[i] = A[i] / 7;
  double d = 0, s = 0;
  float f = 0;
  for (int c = 0; c < 400; ++c) {
    for (int i = 0; i < M; ++i)
      Y[i] = i * 0.7; // a quotient would depend on whether this loop gets a version
    dot(N, A, B, &d);
    sum(N, B, &s);
    norm(N, F, &f);
    rows(M, A, B, Y);
  }
  printf("%a %a\nin lanes: %d\n", d, f, s == in_lanes(N, B));
  for (int i = 0; i < M; ++i)
    printf("%a\n", Y[i]);
}
)",
                            "-O3");
  expectOneResult(Program, {"dot", "sum", "norm", "rows"});
}

/// The user allows other bits.
TEST(FastMath, OpenResultsGetVersionsInFastMode) {
  const ProgramPair Program(oneLoop(R"(
  for (int i = 0; i < n; ++i) {
    double r = 0;
    for (int j = 0; j < 64; ++j)
      r += A[(i + j) % N] * B[j];
    C[i] = r;
  })"),
                            "-O3 -ffast-math");
  const Outcome Strict = Program.expectSameBits({}, /*NeedsVersion=*/false);
  EXPECT_EQ(versionsRan(Strict), 0u);
  EXPECT_THAT(Strict.region("nest")["reason"], StartsWith(Open));
  const Outcome Fast = Program.with({{"SPECRT_FP", "fast"}});
  EXPECT_EQ(Fast.Status, 0) << Fast.Errors;
  EXPECT_GT(versionsRan(Fast), 0u) << Fast.Report.dump(1);
}

} // namespace
