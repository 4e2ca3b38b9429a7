//===- tests/instrument/consecutive_loops_test.cpp - loops that become one region ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two loops over the rows of one matrix, one after the other, are one region; any others are two.
//
//===----------------------------------------------------------------------===//
#include "tests/instrument/toolchain.h"

using namespace specrt;

namespace {

struct Pair {
  const char *Name;
  const char *Source; ///< with two loops
  unsigned Regions;
};
void PrintTo(const Pair &Case, std::ostream *Stream) { *Stream << Case.Name; }

const char *const Products = R"(
static inline void up(int n, const int *start, const int *column, const double *value,
                      const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++) sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}
static inline void down(int n, const int *start, const int *column, const double *value,
                        const double *x, double *y) {
  for (int i = n - 1; i >= 0; i--) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++) sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}
static inline double norm(int n, const int *start, const int *column, const double *value,
                          const double *x, double *y) {
  double all = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++) sum += value[k] * x[column[k]];
    y[i] = sum;
    all += sum;
  }
  return all;
}
static inline void dense(int n, const double *a, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) y[i] += a[i * n + j] * x[j];
}
struct Matrix { int n; int *start, *column; double *value; };
struct Vector { double *data; };
)";

class ConsecutiveLoops : public ToolchainTest, public testing::WithParamInterface<Pair> {};

TEST_P(ConsecutiveLoops, AreOneRegionOverTheSameRows) {
  write("loops.c", Products + std::string(GetParam().Source));
  const CommandResult Result = check("$CC -O2 -Rpass=specrt -Rpass-missed=specrt -c loops.c");
  EXPECT_EQ(count(Result.Err, "loop is a region"), GetParam().Regions) << Result.Err;
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, ConsecutiveLoops,
    testing::Values(
        Pair{"Twice",
             "void f(int n, int *s, int *c, double *v, double *x, double *t, double *y) {\n"
             "  up(n, s, c, v, x, t); up(n, s, c, v, t, y); }\n",
             1},
        Pair{"BothDown",
             "void f(int n, int *s, int *c, double *v, double *x, double *t, double *y) {\n"
             "  down(n, s, c, v, x, t); down(n, s, c, v, t, y); }\n",
             1},
        Pair{"InAnotherLoop",
             "void f(int m, int n, int *s, int *c, double *v, double *x, double *t, double *y) {\n"
             "  for (int i = 0; i < m; i++) { up(n, s, c, v, x, t); up(n, s, c, v, t, x);\n"
             "    y[i] += x[i] * x[i] + y[i ? i - 1 : 0]; } }\n",
             1},
        Pair{"BehindPointersThatAreReadAgain",
             "void f(const struct Matrix *a, const struct Vector *x, const struct Vector *t,\n"
             "       const struct Vector *y) {\n"
             "  up(a->n, a->start, a->column, a->value, x->data, t->data);\n"
             "  up(a->n, a->start, a->column, a->value, t->data, y->data); }\n",
             1},
        Pair{"UpAndDown",
             "void f(int n, int *s, int *c, double *v, double *x, double *t, double *y) {\n"
             "  up(n, s, c, v, x, t); down(n, s, c, v, t, y); }\n",
             2},
        Pair{
            "OfOtherValues",
            "void f(int n, int *s, int *c, double *v, double *w, double *x, double *t, double *y)\n"
            "{ up(n, s, c, v, x, t); up(n, s, c, w, t, y); }\n",
            2},
        Pair{"WithAStoreBetween",
             "void f(int n, int *s, int *c, double *v, double *x, double *t, double *y) {\n"
             "  up(n, s, c, v, x, t); t[0] = 1; up(n, s, c, v, t, y); }\n",
             2},
        Pair{"WithACallBetween",
             "void g(double *);\n"
             "void f(int n, int *s, int *c, double *v, double *x, double *t, double *y) {\n"
             "  up(n, s, c, v, x, t); g(t); up(n, s, c, v, t, y); }\n",
             2},
        Pair{"ThatBeginsWithAResult",
             "void f(int n, int *s, int *c, double *v, double *x, double *t, double *y) {\n"
             "  const double all = norm(n, s, c, v, x, t);\n"
             "  for (int i = 0; i < n; i++) {\n"
             "    double sum = all;\n"
             "    for (int k = s[i]; k < s[i + 1]; k++) sum += v[k] * t[c[k]];\n"
             "    y[i] = sum; } }\n",
             2},
        Pair{"OfWhichTheFirstHasAResult",
             "double f(int n, int *s, int *c, double *v, double *x, double *t, double *y) {\n"
             "  const double all = norm(n, s, c, v, x, t); up(n, s, c, v, t, y); return all; }\n",
             2},
        Pair{"OfWhichTheSecondCannotBeMoved",
             "void f(int n, int *s, int *c, double *v, double *x, double *t, long double *y,\n"
             "       long double by) {\n"
             "  up(n, s, c, v, x, t);\n"
             "  for (int i = 0; i < n; i++) {\n"
             "    long double sum = by;\n"
             "    for (int k = s[i]; k < s[i + 1]; k++) sum += v[k] * t[c[k]];\n"
             "    y[i] = sum; } }\n",
             1},
        Pair{"OfADenseMatrix",
             "void f(int n, double *a, double *restrict x, double *restrict t,\n"
             "       double *restrict y) { dense(n, a, x, t); dense(n, a, t, y); }\n",
             2}),
    [](const auto &Of) { return std::string(Of.param.Name); });

} // namespace
