//===- tests/instrument/skip_test.cpp - what is not made a region ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One small function per reason. The remark must name the reason and stand on a line of the loop,
// without -g.
//
//===----------------------------------------------------------------------===//
#include "tests/instrument/toolchain.h"

using namespace specrt;
using testing::HasSubstr;
using testing::Not;

namespace {

struct SkipCase {
  const char *Name;
  const char *Source; ///< the loop stands on line 3
  const char *Reason;
  bool Cxx = false;
  const char *Flags = "";
};

void PrintTo(const SkipCase &Case, std::ostream *Stream) { *Stream << Case.Name; }

class Skip : public ToolchainTest, public testing::WithParamInterface<SkipCase> {};

TEST_P(Skip, HasAReason) {
  const SkipCase &Case = GetParam();
  std::string File = Case.Cxx ? "skip.cpp" : "skip.c";
  write(File, Case.Source);
  CommandResult Result = check(std::string(Case.Cxx ? "$CXX" : "$CC") + " -O2 " + Case.Flags +
                               " -Rpass=specrt -Rpass-missed=specrt -c " + File);
  EXPECT_THAT(Result.Err, HasSubstr(Case.Reason));
  EXPECT_THAT(Result.Err, HasSubstr(File + ":3:"));
  EXPECT_THAT(Result.Err, Not(HasSubstr("loop is a region")));
}

const SkipCase SkipCases[] = {
    {"TinyTripCount",
     "void f(double *a) {\n#pragma clang loop unroll(disable)\n"
     "  for (int i = 0; i < 3; i++) a[i] *= 2; }\n",
     "it runs only about"},
    {"Search",
     "unsigned f(const char *s) { unsigned n = 0;\n\n"
     "  while (*s++ != 'x') n = n * 31 + *s; return n; }\n",
     "none of its loops counts"},
    {"Scalars",
     "double f(int n) {\n  double p = 1;\n  for (int i = 0; i < n; i++) p *= 1.01; return p; }\n",
     "it accesses no memory, and its floating-point numbers follow from each other"},
    {"Text",
     "const char *f(const char *s, const char *end) {\n\n"
     "  for (; s < end; s++) if (*s == ';' || *s == ',') break;\n  return s; }\n",
     "its loops end by what they read"},
    {"Sorting",
     "void f(int *a, int n) {\n\n"
     "  for (int i = 1; i < n; i++) {\n    int x = a[i], k = i;\n"
     "    for (; k > 0 && a[k - 1] > x; k--) a[k] = a[k - 1];\n    a[k] = x; } }\n",
     "its loops end by what they read"},
    {"InlineAssembly",
     "void f(int n) {\n\n  for (int i = 0; i < n; i++) __asm__ volatile(\"nop\"); }\n",
     "inline assembly"},
    {"OtherAddressSpace",
     "void f(double *a, int n) {\n\n"
     "  for (int i = 0; i < n; i++) a[i] += *(int __seg_gs *)(4 * (long)i); }\n",
     "another address space"},
    {"Volatile", "void f(volatile int *p, int n) {\n\n  for (int i = 0; i < n; i++) *p = i; }\n",
     "volatile memory"},
    {"Atomic",
     "#include <stdatomic.h>\nvoid f(atomic_int *p, int n) {\n"
     "  for (int i = 0; i < n; i++) atomic_fetch_add(p, i); }\n",
     "atomic operations"},
    {"Fence",
     "#include <stdatomic.h>\nvoid f(int *p, int n) {\n"
     "  for (int i = 0; i < n; i++) { p[i] = i; atomic_thread_fence(5); } }\n",
     "atomic operations"},
    {"ThreadLocal",
     "_Thread_local int t; __attribute__((noinline)) static int g(int x) { return t += x; }\n"
     "void f(int *a, int n) {\n  for (int i = 0; i < n; i++) a[i] = g(i); }\n",
     "thread-local"},
    {"UnknownCall", "void g(int);\nvoid f(int n) {\n  for (int i = 0; i < n; i++) g(i); }\n",
     "it calls g"},
    {"PointerCall", "void f(void (*g)(int), int n) {\n\n  for (int i = 0; i < n; i++) g(i); }\n",
     "calls through a pointer"},
    {"Throws", "void g(int);\nvoid f(int n) {\n  for (int i = 0; i < n; i++) g(i); }\n",
     "which may throw", true},
    {"MayThrowElsewhere",
     "template <class T> __attribute__((noinline)) T g(T x) {\n"
     "  T *p = new T(x); T r = *p * x; delete p; return r; }\n"
     "void f(double *a, int n) { for (int i = 0; i < n; i++) a[i] = g(a[i]); }\n",
     "not noexcept and may be another file's", true},
    {"Catches",
     "void g(int);\nint f(int n) { int s = 0;\n"
     "  for (int i = 0; i < n; i++) try { g(i); } catch (...) { s++; } return s; }\n",
     "handles exceptions", true},
    {"Setjmp",
     "#include <setjmp.h>\njmp_buf b; void f(int *a, int n) { if (setjmp(b)) return;\n"
     "  for (int i = 0; i < n; i++) a[i] = i; }\n",
     "setjmp"},
    {"Alloca",
     "void g(char *); void f(int *a, int n) {\n\n"
     "  for (int i = 0; i < n; i++) { char *p = __builtin_alloca(a[i]); g(p); } }\n",
     "it "},
    {"ComputedGoto",
     "int f(int n, int s) { static void *t[] = {&&a, &&b};\n\n"
     "  for (int i = 0; i < n; i++) { goto *t[i & 1]; a: s += i; continue; b: s ^= i; }"
     " return s; }\n",
     "not a region"},
    {"LongDouble",
     "long double f(const long double *a, int n, long double s) {\n\n"
     "  for (int i = 0; i < n; i++) s += a[i]; return s; }\n",
     "cannot be passed"},
    {"NoExit", "void f(int *a) { unsigned i = 0;\n\n  for (;;) a[i++ & 15]++; }\n", "no exit"},
    {"StrictFloatingPoint",
     "void f(double *a, int n) {\n\n  for (int i = 0; i < n; i++) a[i] *= 3; }\n",
     "floating-point environment", false, "-ffp-model=strict"},
    {"Malloc",
     "#include <stdlib.h>\nvoid f(void **a, int n) {\n"
     "  for (int i = 0; i < n; i++) a[i] = malloc(i); }\n",
     "it calls malloc"},
    {"Irreducible",
     "void f(int *a, int n, int c) {\n  int i = 0;\n"
     "  for (int k = 0; k < n; k++) {\n    if (c & k) goto in;\n"
     "    do { a[i] = i; in: a[i + 1] ^= c; i++; } while (a[i] < n); } }\n",
     "irreducible"},
};

INSTANTIATE_TEST_SUITE_P(Reasons, Skip, testing::ValuesIn(SkipCases),
                         [](const auto &Info) { return std::string(Info.param.Name); });

struct Nest : ToolchainTest {
  /// What is said of the loops of \p Text.
  std::string remarks(const std::string &Text) {
    write("a.c", Text);
    return check("$CC -O2 -I$INC -Rpass=specrt -Rpass-missed=specrt -c a.c").Err;
  }
};

TEST_F(Nest, IneligibleOuterLoopIsDescendedInto) {
  const std::string Said =
      remarks("void g(double *);\nvoid f(double *a, int n, int m) {\n"
              "  for (int t = 0; t < m; t++) {\n"
              "    for (int i = 0; i < n; i++) a[i] = a[i] * 0.5 + 1;\n    g(a);\n  }\n}\n");
  EXPECT_THAT(Said, HasSubstr("a.c:5:5: remark: loop is not a region: it calls g"));
  EXPECT_THAT(Said, HasSubstr("a.c:4:5: remark: loop is a region"));
}

/// The name "f" is also the mangled form of float.
TEST_F(Nest, FunctionsOfCKeepTheirNames) {
  EXPECT_THAT(remarks("void f(double *a, int n) {\n  for (int i = 0; i < n; i++) a[i] *= 3;\n}\n"),
              HasSubstr("loop is a region: f:2 "));
}

TEST_F(Nest, BufferSwapMakesInnerNestsRegions) {
  const std::string Said =
      remarks("void f(double *a, double *b, int n, int steps) {\n"
              "  for (int t = 0; t < steps; t++) {\n"
              "    for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];\n"
              "    double *s = a; a = b; b = s;\n  }\n}\n");
  EXPECT_THAT(Said, HasSubstr("it exchanges pointers"));
  EXPECT_THAT(Said, HasSubstr("a.c:3:5: remark: loop is a region"));
}

/// Three loops of a solver, whose iterations end when there is little left to do.
constexpr const char *Relaxation =
    "int f(const double *b, double *u, int n) {\n  double left = 1;\n  int t = 0;\n"
    "  while (left > 1e-9) {\n    left = 0;\n"
    "    for (int i = 1; i < n - 1; i++)\n      for (int j = 1; j < n - 1; j++) {\n"
    "        double v = u[i * n + j - 1] + u[i * n + j + 1] - b[i * n + j];\n"
    "        double d = v - u[i * n + j];\n        left = d * d > left ? d * d : left;\n"
    "        u[i * n + j] = v;\n      }\n"
    "    t++;\n  }\n  return t;\n}\n";

TEST_F(Nest, LoopThatEndsByWhatItComputesDrivesThoseInside) {
  const std::string Said = remarks(Relaxation);
  EXPECT_THAT(Said, HasSubstr("it ends when what it computes says so"));
  EXPECT_EQ(count(Said, "loop is a region:"), 1u);
  EXPECT_THAT(Said, HasSubstr("a.c:6:5: remark: loop is a region"));
}

TEST_F(Nest, LoopThatIsMarkedIsOneRegion) {
  const std::string Said =
      remarks(std::string("#include \"specrt/annotations.h\"\nSPECRT_REGION\n") + Relaxation);
  EXPECT_EQ(count(Said, "loop is a region:"), 1u);
  EXPECT_THAT(Said, HasSubstr("a.c:6:3: remark: loop is a region"));
}

TEST_F(Nest, LoopThatHandsNumbersOnDrivesThoseInside) {
  const std::string Said =
      remarks("void f(const double *a, double *x, double *y, int n, int steps) {\n"
              "  double last = 1;\n  for (int t = 0; t < steps; t++) {\n    double sum = 0;\n"
              "    for (int i = 0; i < n; i++) {\n      double s = 0;\n"
              "      for (int j = 0; j < n; j++) s += a[i * n + j] * x[j];\n"
              "      y[i] = s;\n    }\n"
              "    for (int i = 0; i < n; i++) sum += y[i] * y[i];\n"
              "    for (int i = 0; i < n; i++) x[i] += y[i] * (sum / last);\n"
              "    last = sum;\n  }\n}\n");
  EXPECT_THAT(Said, HasSubstr("its iterations compute with numbers from one to the next"));
  EXPECT_EQ(count(Said, "loop is a region:"), 3u);
}

TEST_F(Nest, LoopWithARandomGeneratorDrivesThoseInside) {
  write("a.c", "void f(const double *a, double *x, double *y, int n, int steps) {\n"
               "  unsigned long s = 1;\n  for (int t = 0; t < steps; t++) {\n"
               "    for (int i = 0; i < n; i++) {\n"
               "      s ^= s << 13; s ^= s >> 7; s ^= s << 17;\n      x[i] = s >> 11;\n    }\n"
               "    for (int i = 0; i < n; i++) {\n      double sum = y[i];\n"
               "      for (int j = 0; j < n; j++) sum += a[i * n + j] * x[j];\n"
               "      y[i] = sum;\n    }\n  }\n}\n");
  CommandResult Result = check("$CC -O2 -Rpass=specrt -Rpass-missed=specrt -c a.c");
  EXPECT_THAT(Result.Err, HasSubstr("its iterations compute with numbers from one to the next"));
  EXPECT_THAT(Result.Err, HasSubstr("a.c:8:5: remark: loop is a region"));
}

TEST_F(Nest, LoopThatChoosesAPivotDrivesThoseInside) {
  write("a.c", "#include <math.h>\nvoid f(double *a, int n) {\n"
               "  for (int k = 0; k < n; k++) {\n    int p = k;\n"
               "    for (int i = k + 1; i < n; i++)\n"
               "      if (fabs(a[i * n + k]) > fabs(a[p * n + k])) p = i;\n"
               "    for (int j = 0; j < n; j++) {\n"
               "      double t = a[k * n + j];\n      a[k * n + j] = a[p * n + j];\n"
               "      a[p * n + j] = t;\n    }\n"
               "    for (int i = k + 1; i < n; i++)\n      for (int j = k; j < n; j++)\n"
               "        a[i * n + j] -= a[i * n + k] / a[k * n + k] * a[k * n + j];\n  }\n}\n");
  CommandResult Result = check("$CC -O2 -Rpass=specrt -Rpass-missed=specrt -c a.c");
  EXPECT_THAT(Result.Err, HasSubstr("loops inside access what others in it have found"));
  EXPECT_THAT(Result.Err, HasSubstr("a.c:12:5: remark: loop is a region"));
}

/// Where every row is eliminated without a choice, the steps are one region.
TEST_F(Nest, EliminationWithoutPivotIsOneRegion) {
  write("a.c", "void f(double *a, int n) {\n"
               "  for (int k = 0; k < n; k++)\n"
               "    for (int i = k + 1; i < n; i++) {\n      a[i * n + k] /= a[k * n + k];\n"
               "      for (int j = k + 1; j < n; j++)\n"
               "        a[i * n + j] -= a[i * n + k] * a[k * n + j];\n    }\n}\n");
  CommandResult Result = check("$CC -O2 -Rpass=specrt -c a.c");
  EXPECT_EQ(count(Result.Err, "loop is a region"), 1u);
  EXPECT_THAT(Result.Err, HasSubstr("a.c:2:3: remark: loop is a region"));
}

/// A compiler hands on where a row ends: the next one begins there.
TEST_F(Nest, LoopThatHandsOnWhereRowsEndIsARegion) {
  for (const char *Body :
       {"for (int p = start[i]; p < start[i + 1]; ++p) where[column[p]] = p;"
        "for (int p = start[i]; p < start[i + 1]; ++p)"
        "  for (int q = start[column[p]]; q < start[column[p] + 1]; ++q)"
        "    value[where[column[q]]] -= value[p] * value[q];"
        "for (int p = start[i]; p < start[i + 1]; ++p) where[column[p]] = -1;",
        "for (int p = start[i]; p < start[i + 1]; ++p)"
        "  for (int j = 0; j < 64; ++j) value[64 * i + j] += value[p] * value[64 * column[p] + j];",
        "for (int p = start[i]; p < start[i + 1]; ++p)"
        "  for (int q = start[column[p]]; q < start[column[p] + 1]; ++q) value[p] += value[q];"}) {
    const std::string Said =
        remarks(std::string("void f(long n, const int *start, const int *column, int *where,\n"
                            "       double *value) {\n"
                            "  for (long i = 0; i < n; ++i) {\n    ") +
                Body + "\n  }\n}\n");
    EXPECT_THAT(Said, HasSubstr("a.c:3:3: remark: loop is a region")) << Body;
  }
}

TEST_F(Nest, LoopThatRepeatsASparseProductDrivesIt) {
  const std::string Said =
      remarks("void f(const int *p, const int *c, const double *v, const double *x, double *y,\n"
              "       double *norm, int n, int steps) {\n"
              "  for (int t = 0; t < steps; t++) {\n    double sum = 0;\n"
              "    for (int i = 0; i < n; i++) {\n      double s = 0;\n"
              "      for (int k = p[i]; k < p[i + 1]; k++) s += v[k] * x[c[k]];\n"
              "      y[i] += s;\n      sum += s * s;\n    }\n    norm[t] = sum;\n  }\n}\n");
  EXPECT_THAT(Said, HasSubstr("accesses follow from memory"));
  EXPECT_THAT(Said, HasSubstr("a.c:5:5: remark: loop is a region"));
}

TEST_F(Nest, LoopThatRepeatsLoopsOverRowPointersDrivesThem) {
  const std::string Said =
      remarks("void f(double **a, double **b, int n, int steps) {\n"
              "  for (int t = 0; t < steps; t++) {\n"
              "    for (int i = 1; i < n - 1; i++)\n      for (int j = 1; j < n - 1; j++)\n"
              "        b[i][j] = a[i][j - 1] + a[i][j + 1];\n"
              "    for (int i = 1; i < n - 1; i++)\n      for (int j = 1; j < n - 1; j++)\n"
              "        a[i][j] = b[i][j];\n  }\n}\n");
  EXPECT_THAT(Said, HasSubstr("accesses follow from memory"));
  EXPECT_EQ(count(Said, "loop is a region:"), 2u);
}

/// The rows of one factor are the same in every iteration, but each has rows of its own, too.
TEST_F(Nest, ProductOverRowPointersIsOneRegion) {
  const std::string Said =
      remarks("void f(double **a, double **b, double **c, int n, int steps) {\n"
              "  for (int t = 0; t < steps; t++)\n"
              "    for (int i = 0; i < n; i++)\n      for (int j = 0; j < n; j++) {\n"
              "        c[i][j] = 0;\n"
              "        for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];\n      }\n}\n");
  EXPECT_THAT(Said, HasSubstr("accesses follow from memory"));
  EXPECT_EQ(count(Said, "loop is a region:"), 1u);
  EXPECT_THAT(Said, HasSubstr("a.c:3:5: remark: loop is a region"));
}

/// Each step reads a row that the steps before it have written, along with all others.
TEST_F(Nest, ShortestPathsOverRowPointersAreDriven) {
  const std::string Said =
      remarks("void f(int **d, int n) {\n  for (int k = 0; k < n; k++)\n"
              "    for (int i = 0; i < n; i++)\n      for (int j = 0; j < n; j++) {\n"
              "        int by = d[i][k] + d[k][j];\n        if (by < d[i][j]) d[i][j] = by;\n"
              "      }\n}\n");
  EXPECT_THAT(Said, HasSubstr("accesses follow from memory"));
  EXPECT_THAT(Said, HasSubstr("a.c:3:5: remark: loop is a region"));
}

/// No step of a sum of products reads what others have written.
TEST_F(Nest, SumOfProductsOverRowPointersIsOneRegion) {
  const std::string Said =
      remarks("void f(double **a, double **b, double **c, int n) {\n"
              "  for (int k = 0; k < n; k++)\n    for (int i = 0; i < n; i++)\n"
              "      for (int j = 0; j < n; j++) c[i][j] += a[i][k] * b[k][j];\n}\n");
  EXPECT_EQ(count(Said, "loop is a region:"), 1u);
  EXPECT_THAT(Said, HasSubstr("a.c:2:3: remark: loop is a region"));
}

/// Its steps could be tiled together with the sweeps.
TEST_F(Nest, StepsInTimeAreOneRegionWithTheirSweeps) {
  const std::string Said =
      remarks("void f(double *a, double *b, int n, int steps) {\n"
              "  for (int t = 0; t < steps; t++) {\n"
              "    for (int i = 1; i < n - 1; i++)\n      for (int j = 1; j < n - 1; j++)\n"
              "        b[i * n + j] = a[i * n + j - 1] + a[i * n + j + 1];\n"
              "    for (int i = 1; i < n - 1; i++)\n      for (int j = 1; j < n - 1; j++)\n"
              "        a[i * n + j] = b[i * n + j];\n  }\n}\n");
  EXPECT_EQ(count(Said, "loop is a region:"), 1u);
  EXPECT_THAT(Said, HasSubstr("a.c:2:3: remark: loop is a region"));
}

TEST_F(Nest, WholeNestIsOneRegion) {
  const std::string Said =
      remarks("void f(double *a, int n, int m) {\n  for (int i = 0; i < n; i++)\n"
              "    for (int j = 0; j < m; j++) a[i * m + j] *= 2;\n}\n");
  EXPECT_EQ(count(Said, "loop is a region:"), 1u);
  EXPECT_THAT(Said, HasSubstr("a.c:2:3:"));
}

TEST_F(Nest, MathAndVisibleCalleesAreAllowed) {
  const std::string Said =
      remarks("#include <math.h>\n__attribute__((noinline)) static double g(double x) { return x "
              "* x + 1; }\n"
              "void f(double *a, int n) {\n"
              "  for (int i = 0; i < n; i++) a[i] = exp(a[i]) + sqrt(a[i]) + g(a[i]);\n}\n");
  EXPECT_EQ(count(Said, "loop is a region:"), 1u);
}

const char *const TwoFunctions =
    "#include \"specrt/annotations.h\"\n"
    "SPECRT_REGION void wanted(double *a, int n) { for (int i = 0; i < n; i++) a[i] *= 2; }\n"
    "SPECRT_NOINSTRUMENT void refused(double *a, int n) { for (int i = 0; i < n; i++) a[i] *= 3; "
    "}\n"
    "void plain(double *a, int n) { for (int i = 0; i < n; i++) a[i] *= 5; }\n"
    "void other(double *a, int n) { for (int i = 0; i < n; i++) a[i] *= 7; }\n";

/// The lines of TwoFunctions that became regions.
std::string regions(const std::string &Remarks) {
  std::string Lines;
  for (int Line = 2; Line <= 5; ++Line)
    if (Remarks.find(":" + std::to_string(Line) + ":") != std::string::npos)
      Lines += std::to_string(Line);
  return Lines;
}

using Choice = ToolchainTest;

TEST_F(Choice, MacrosInAndOut) {
  write("a.c", TwoFunctions);
  write("a.cpp", TwoFunctions);
  EXPECT_EQ(regions(check("$CC -O2 -I$INC -Rpass=specrt -c a.c").Err), "245");
  EXPECT_EQ(regions(check("$CXX -O2 -I$INC -Rpass=specrt -c a.cpp").Err), "245");
}

TEST_F(Choice, AnnotatedOnly) {
  write("a.c", TwoFunctions);
  EXPECT_EQ(regions(check("$CC -O2 -I$INC -Rpass=specrt -mllvm -specrt-annotated-only -c a.c").Err),
            "2");
}

TEST_F(Choice, FilterFromOptionAndEnvironment) {
  write("a.c", TwoFunctions);
  EXPECT_EQ(regions(check("$CC -O2 -I$INC -Rpass=specrt -mllvm '-specrt-filter=pl*' -c a.c").Err),
            "24");
  EXPECT_EQ(regions(check("$CC -O2 -I$INC -Rpass=specrt -mllvm '-specrt-filter=!pl*' -c a.c").Err),
            "25");
  EXPECT_EQ(
      regions(check("SPECRT_INSTRUMENT_FILTER='*,!other' $CC -O2 -I$INC -Rpass=specrt -c a.c").Err),
      "24");
  CommandResult Result =
      check("$CC -O2 -I$INC -Rpass-missed=specrt -mllvm '-specrt-filter=x' -c a.c");
  EXPECT_THAT(Result.Err, HasSubstr("excluded by the filter"));
  EXPECT_THAT(Result.Err, HasSubstr("marked SPECRT_NOINSTRUMENT"));
}

TEST_F(Choice, FilterMatchesQualifiedCxxNames) {
  write(
      "a.cpp",
      "namespace space { void one(double *a, int n) {\n for (int i = 0; i < n; i++) a[i] *= 2; }\n"
      "void two(double *a, int n) {\n for (int i = 0; i < n; i++) a[i] *= 3; } }\n");
  CommandResult Result = check("$CXX -O2 -Rpass=specrt -mllvm '-specrt-filter=space::t*' -c a.cpp");
  EXPECT_EQ(count(Result.Err, "loop is a region"), 1u);
  EXPECT_THAT(Result.Err, HasSubstr("a.cpp:4:"));
}

} // namespace
