//===- tests/soundness/sparse/programs/values.cpp - numbers that zero does not make zero ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Infinity, NaN, -0.0 and denormals in vectors and matrices, at places that the pattern has and at
// those that it has not: whoever fills a row up with zeros gets NaN there, and whoever adds +0.0
// loses -0.0.
#include "sparse.h"
#include <cmath>
#include <limits>

namespace {

constexpr double Infinity = std::numeric_limits<double>::infinity();
constexpr double Nan = std::numeric_limits<double>::quiet_NaN();
constexpr double Tiny = std::numeric_limits<double>::denorm_min();

/// All bits, but one pattern for every NaN: which operand's a sum takes is the compiler's choice.
void printNumbers(const char *name, std::vector<double> y) {
  for (double &one : y)
    if (std::isnan(one))
      one = Nan;
  print(name, y);
}

/// A band whose column 100 no row uses, rows of different lengths beside it.
Matrix withHoles() {
  Matrix a;
  for (long i = 0; i < 600; ++i) {
    for (long j : {i - 2, i, i + 1, i + 5})
      if (j >= 0 && j < 600 && j != 100 && (i % 50 != 7 || j != i))
        a.add(j);
    a.endRow();
  }
  return a;
}

void everyCall(const char *name, const Matrix &a, const std::vector<double> &x) {
  std::vector<double> y(a.n), b = x;
  for (int call = 0; call < 25; ++call) {
    multiply(a.n, a.start.data(), a.column.data(), a.value.data(), x.data(), y.data());
    if (call % 12 == 0)
      printNumbers(name, y);
  }
  for (int call = 0; call < 3; ++call) {
    scatter(a.n, a.start.data(), a.column.data(), a.value.data(), x.data(), y.data());
    printNumbers(name, y);
    sweep(a.n, a.start.data(), a.column.data(), a.value.data(), b.data(), y.data());
    printNumbers(name, y);
    solveLower(a.n, a.start.data(), a.column.data(), a.value.data(), b.data(), y.data());
    printNumbers(name, y);
  }
}

/// Outside of the pattern, inside of it, at the ends and in the middle.
void inOperand(double special) {
  const Matrix a = withHoles();
  const std::vector<double> x = reals(a.n, 1);
  everyCall("before", a, x);
  for (long place : {100L, 0L, 300L, 599L}) {
    std::vector<double> one = x;
    one[place] = special;
    everyCall("operand", a, one);
  }
  everyCall("everywhere", a, std::vector<double>(a.n, special));
  everyCall("after", a, x);
}

void inMatrix(double special) {
  Matrix a = withHoles();
  std::vector<double> x = reals(a.n, 1);
  everyCall("before", a, x);
  for (long row : {0L, 300L, 599L}) {
    const Matrix whole = a;
    a.value[a.start[row]] = special;
    everyCall("matrix", a, x);
    a = whole;
  }
  for (double &value : a.value)
    value = special;
  everyCall("everywhere", a, x);
}

void signsOfZero() {
  Matrix a = withHoles();
  // Products of -0.0 alone, and rows that have no entry: the former give +0.0 + -0.0, which is
  // +0.0.
  everyCall("minus zero", a, std::vector<double>(a.n, -0.0));
  for (double &value : a.value)
    value = std::abs(value);
  everyCall("minus zero alone", a, std::vector<double>(a.n, -0.0));
  for (double &value : a.value)
    value = -value;
  everyCall("negative times zero", a, std::vector<double>(a.n, 0.0));
  // What is added to y may be -0.0 at first and stays it where a row has no entry.
  std::vector<double> y(a.n, -0.0), x(a.n, 0.0);
  for (int call = 0; call < 25; ++call)
    addProduct(a.n, a.start, a.column, a.value, x, y);
  print("sums from minus zero", y);
  Matrix none;
  for (int i = 0; i < 600; ++i)
    none.endRow();
  y.assign(a.n, -0.0);
  for (int call = 0; call < 25; ++call)
    addProduct(none.n, none.start, none.column, none.value, x, y);
  print("no entries", y);
}

void cancelled() {
  Matrix a = withHoles();
  std::vector<double> x(a.n, 1e308);
  for (size_t k = 0; k < a.value.size(); ++k)
    a.value[k] = k % 2 ? 10.0 : -10.0; // order decides between infinity, NaN and a number
  everyCall("overflow", a, x);
  for (size_t k = 0; k < a.value.size(); ++k)
    a.value[k] = k % 2 ? 1.0 : -1.0;
  everyCall("cancelled", a, x);
}

} // namespace

int main(int argc, char **argv) {
  static constexpr Scenario All[] = {{"infinity-in-operand", [] { inOperand(Infinity); }},
                                     {"nan-in-operand", [] { inOperand(Nan); }},
                                     {"zero-in-operand", [] { inOperand(-0.0); }},
                                     {"denormal-in-operand", [] { inOperand(Tiny); }},
                                     {"infinity-in-matrix", [] { inMatrix(-Infinity); }},
                                     {"nan-in-matrix", [] { inMatrix(Nan); }},
                                     {"zero-in-matrix", [] { inMatrix(-0.0); }},
                                     {"denormal-in-matrix", [] { inMatrix(-Tiny); }},
                                     {"signs-of-zero", signsOfZero},
                                     {"cancelled", cancelled}};
  return runScenario(All, argc, argv);
}
