//===- tests/instrument/region_test.cpp - what a program tells libspecrt --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs run against a libspecrt that prints descriptors and calls.
//
//===----------------------------------------------------------------------===//
#include "tests/instrument/toolchain.h"

using namespace specrt;
using testing::HasSubstr;
using testing::Not;

namespace {

using Region = ToolchainTest;

const char *const Gemm =
    "#include <stdio.h>\n"
    "static double scale = 2.0;\n"
    "static const double table[4] = {1, 2, 3, 4};\n"
    "__attribute__((noinline)) static double weigh(double x) { return x * scale; }\n"
    "__attribute__((noinline)) void gemm(int m, int n, int k, const double *A, const double *B, "
    "double *C) {\n"
    "  for (int i = 0; i < m; i++)\n"
    "    for (int j = 0; j < n; j++) {\n"
    "      C[i * n + j] = table[j & 3];\n"
    "      for (int l = 0; l < k; l++)\n"
    "        C[i * n + j] += weigh(A[i * k + l]) * B[l * n + j];\n"
    "    }\n"
    "}\n"
    "double A[12], B[20], C[15];\n"
    "int main(void) {\n"
    "  for (int i = 0; i < 12; i++) A[i] = i;\n"
    "  for (int i = 0; i < 20; i++) B[i] = i;\n"
    "  gemm(3, 5, 4, A, B, C);\n"
    "  scale = 3;\n"
    "  printf(\"%g %g\\n\", C[0], C[14]);\n"
    "}\n";

TEST_F(Region, DescriptorOfGemm) {
  write("gemm.c", Gemm);
  check("$CC -O2 -mllvm -specrt-filter=gemm gemm.c -o gemm");
  CommandResult Run = check("./gemm");
  check("$CLANG -O2 gemm.c -o plain");
  EXPECT_EQ(Run.Out, check("./plain").Out);
  EXPECT_THAT(Run.Err, HasSubstr("region gemm:6 function=gemm file=gemm.c line=6 abi=6"));
  EXPECT_THAT(Run.Err, HasSubstr("return=4 pipeline=O2"));
  EXPECT_THAT(Run.Err, HasSubstr("slot=1"));
  for (const char *Arg : {"4 'm'", "4 'n'", "4 'k'", "8 'A'", "8 'B'", "8 'C'"})
    EXPECT_THAT(Run.Err, HasSubstr(Arg));
  EXPECT_EQ(count(Run.Err, "  arg "), 6u);
  for (const char *Symbol : {"symbol weigh 1", "symbol scale 1", "symbol table 1"})
    EXPECT_THAT(Run.Err, HasSubstr(Symbol));
  EXPECT_EQ(count(Run.Err, "flags=1 element=8 [0, 8*"), 2u); // A and B are read
  for (const char *Loop :
       {"line=6 depth=1 trips=1*", "line=7 depth=2 trips=1*", "line=9 depth=3 trips=1*"})
    EXPECT_THAT(Run.Err, HasSubstr(Loop));
  EXPECT_THAT(Run.Err, HasSubstr("enter gemm:6 "));
  EXPECT_THAT(Run.Err, HasSubstr("leave 42"));
  CommandResult InPlace = check("SPECRT_STUB_UNSEEN=1 ./gemm");
  EXPECT_EQ(InPlace.Out, Run.Out);
  EXPECT_THAT(InPlace.Err, Not(HasSubstr("enter")));
}

TEST_F(Region, AccessBoundsAreTheProductsOfTheSizes) {
  write("a.c", "void f(double *a, long n, long m) {\n  for (long i = 0; i < n; i++)\n"
               "    for (long j = 0; j < m; j++) a[i * m + j] *= 2;\n}\n"
               "double x[6];\nint main(void) { f(x, 2, 3); }\n");
  check("$CC -O1 -fno-inline a.c -o a");
  CommandResult Run = check("./a");
  EXPECT_THAT(Run.Err,
              testing::ContainsRegex("access 0/[0-2] flags=3 element=8 .0, 8\\*[0-2]\\*[0-2]\\)"));
}

TEST_F(Region, ResultsOfSeveralKindsSurvive) {
  write("a.c",
        "#include <stdio.h>\n"
        "typedef struct { float s; long last; short odd; } out;\n"
        "out f(const float *x, int n, float limit) {\n"
        "  out o = {0, -1, 0};\n"
        "  for (int i = 0; i < n; i++) {\n"
        "    if (x[i] > limit) { o.last = i; break; }\n"
        "    o.s += x[i]; o.odd ^= (short)i;\n  }\n  return o;\n}\n"
        "int main(void) {\n  float x[100]; for (int i = 0; i < 100; i++) x[i] = i;\n"
        "  out a = f(x, 100, 50), b = f(x, 100, 1000);\n"
        "  printf(\"%g %ld %d %g %ld %d\\n\", a.s, a.last, a.odd, b.s, b.last, b.odd);\n}\n");
  check("$CC -O2 -fno-inline a.c -o a && $CLANG -O2 a.c -o plain");
  CommandResult Run = check("./a");
  EXPECT_EQ(Run.Out, check("./plain").Out);
  EXPECT_THAT(Run.Err, HasSubstr("region f:5"));
}

TEST_F(Region, PackedArguments) {
  write("a.c",
        "void f(double *a, signed char c, float x, double y, unsigned short s, long n, _Bool b) {\n"
        "  for (long i = 0; i < n; i++) a[i] += c * x + y + s + (b ? a[i] : i);\n}\n"
        "double x[4];\n"
        "int main(void) { f(x, -1, 1.0f, 2.0, 65535, 4, 1); }\n");
  check("$CC -O1 -fno-inline -mllvm -specrt-filter=f a.c -o a");
  CommandResult Run = check("./a");
  // b, then -1 * 1.0f + 2.0 + 65535 as it is computed before the loop, then n.
  EXPECT_THAT(Run.Err, HasSubstr("enter f:2 1 40f0000000000000 4\n"));
}

/// clang gives up on large bodies. Here it does not try.
TEST_F(Region, SizesAndPointersInStaticsAreArguments) {
  write("a.c", "#include <stdio.h>\n#include <stdlib.h>\n"
               "double (*rows)[8];\nint nx, ny;\n"
               "__attribute__((noinline)) void scale(double by) {\n"
               "  for (int i = 0; i < nx; i++)\n"
               "    for (int j = 0; j < ny; j++) rows[i][j] = rows[i][j] * by + 1;\n}\n"
               "int main(void) {\n  nx = 5; ny = 7; rows = calloc(5, sizeof *rows);\n"
               "  scale(2); scale(3);\n  printf(\"%g %g\\n\", rows[4][6], rows[4][7]);\n}\n");
  const std::string NoHoisting = " -mllvm -licm-mssa-optimization-cap=0"
                                 " -mllvm -licm-mssa-max-acc-promotion=0"
                                 " -mllvm -specrt-filter=scale a.c -o ";
  check("$CC -O2" + NoHoisting + "a && $CC -O2 -fno-strict-aliasing" + NoHoisting + "b");
  CommandResult Run = check("./a"), MayChange = check("./b");
  EXPECT_EQ(Run.Out, "4 0\n");
  EXPECT_EQ(MayChange.Out, Run.Out);
  EXPECT_EQ(count(Run.Err, "  arg "), 4u) << "by, nx, ny and rows";
  for (const char *Arg : {"8 'rows'", "4 'nx'", "4 'ny'", "7 'by'"})
    EXPECT_THAT(Run.Err, HasSubstr(Arg));
  EXPECT_THAT(Run.Err, Not(HasSubstr("symbol"))) << "nothing is read from the statics";
  EXPECT_THAT(MayChange.Err, HasSubstr("symbol rows")) << "a store might change them";
}

/// clang computes all addresses in front of the loop, more than there may be arguments.
TEST_F(Region, AddressesLeaveRoomForSizesInStatics) {
  std::string Sum;
  for (int Row = 0; Row < 70; ++Row)
    Sum += " + grid[k][" + std::to_string(Row) + "][i]";
  write("a.c",
        "static double grid[20][70][40];\nint nx;\n"
        "__attribute__((noinline)) void sum(long k, double *x) {\n"
        "  for (long i = 0; i < nx; i++)\n    x[i] = 0" +
            Sum +
            ";\n}\n"
            "double x[40];\n"
            "int main(void) {\n  nx = 40; grid[3][5][7] = 2; sum(3, x); return x[7] != 2;\n}\n");
  check("$CC -O2 -mllvm -licm-mssa-optimization-cap=0 -mllvm -specrt-filter=sum a.c -o a");
  CommandResult Run = check("./a");
  EXPECT_EQ(count(Run.Err, "  arg "), 3u);
  EXPECT_THAT(Run.Err, HasSubstr("4 'nx'"));
}

TEST_F(Region, ShortLoopsAreAPartOfTheNestsAroundTheirCalls) {
  write("a.c", "__attribute__((noinline)) static void eliminate(double (*a)[4]) {\n"
               "#pragma clang loop unroll(disable)\n"
               "  for (int p = 0; p < 3; p++)\n"
               "#pragma clang loop unroll(disable)\n"
               "    for (int m = p + 1; m < 4; m++) a[m][p] /= a[p][p];\n}\n"
               "void lines(double (*a)[4][4], int n) {\n"
               "  for (int i = 0; i < n; i++) eliminate(a[i]);\n}\n"
               "double x[5][4][4] = {{{2}, {1}}};\n"
               "int main(void) { lines(x, 5); return x[0][1][0] != 0.5; }\n");
  const CommandResult Built = check("$CC -O2 -Rpass-missed=specrt a.c -o a");
  EXPECT_THAT(Built.Err,
              HasSubstr("a.c:3:3: remark: loop is not a region: it is part of the nests"));
  EXPECT_THAT(check("./a").Err, HasSubstr("region lines:8 "));
}

/// As arguments, grid[k - 1][m] and grid[k][m] would be arrays that may overlap each other.
TEST_F(Region, AddressesWithinAVariableAreComputedInside) {
  write("a.c", "#include <stdio.h>\n"
               "static double grid[20][30][40];\n"
               "__attribute__((noinline)) void sweep(long k, long m, long n, const double *x) {\n"
               "  for (long i = 0; i < n; i++)\n"
               "    grid[k][m][i] += grid[k - 1][m][i + 1] * x[i];\n}\n"
               "double x[40];\n"
               "int main(void) {\n"
               "  for (int i = 0; i < 40; i++) x[i] = i, grid[0][1][i] = 1;\n"
               "  for (long k = 1; k < 20; k++) sweep(k, 1, 39, x);\n"
               "  printf(\"%g\\n\", grid[3][1][3]);\n}\n");
  check("$CC -O2 -mllvm -specrt-filter=sweep a.c -o a && $CLANG -O2 a.c -o plain");
  CommandResult Run = check("./a");
  EXPECT_EQ(Run.Out, check("./plain").Out);
  EXPECT_EQ(count(Run.Err, "  arg "), 4u);
  for (const char *Arg : {"5 'k'", "5 'm'", "5 'n'", "8 'x'"})
    EXPECT_THAT(Run.Err, HasSubstr(Arg));
  EXPECT_THAT(Run.Err, HasSubstr("symbol grid"));
}

TEST_F(Region, LinesWithoutDebugInfo) {
  write("a.c", "void f(double *a, int n) {\n\n\n  for (int i = 0; i < n; i++) a[i] *= 2;\n}\n");
  check("$CC -O2 -c a.c");
  EXPECT_THAT(check("$TOOLS/llvm-readelf -S a.o").Out, Not(HasSubstr(".debug")));
  write("m.c", "void f(double *, int); double x[9]; int main(void) { f(x, 9); }\n");
  check("$CC -O2 m.c a.o -o a");
  EXPECT_THAT(check("./a").Err, HasSubstr("region f:4 function=f file=a.c line=4"));
}

TEST_F(Region, WithDebugInfo) {
  write("a.c", "double total(const double *values, int number) {\n  double sum = 0;\n"
               "  for (int i = 0; i < number; i++) sum += values[i];\n  return sum;\n}\n"
               "double x[9];\nint main(void) { return total(x, 9); }\n");
  check("$CC -O2 -g -fno-inline a.c -o a");
  CommandResult Run = check("./a");
  EXPECT_THAT(Run.Err, HasSubstr("region total:3"));
  EXPECT_THAT(Run.Err, HasSubstr("'values'"));
  EXPECT_THAT(Run.Err, HasSubstr("'sum'"));
  EXPECT_THAT(check("$TOOLS/llvm-dwarfdump --verify a").Out, HasSubstr("No errors"));
}

TEST_F(Region, TinyLoopThatWasAskedFor) {
  write("a.c", "#include \"specrt/annotations.h\"\n"
               "SPECRT_REGION void f(double *a) {\n#pragma clang loop unroll(disable)\n"
               "  for (int i = 0; i < 3; i++) a[i] *= 2; }\n"
               "double x[9];\nint main(void) { f(x); }\n");
  check("$CC -O2 -I$INC a.c -o a");
  EXPECT_THAT(check("./a").Err, HasSubstr("region f:4 "));
}

TEST_F(Region, OriginalsKnowWhichTripCountsThereAre) {
  write("a.c", "__attribute__((noinline)) void smooth(double *to, const double *from, int n, "
               "int wide) {\n"
               "  int width = wide ? 7 : 3;\n"
               "  for (int i = 0; i < n; i++) {\n"
               "    double sum = 0;\n"
               "    for (int k = 0; k < width; k++) sum += from[i + k];\n"
               "    to[i] = sum;\n  }\n}\n"
               "double x[99], y[99];\nint main(int c, char **v) { smooth(x, y, 50, c > 1); }\n");
  check("$CC -O2 -mllvm -specrt-filter=smooth a.c -o a");
  CommandResult Run = check("./a");
  EXPECT_THAT(Run.Err, HasSubstr("region smooth:3 "));
  EXPECT_THAT(Run.Err, HasSubstr("4 'wide'")) << "an argument may have any value";
}

TEST_F(Region, CodeInlinedTwiceHasTwoNames) {
  write("a.c", "static inline double sum(const double *a, int n) {\n  double s = 0;\n"
               "  for (int i = 0; i < n; i++) s += a[i];\n  return s;\n}\n"
               "__attribute__((noinline)) double f(double *a, double *b, int n) {\n"
               "  return sum(a, n) * sum(b, n);\n}\n"
               "double x[9];\nint main(void) { return f(x, x, 9); }\n");
  check("$CC -O2 a.c -o a");
  CommandResult Run = check("./a");
  EXPECT_THAT(Run.Err, HasSubstr("region f:3 "));
  EXPECT_THAT(Run.Err, HasSubstr("region f:3#1 "));
}

TEST_F(Region, SeveralNestsOfOneFunction) {
  write("a.cpp",
        "#include <cstdio>\nnamespace ns { template <class T> void two(T *a, T *b, int n) {\n"
        "  for (int i = 0; i < n; i++) a[i] = i;\n"
        "  for (int i = 1; i < n; i++) b[i] = b[i - 1] + a[i];\n} }\n"
        "double x[50], y[50];\n"
        "int main() { ns::two(x, y, 50); std::printf(\"%g\\n\", y[49]); }\n");
  check("$CXX -O2 -fno-inline a.cpp -o a");
  CommandResult Run = check("./a");
  EXPECT_EQ(Run.Out, "1225\n");
  EXPECT_THAT(Run.Err, HasSubstr("region ns::two:3 "));
  EXPECT_THAT(Run.Err, HasSubstr("region ns::two:4 "));
}

const char *const Rows =
    "#include <stdio.h>\n"
    "__attribute__((noinline)) void rows(double *a, int n, long m, float x) {\n"
    "  for (int i = 3; i < n; i++)\n"
    "    for (long j = 0; j < m; j++) a[i * m + j] += x * i;\n"
    "}\n"
    "double a[60];\n"
    "int main(void) {\n"
    "  rows(a, 10, 6, 0.5f);\n"
    "  for (int i = 0; i < 10; i++) printf(\"%g \", a[i * 6 + 5]);\n"
    "}\n";

TEST_F(Region, OriginalsAskOnceWhereTheyAreTold) {
  write("a.c", Rows);
  check("$CC -O2 -mllvm -specrt-filter=rows a.c -o a && $CLANG -O2 a.c -o plain");
  CommandResult Quiet = check("./a");
  EXPECT_EQ(Quiet.Out, check("./plain").Out);
  EXPECT_THAT(Quiet.Err, Not(HasSubstr("poll")));
  CommandResult Asked = check("SPECRT_STUB_POLL_AT=4 ./a");
  EXPECT_EQ(Asked.Out, Quiet.Out);
  EXPECT_EQ(count(Asked.Err, "poll rows:3 at 4 "), 1u) << Asked.Err;
  // The same arguments as at the beginning.
  std::string Begin = Asked.Err.substr(Asked.Err.find("enter rows:3") + 12);
  std::string Poll = Asked.Err.substr(Asked.Err.find("poll rows:3 at 4") + 16);
  EXPECT_EQ(Begin.substr(0, Begin.find('\n')), Poll.substr(0, Poll.find('\n')));
}

TEST_F(Region, AnOnStackReplacementEndsTheOriginal) {
  write("a.c", Rows);
  check("$CC -O2 -mllvm -specrt-filter=rows a.c -o a");
  CommandResult Run = check("SPECRT_STUB_POLL_AT=4 SPECRT_STUB_HAND_OVER=1 ./a");
  EXPECT_EQ(Run.Out, "0 0 0 1.5 2 2.5 3 0 0 0 "); // rows 3 to 6 are iterations 0 to 3
  EXPECT_THAT(Run.Err, HasSubstr("leave 43"));
  EXPECT_THAT(Run.Err, HasSubstr("leave 42"));
}

TEST_F(Region, TwoPiecesOfCodeMayDoTheRest) {
  write("a.c", Rows);
  check("$CC -O2 -mllvm -specrt-filter=rows a.c -o a");
  CommandResult Run =
      check("SPECRT_STUB_POLL_AT=4 SPECRT_STUB_HAND_OVER=1 SPECRT_STUB_PARTS=1 ./a");
  EXPECT_EQ(Run.Out, "0 0 0 1.5 2 2.5 3 0 0 0 ");
  EXPECT_EQ(count(Run.Err, "continue 43\n"), 1u) << Run.Err;
  EXPECT_EQ(count(Run.Err, "remainder\n"), 1u) << Run.Err;
  EXPECT_EQ(count(Run.Err, "leave 43\n"), 1u) << Run.Err;
}

TEST_F(Region, CallsPassByUnobserved) {
  write("a.c", "#include <stdio.h>\n"
               "__attribute__((noinline)) long sum(const long *a, int n) {\n"
               "  long s = 0;\n  for (int i = 0; i < n; i++) s += a[i];\n  return s;\n}\n"
               "long a[9] = {1, 2, 3};\n"
               "int main(void) {\n"
               "  for (int n = 1; n < 8; n++) printf(\"%ld \", sum(a, n));\n}\n");
  check("$CC -O2 -mllvm -specrt-filter=sum a.c -o a && $CLANG -O2 a.c -o plain");
  CommandResult Run = check("SPECRT_STUB_PASS_BY=5 ./a");
  EXPECT_EQ(Run.Out, check("./plain").Out);
  EXPECT_EQ(count(Run.Err, "enter sum:4 6\n"), 1u) << Run.Err; // packed: n is 6
  EXPECT_EQ(count(Run.Err, "enter"), 2u);
  EXPECT_EQ(count(Run.Err, "leave"), 2u);
}

/// Each call of a function has a frame of its own.
TEST_F(Region, CallsOfOneFunctionLieWithinEachOther) {
  write("a.cpp",
        "#include <cstdio>\n"
        "double tree(const double *a, int n, int depth);\n"
        "double (*volatile again)(const double *, int, int) = tree;\n"
        "__attribute__((noinline)) double tree(const double *a, int n, int depth) {\n"
        "  double s = 0;\n"
        "  for (int i = 0; i < n; i++) s += a[i] * depth;\n"
        "  if (depth > 0) s += again(a, n - 1, depth - 1) - again(a + 1, n - 2, depth - 1);\n"
        "  for (int i = 0; i < n; i++) s = s * 0.5 + a[i];\n"
        "  return s;\n}\n"
        "double a[20];\n"
        "int main() {\n  for (int i = 0; i < 20; i++) a[i] = i * 0.1;\n"
        "  std::printf(\"%a\\n\", tree(a, 15, 4)); }\n");
  check("$CXX -O2 -mllvm -specrt-filter=tree a.cpp -o a && $CLANGXX -O2 a.cpp -o plain");
  CommandResult Run = check("./a");
  EXPECT_EQ(Run.Out, check("./plain").Out);
  EXPECT_EQ(count(Run.Err, "enter"), 62u);
  EXPECT_EQ(count(Run.Err, "leave"), 62u);
}

TEST_F(Region, NestsThatCannotGoOnInTheMiddleDoNotAsk) {
  write("a.c", "#include <stdio.h>\n"
               "__attribute__((noinline)) double sum(double *a, int n) {\n  double s = 0;\n"
               "  for (int i = 0; i < n; i++)\n"
               "    for (int j = 0; j < n; j++) { s += a[i * n + j]; a[i * n + j] = s; }\n"
               "  return s;\n}\n"
               "__attribute__((noinline)) void flat(double *a, int n) {\n"
               "  for (int i = 0; i < n; i++) a[i] += i;\n}\n"
               "double x[100];\n"
               "int main(void) { flat(x, 100); printf(\"%g\\n\", sum(x, 10)); }\n");
  check("$CC -O2 -mllvm -specrt-filter=sum,flat a.c -o a");
  CommandResult Run = check("SPECRT_STUB_POLL_AT=4 ./a");
  EXPECT_THAT(Run.Err, HasSubstr("enter sum:4"));
  EXPECT_THAT(Run.Err, HasSubstr("enter flat:9"));
  EXPECT_THAT(Run.Err, Not(HasSubstr("poll")));
}

/// The copy has stack memory of its own, and so have versions: what earlier iterations have left in
/// the nest's they would not find.
TEST_F(Region, NestsThatKeepStackMemoryDoNotAsk) {
  write("a.c", "#include <stdio.h>\n"
               "__attribute__((noinline)) void keeps(double *out, const double *a, long n) {\n"
               "  double u[50];\n"
               "  for (long t = 0; t < n; t++)\n"
               "    for (long i = 0; i < 50; i++) {\n"
               "      u[i] = t ? u[i] * 0.5 + a[i] : a[i];\n"
               "      out[i] = u[i];\n    }\n}\n"
               "double a[50], out[50];\n"
               "int main(void) {\n  for (int i = 0; i < 50; i++) a[i] = i;\n"
               "  keeps(out, a, 9);\n  printf(\"%g\\n\", out[7]); }\n");
  check("$CC -O2 -mllvm -specrt-filter=keeps a.c -o a && $CLANG -O2 a.c -o plain");
  CommandResult Run = check("SPECRT_STUB_POLL_AT=4 ./a");
  EXPECT_EQ(Run.Out, check("./plain").Out);
  EXPECT_THAT(Run.Err, HasSubstr("enter keeps:4"));
  EXPECT_THAT(Run.Err, Not(HasSubstr("poll")));
}

TEST_F(Region, TitlesAndPlacesAreThoseOfTheSource) {
  write("a.cpp",
        "struct Heat {\n  int nx;\n  double *now;\n  double at(int i) { return now[i]; }\n"
        "  void step() {\n    for (int i = 1; i < nx; i++)\n      now[i] = at(i) * 2;\n  }\n};\n"
        "__attribute__((noinline)) void run(Heat &heat) {\n  heat.step();\n}\n"
        "void each(int n, double *x) {\n#pragma omp parallel for\n"
        "  for (int i = 0; i < n; i++)\n    for (int k = 0; k < n; k++) x[i * n + k] += 1;\n}\n"
        "int main() {\n  double a[8] = {};\n  Heat heat{8, a};\n  run(heat);\n"
        "  each(2, a);\n}\n");
  for (const char *Debug : {"", "-g", "-gline-tables-only"}) {
    check(std::string("$CXX -O2 -fopenmp -Rpass=specrt ") + Debug + " a.cpp -o a");
    CommandResult Run = check("./a");
    // The identity is that of the symbol.
    EXPECT_THAT(Run.Err, HasSubstr("region run:6 function=_Z3runR4Heat"));
    const bool Lines = Debug == std::string("-gline-tables-only");
    EXPECT_THAT(Run.Err, HasSubstr(Lines ? "title 'step:6, inlined into run:11'"
                                         : "title 'Heat::step:6, inlined into run:11'"));
    EXPECT_THAT(Run.Err, HasSubstr(Lines ? "place step a.cpp 6-7" : "place Heat::step a.cpp 6-7"));
    EXPECT_THAT(Run.Err, HasSubstr(Lines ? "place at a.cpp 4-4" : "place Heat::at a.cpp 4-4"));
    EXPECT_THAT(Run.Err, HasSubstr("region _Z4eachiPd.omp_outlined:14 "));
    EXPECT_THAT(Run.Err, HasSubstr("title 'each (OpenMP loop, a.cpp:14)'"));
  }
}

/// Loops of one line that were inlined several times are told apart by the lines of the calls.
TEST_F(Region, TitlesTellWhichCallWasInlined) {
  write("a.c", "static inline void twice(int n, double *x) {\n"
               "  for (int i = 0; i < n; i++) x[i] *= 2;\n}\n"
               "__attribute__((noinline)) void run(int n, double *x) {\n"
               "  twice(n, x);\n"
               "  x[0] += 1;\n"
               "  twice(n + 1, x);\n}\n"
               "int main(void) {\n  double a[8] = {0};\n  run(4, a);\n}\n");
  check("$CC -O2 a.c -o a");
  CommandResult Run = check("./a");
  EXPECT_THAT(Run.Err, HasSubstr("title 'twice:2, inlined into run:5'"));
  EXPECT_THAT(Run.Err, HasSubstr("title 'twice:2#1, inlined into run:7'"));
}

TEST_F(Region, MembersThatAreReadAreNamedWithDebugInfo) {
  write("a.c", "struct sizes { long rows; int n, m; };\n"
               "struct all { struct sizes *s; double *x; };\n"
               "static struct sizes fixed = {1, 2, 3};\n"
               "void f(struct all *all) {\n"
               "  for (int i = 0; i < all->s->m; i++) all->x[i] += 1;\n}\n"
               "int main(void) {\n  double a[4] = {0};\n"
               "  struct all all = {&fixed, a};\n  f(&all);\n}\n");
  // As if x[i] could be one of the members: these are read in every iteration.
  check("$CC -O1 -g -fno-inline -fno-strict-aliasing a.c -o a");
  CommandResult InLoop = check("./a");
  EXPECT_THAT(InLoop.Err, HasSubstr("+0 'all->s'"));
  EXPECT_THAT(InLoop.Err, HasSubstr("+12 'all->s->m'"));
  EXPECT_THAT(InLoop.Err, HasSubstr("+8 'all->x'"));
  // Read before the loop they are arguments.
  check("$CC -O1 -g -fno-inline a.c -o a");
  CommandResult Before = check("./a");
  EXPECT_THAT(Before.Err, HasSubstr("all->s->m"));
  EXPECT_THAT(Before.Err, HasSubstr("all->x"));
}

} // namespace
