//===- tests/instrument/in_place_test.cpp - nests stay what clang makes of them ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A nest that is a region computes with the instructions that it would have without the plugin,
// because it stays where clang knows most about it. Plain clang is asked for the same source.
//
//===----------------------------------------------------------------------===//
#include "tests/instrument/loop_bodies.h"
#include "tests/instrument/toolchain.h"

using namespace specrt;
using testing::HasSubstr;
using testing::Not;

namespace {

struct Nest {
  const char *Name;
  const char *File; ///< its suffix tells the language
  const char *Flags;
  const char *Function; ///< mangled
  unsigned Regions;     ///< in it
  const char *Source;
};

const Nest Nests[] = {
    {"FreshResult", "c", "-march=x86-64-v4", "run", 1,
     "#include <stdlib.h>\n"
     "static void spmm(int n, const int *p, const int *c, const double *v, const double *X,\n"
     "                 double *Y) {\n"
     "  for (int i = 0; i < n; i++) {\n"
     "    for (int j = 0; j < 8; j++) Y[i * 8L + j] = 0;\n"
     "    for (int k = p[i]; k < p[i + 1]; k++)\n"
     "      for (int j = 0; j < 8; j++) Y[i * 8L + j] += v[k] * X[c[k] * 8L + j];\n"
     "  }\n}\n"
     "void use(double *);\n"
     "void run(int n, const int *p, const int *c, const double *v, const double *X) {\n"
     "  double *Y = calloc(8, 8L * n);\n"
     "  spmm(n, p, c, v, X, Y);\n"
     "  use(Y);\n}\n"},
    {"FieldsOfAStruct", "c", "-march=x86-64-v4", "run", 1,
     "#include <stdlib.h>\n"
     "typedef struct { int n; int *ptr, *col; double *val; } csr;\n"
     "static void spmm(const csr *A, const double *X, double *Y) {\n"
     "  for (int i = 0; i < A->n; i++) {\n"
     "    for (int j = 0; j < 8; j++) Y[i * 8L + j] = 0;\n"
     "    for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++)\n"
     "      for (int j = 0; j < 8; j++) Y[i * 8L + j] += A->val[k] * X[A->col[k] * 8L + j];\n"
     "  }\n}\n"
     "void use(double *);\n"
     "void run(const csr *A, const double *X) {\n"
     "  double *Y = calloc(8, 8L * A->n);\n"
     "  spmm(A, X, Y);\n"
     "  use(Y);\n}\n"},
    {"SimdCopyOfTiles", "c", "-march=x86-64-v4 -fopenmp", "reduce_tiles.omp_outlined", 1,
     "enum { T = 16 };\n"
     "void reduce_tiles(float *m, int ld, int pivot, int tiles, int across) {\n"
     "#pragma omp parallel for\n"
     "  for (int t = 0; t < tiles; ++t) {\n"
     "    float upper[T][T] __attribute__((aligned(64))), side[T][T] "
     "__attribute__((aligned(64))),\n"
     "        acc[T] __attribute__((aligned(64)));\n"
     "    int r0 = pivot + T + T * (t / across), c0 = pivot + T + T * (t % across);\n"
     "    for (int r = 0; r < T; ++r) {\n"
     "#pragma omp simd\n"
     "      for (int c = 0; c < T; ++c) {\n"
     "        upper[r][c] = m[ld * (pivot + r) + c0 + c];\n"
     "        side[r][c] = m[ld * (r0 + r) + pivot + c];\n"
     "      }\n"
     "    }\n"
     "    for (int r = 0; r < T; ++r) {\n"
     "      for (int c = 0; c < T; ++c) acc[c] = 0;\n"
     "      for (int k = 0; k < T; ++k) {\n"
     "#pragma omp simd\n"
     "        for (int c = 0; c < T; ++c) acc[c] += side[r][k] * upper[k][c];\n"
     "      }\n"
     "#pragma omp simd\n"
     "      for (int c = 0; c < T; ++c) m[ld * (r0 + r) + c0 + c] -= acc[c];\n"
     "    }\n"
     "  }\n}\n"},
    {"RestrictOfAnInlinedFunction", "c", "-march=x86-64-v3", "run", 1,
     "static inline void axpy(long n, double a, const double *restrict x, double *restrict y) {\n"
     "  for (long i = 0; i < n; i++) y[i] += a * x[i] + x[i + 1];\n}\n"
     "struct v { long n; double *x, *y; };\n"
     "void run(struct v *v, double a) { axpy(v->n, a, v->x, v->y); }\n"},
    {"SearchWithAnEarlyExit", "c", "", "find", 1,
     "long find(const double *a, long n, double limit) {\n"
     "  for (long i = 0; i < n; i++)\n"
     "    if (a[i] > limit) return i;\n"
     "  return -1;\n}\n"},
    {"ResultsOfAReduction", "c", "-march=x86-64-v3", "sums", 1,
     "double sums(const double *a, const int *b, long n, int *last) {\n"
     "  double s = 0; int t = 0;\n"
     "  for (long i = 0; i < n; i++) { s += a[i] * 0.5; t ^= b[i]; }\n"
     "  *last = t;\n  return s;\n}\n"},
    {"ResultUsedByTheNextLoop", "c", "-march=x86-64-v3", "normalize", 2,
     "void normalize(double *a, int n) {\n"
     "  double s = 0;\n"
     "  for (int i = 0; i < n; i++) s += a[i] * a[i];\n"
     "  s = 1 / s;\n"
     "  for (int i = 0; i < n; i++) a[i] *= s;\n}\n"},
    {"ExceptionsAround", "cpp", "-march=x86-64-v3", "_Z3runiPd", 1,
     "struct Guard { Guard(); ~Guard(); };\n"
     "void check(double);\n"
     "double run(int n, double *a) {\n"
     "  Guard g;\n"
     "  try {\n"
     "    check(a[0]);\n"
     "    for (int i = 0; i < n; i++) a[i] = a[i] * 2 + 1;\n"
     "    check(a[1]);\n"
     "  } catch (int code) { return code; }\n"
     "  return a[2];\n}\n"},
    {"ExceptionsOutOfTheNest", "cpp", "", "_Z3runiPd", 1,
     "struct Guard { Guard(); ~Guard(); };\n"
     "double other(double);\n"
     "void run(int n, double *a) {\n"
     "  Guard g;\n"
     "  for (int i = 0; i < n; i++) a[i] = other(a[i]) + 1;\n}\n"},
    {"ConstantSizes", "c", "-march=x86-64-v3", "run", 1,
     "float a[1000], b[1000], c[1000];\n"
     "void run(void) { for (int i = 0; i < 999; i++) a[i] = b[i] + c[i + 1]; }\n"},
    {"GlobalMatrix", "c", "-march=x86-64-v3", "run", 1,
     "double A[200][200], B[200][200], C[200][200];\n"
     "void run(void) {\n"
     "  for (int i = 0; i < 200; i++)\n    for (int k = 0; k < 200; k++)\n"
     "      for (int j = 0; j < 200; j++) C[i][j] += A[i][k] * B[k][j];\n}\n"},
    {"Vectors", "cpp", "-march=x86-64-v3", "_Z3runRSt6vectorIdSaIdEERKS1_", 1,
     "#include <vector>\n"
     "void run(std::vector<double> &a, const std::vector<double> &b) {\n"
     "  for (std::size_t i = 0; i < a.size(); ++i) a[i] += 2 * b[i];\n}\n"},
    {"FreshVector", "cpp", "-march=x86-64-v3", "_Z3runRKSt6vectorIdSaIdEE", 1,
     "#include <vector>\n"
     "std::vector<double> run(const std::vector<double> &b) {\n"
     "  std::vector<double> a(b.size());\n"
     "  for (std::size_t i = 0; i < b.size(); ++i) a[i] = 2 * b[i] + 1;\n"
     "  return a;\n}\n"},
    {"LocalArrayInTheNest", "c", "-march=x86-64-v3", "run", 2,
     "void run(const double *a, const double *b, double *c, int n, int m) {\n"
     "  for (int i = 0; i < n; i++) {\n"
     "    double acc[8];\n"
     "    for (int j = 0; j < 8; j++) acc[j] = 0;\n"
     "    for (int k = 0; k < m; k++)\n"
     "      for (int j = 0; j < 8; j++) acc[j] += a[i * m + k] * b[k * 8 + j];\n"
     "    for (int j = 0; j < 8; j++) c[i * 8 + j] = acc[j];\n"
     "  }\n}\n"},
    {"LoopAround", "c", "-march=x86-64-v3", "relax", 2,
     "void note(double);\n"
     "void relax(double *a, double *b, int n, double limit) {\n"
     "  double change;\n"
     "  do {\n"
     "    change = 0;\n"
     "    for (int i = 1; i < n - 1; i++) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;\n"
     "    for (int i = 1; i < n - 1; i++) {\n"
     "      double d = __builtin_fabs(b[i] - a[i]);\n"
     "      if (d > change) change = d;\n"
     "      a[i] = b[i];\n"
     "    }\n"
     "    note(change);\n"
     "  } while (change > limit);\n}\n"},
    {"PragmasOfLoops", "c", "-march=x86-64-v3", "run", 1,
     "void run(float *a, const float *b, long n) {\n"
     "#pragma clang loop vectorize_width(4) interleave_count(3)\n"
     "  for (long i = 0; i < n; i++) a[i] = a[i] * b[i] + 1;\n}\n"},
    {"KnownAlignment", "c", "-march=x86-64-v3", "run", 1,
     "void run(float *a, const float *b, long n) {\n"
     "  a = __builtin_assume_aligned(a, 64);\n"
     "  __builtin_assume(n % 16 == 0);\n"
     "  for (long i = 0; i < n; i++) a[i] = b[i] - a[i];\n}\n"},
    {"ConditionsInTheLoop", "c", "-march=x86-64-v3", "clip", 1,
     "int clip(float *a, long n, float low, float high) {\n"
     "  int clipped = 0;\n"
     "  for (long i = 0; i < n; i++) {\n"
     "    if (a[i] < low) { a[i] = low; clipped++; }\n"
     "    else if (a[i] > high) { a[i] = high; clipped++; }\n"
     "  }\n  return clipped;\n}\n"},
    {"MatrixTimesVector", "c", "-march=x86-64-v3 -ffast-math", "run", 1,
     "void run(int n, const double *A, const double *x, double *y) {\n"
     "  for (int i = 0; i < n; i++) {\n"
     "    double s = 0;\n"
     "    for (int j = 0; j < n; j++) s += A[i * (long)n + j] * x[j];\n"
     "    y[i] = s;\n  }\n}\n"},
    {"Stencil", "c", "-march=x86-64-v3", "run", 1,
     "void run(int n, const float *restrict a, float *restrict b) {\n"
     "  for (int i = 1; i < n - 1; i++)\n    for (int j = 1; j < n - 1; j++)\n"
     "      b[i * (long)n + j] = a[i * (long)n + j - 1] + a[i * (long)n + j + 1] +\n"
     "          a[(i - 1) * (long)n + j] + a[(i + 1) * (long)n + j];\n}\n"},
    {"Transposition", "c", "-march=x86-64-v3", "run", 1,
     "void run(int n, const double *a, double *b) {\n"
     "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++)\n"
     "      b[j * (long)n + i] = a[i * (long)n + j];\n}\n"},
    {"SparseProduct", "c", "-march=x86-64-v3", "run", 1,
     "void run(int n, const int *p, const int *c, const double *v, const double *x, double *y) {\n"
     "  for (int i = 0; i < n; i++) {\n"
     "    double s = 0;\n"
     "    for (int k = p[i]; k < p[i + 1]; k++) s += v[k] * x[c[k]];\n"
     "    y[i] = s;\n  }\n}\n"},
    {"Gather", "c", "-march=x86-64-v4", "run", 1,
     "void run(long n, const int *c, const float *x, float *y) {\n"
     "  for (long i = 0; i < n; i++) y[i] = x[c[i]];\n}\n"},
    {"Histogram", "c", "", "run", 1,
     "void run(long n, const unsigned char *c, int *h) {\n"
     "  for (long i = 0; i < n; i++) h[c[i]]++;\n}\n"},
    {"Bytes", "c", "-march=x86-64-v3", "run", 1,
     "void run(long n, const unsigned char *a, const unsigned char *b, unsigned char *c) {\n"
     "  for (long i = 0; i < n; i++) c[i] = (a[i] * 3 + b[i]) >> 2;\n}\n"},
    {"Recurrence", "c", "", "run", 1,
     "void run(long n, double *a, const double *b) {\n"
     "  for (long i = 1; i < n; i++) a[i] = a[i - 1] * 0.5 + b[i];\n}\n"},
    {"LeastOfAll", "c", "-march=x86-64-v3", "least", 1,
     "int least(long n, const int *a) {\n"
     "  int m = a[0];\n  for (long i = 1; i < n; i++) m = a[i] < m ? a[i] : m;\n"
     "  return m;\n}\n"},
    {"Complex", "c", "-march=x86-64-v3", "run", 1,
     "void run(long n, const float *a, const float *b, float *c) {\n"
     "  for (long i = 0; i < n; i++) {\n"
     "    c[2 * i] = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];\n"
     "    c[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];\n  }\n}\n"},
    {"ThreeLevels", "c", "-march=x86-64-v3", "run", 1,
     "void run(int n, int m, int l, double A[n][m], double B[m][l], double C[n][l]) {\n"
     "  for (int i = 0; i < n; i++)\n    for (int k = 0; k < m; k++)\n"
     "      for (int j = 0; j < l; j++) C[i][j] += A[i][k] * B[k][j];\n}\n"},
    {"Triangle", "c", "-march=x86-64-v3", "run", 1,
     "void run(int n, double *x, const double *L) {\n"
     "  for (int i = 0; i < n; i++) {\n"
     "    for (int j = 0; j < i; j++) x[i] -= L[i * (long)n + j] * x[j];\n"
     "    x[i] /= L[i * (long)n + i];\n  }\n}\n"}};

void PrintTo(const Nest &N, std::ostream *Out) { *Out << N.Name; }

class InPlace : public ToolchainTest, public testing::WithParamInterface<Nest> {};

TEST_P(InPlace, LoopsAreThoseOfPlainClang) {
  const Nest &N = GetParam();
  const std::string File = std::string("nest.") + N.File;
  const std::string Flags = std::string(" -O3 -S ") + N.Flags + " " + File;
  const bool Cpp = N.File == std::string("cpp");
  write(File, N.Source);
  check(std::string(Cpp ? "$CLANGXX" : "$CLANG") + Flags + " -o plain.s");
  check(std::string(Cpp ? "$CXX" : "$CC") + Flags + " -o regions.s");
  const std::string Regions = read("regions.s");
  for (unsigned I = 0; I < N.Regions; ++I)
    ASSERT_THAT(Regions,
                HasSubstr(std::string(N.Function) + ".specrt." + std::to_string(I) + ".region:"));
  const std::vector<std::string> InPlace = innermostLoops(Regions, N.Function);
  EXPECT_FALSE(InPlace.empty());
  EXPECT_EQ(InPlace, innermostLoops(read("plain.s"), N.Function));
}

using Stub = ToolchainTest;

/// What is known of memory and of pointers stays known behind the call that is hardly ever reached.
TEST_F(Stub, SaysWhatTheNestDoes) {
  write("a.c", "void scale(double *a, const double *b, long n) {\n"
               "  for (long i = 0; i < n; i++) a[i] += b[i];\n}\n");
  check("$CC -O2 -S -emit-llvm a.c -o a.ll");
  const std::string Slot =
      check("grep -F '@scale.specrt.0.region unordered' a.ll").Out; // its only load
  EXPECT_THAT(Slot, HasSubstr("load atomic volatile ptr, ptr @scale.specrt.0.region unordered"));
  EXPECT_EQ(count(Slot, "\n"), 1u);
  const std::string Call = check("grep -E 'call i32 %[0-9]+\\(.*%n' a.ll | head -n 1").Out;
  for (const char *Argument : {"captures(none) %a", "captures(none) %b"})
    EXPECT_THAT(Call, HasSubstr(Argument));
  const std::string Group =
      Call.substr(Call.rfind('#'), Call.find(',', Call.rfind('#')) - Call.rfind('#'));
  EXPECT_THAT(check("grep -F 'attributes " + Group + " ' a.ll").Out,
              HasSubstr("{ cold nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }"));
}

/// What is decided in front of the first nest is known of the inputs of the second.
TEST_F(Stub, KeepsConditionsForNestsBehind) {
  write("a.c", "void two(double *a, double *b, long n) {\n"
               "  for (long i = 0; i < n; i++) a[i] = i;\n"
               "  for (long i = 0; i < n; i++) b[i] += a[i];\n}\n");
  write("main.c", "int main(void) {}\n");
  check("$CC -O2 -mllvm -specrt-filter=two a.c main.c -o a && SPECRT_STUB_DUMP=. ./a");
  EXPECT_THAT(check("$TOOLS/llvm-dis two.specrt.1.bc -o - | grep define").Out,
              HasSubstr("range(i64 1, -9223372036854775808) %n"));
}

/// An array that keeps its contents between two executions of a nest is one for both ways.
TEST_F(Stub, SharesStackMemoryThatOutlivesTheNest) {
  write("a.c", "#include <stdio.h>\n"
               "__attribute__((noinline)) int run(const int *a, int *out, int n, int most) {\n"
               "  int sums[100], last, t = 0;\n"
               "  do {\n"
               "    last = 0;\n"
               "    for (int i = 0; i < n; i++) {\n"
               "      if (t == 0) sums[i % 100] = 0;\n"
               "      sums[i % 100] += a[i];\n"
               "      out[i] = sums[i % 100];\n"
               "      last ^= out[i];\n"
               "    }\n"
               "    puts(\"\");\n"
               "  } while (t++, last < most);\n"
               "  return t;\n}\n"
               "int a[30], out[30];\n"
               "int main(void) {\n"
               "  for (int i = 0; i < 30; i++) a[i] = i % 7;\n"
               "  printf(\"%d\", run(a, out, 30, 20));\n"
               "  for (int i = 0; i < 30; i++) printf(\" %d\", out[i]);\n}\n");
  check("$CC -O2 -mllvm -specrt-filter=run a.c -o a && $CLANG -O2 a.c -o plain");
  const CommandResult Copy = check("./a");
  EXPECT_EQ(Copy.Out, check("./plain").Out);
  EXPECT_GT(count(Copy.Err, "enter run:6"), 1u);
  EXPECT_EQ(check("SPECRT_STUB_UNSEEN=1 ./a").Out, Copy.Out);
}

/// Both copies have the assignments of variables that debug information tracks.
TEST_F(Stub, DebugInformationOfBothCopiesIsValid) {
  for (const Nest &N : Nests) {
    const std::string File = std::string(N.Name) + "." + N.File;
    const bool Cpp = N.File == std::string("cpp");
    write(File, N.Source);
    check(std::string(Cpp ? "$CXX" : "$CC") + " -O2 -g -S -emit-llvm " + N.Flags + " " + File +
          " -o a.ll && $TOOLS/opt -passes=verify -disable-output a.ll");
    check(std::string(Cpp ? "$CXX" : "$CC") + " -O2 -g -c " + N.Flags + " " + File +
          " -o a.o && $TOOLS/llvm-dwarfdump --verify a.o");
  }
}

INSTANTIATE_TEST_SUITE_P(Nests, InPlace, testing::ValuesIn(Nests),
                         [](const auto &Info) { return std::string(Info.param.Name); });

} // namespace
