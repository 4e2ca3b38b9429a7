//===- tests/soundness/sparse/programs/structures.cpp - every kind of pattern, every kernel ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse.h"
#include <algorithm>
#include <utility>

namespace {

/// Rows of as many entries as \p counts says, by \p column(row, entry).
template <typename F, typename G> Matrix made(long n, const F &count, const G &column) {
  Matrix a;
  for (long i = 0; i < n; ++i) {
    for (long k = 0; k < count(i); ++k)
      a.add(column(i, k));
    a.endRow();
  }
  return a;
}

Matrix boxed(long side) { // seven points of a cube
  Matrix a;
  for (long i = 0; i < side * side * side; ++i) {
    const long x = i % side, y = i / side % side, z = i / (side * side);
    for (auto [inside, j] : {std::pair(z > 0, i - side * side),
                             {y > 0, i - side},
                             {x > 0, i - 1},
                             {true, i},
                             {x < side - 1, i + 1},
                             {y < side - 1, i + side},
                             {z < side - 1, i + side * side}})
      if (inside)
        a.add(j);
    a.endRow();
  }
  return a;
}

Matrix blocks(long side, long size) { // nine nodes, dense blocks
  Matrix a;
  for (long i = 0; i < side * side * size; ++i) {
    const long x = i / size % side, y = i / size / side;
    for (long v = std::max(y - 1, 0L); v <= std::min(y + 1, side - 1); ++v)
      for (long u = std::max(x - 1, 0L); u <= std::min(x + 1, side - 1); ++u)
        for (long b = 0; b < size; ++b)
          a.add((v * side + u) * size + b);
    a.endRow();
  }
  return a;
}

Matrix quadratic(long side) { // nodes at corners, on edges and in the middle of elements
  Matrix a;
  for (long i = 0; i < side * side; ++i) {
    const long x = i % side, y = i / side, ofX = x % 2 ? 1 : 2, ofY = y % 2 ? 1 : 2;
    for (long v = std::max(y - ofY, 0L); v <= std::min(y + ofY, side - 1); ++v)
      for (long u = std::max(x - ofX, 0L); u <= std::min(x + ofX, side - 1); ++u)
        a.add(v * side + u);
    a.endRow();
  }
  return a;
}

Matrix band(long n, long width) {
  return made(
      n, [=](long i) { return std::min(i + width, n - 1) - std::max(i - width, 0L) + 1; },
      [=](long i, long k) { return std::max(i - width, 0L) + k; });
}

Matrix randomRows(long n, long most) {
  Numbers numbers(5);
  return made(
      n, [&](long) { return numbers.below(most + 1); },
      [&](long, long) { return numbers.below(n); });
}

Matrix powerLaw(long n) {
  Numbers numbers(6);
  return made(
      n, [n](long i) { return std::min(n, 2 * n / (i + 8) + 1); },
      [&, n](long, long) { return std::min(numbers.below(n), numbers.below(n)); });
}

Matrix permuted(const Matrix &a) {
  std::vector<int> order(a.n), place(a.n);
  for (long i = 0; i < a.n; ++i)
    order[i] = static_cast<int>(i);
  Numbers numbers(8);
  for (long i = a.n - 1; i > 0; --i)
    std::swap(order[i], order[numbers.below(i + 1)]);
  for (long i = 0; i < a.n; ++i)
    place[order[i]] = static_cast<int>(i);
  return made(
      a.n, [&](long i) { return a.start[order[i] + 1] - a.start[order[i]]; },
      [&](long i, long k) { return place[a.column[a.start[order[i]] + k]]; });
}

Matrix emptyRows(long n) {
  return made(
      n, [](long i) { return i % 7 < 3 || i > 500 ? 0 : 1 + i % 3; },
      [n](long i, long k) { return (i + 3 * k) % n; });
}

Matrix oneDenseRow(long n) {
  return made(
      n, [n](long i) { return i == 300 ? n : 3; },
      [n](long i, long k) { return i == 300 ? k : (i + k) % n; });
}

Matrix duplicates(long n) {
  return made(n, [](long) { return 6; }, [n](long i, long k) { return (i + k / 2) % n; });
}

Matrix unsorted(long n) {
  static constexpr long Order[] = {3, 0, 4, 1, 2};
  return made(n, [](long) { return 5; }, [n](long i, long k) { return (i + 11 * Order[k]) % n; });
}

Matrix arrow(long n) {
  return made(
      n, [n](long i) { return i == n - 1 ? n : 2; },
      [n](long i, long k) { return i == n - 1 || k == 0 ? (i == n - 1 ? k : i) : n - 1; });
}

Matrix allOf(long n) {
  return made(n, [n](long) { return n; }, [](long, long k) { return k; });
}

Matrix alternating(long n) { // two shapes of rows in turn, then in blocks
  return made(
      n, [n](long i) { return (i < n / 2 ? i : i / 16) % 2 ? 2 : 5; },
      [n](long i, long k) { return (i * ((i < n / 2 ? i : i / 16) % 2 ? 1 : 3) + k) % n; });
}

/// So small that sums of many calls stay finite.
void rest(std::vector<double> &x) {
  for (double &one : x)
    one = one > 4 ? 1.5 : one < -4 ? -1.25 : one;
}

void entries(const Matrix &a, const std::vector<double> &x, std::vector<double> &y) {
  std::vector<int> row;
  for (long i = 0; i < a.n; ++i)
    row.insert(row.end(), a.start[i + 1] - a.start[i], static_cast<int>(i));
  for (int call = 0; call < 6; ++call)
    multiplyEntries(static_cast<long>(row.size()), row.data(), a.column.data(), a.value.data(),
                    x.data(), y.data());
  print("entries", y);
}

/// The matrix with itself; \p a may be anything, so that the pattern is made of lists.
void product(const Matrix &a) {
  Matrix c;
  for (long i = 0; i < a.n; ++i) {
    std::vector<int> columns;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      columns.insert(columns.end(), a.column.begin() + a.start[a.column[k]],
                     a.column.begin() + a.start[a.column[k] + 1]);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (int j : columns)
      c.add(j);
    c.endRow();
  }
  std::vector<double> sums(a.n);
  for (int call = 0; call < 6; ++call)
    multiplyMatrices(a.n, a.start.data(), a.column.data(), a.value.data(), c.start.data(),
                     c.column.data(), c.value.data(), sums.data());
  print("product", c.value);
}

void everyKernel(const Matrix &a) {
  const int *start = a.start.data(), *column = a.column.data();
  const double *value = a.value.data();
  std::vector<double> x = reals(a.n, 1), b = reals(a.n, 2), y(a.n), many = reals(8 * a.n, 3),
                      result(8 * a.n);
  for (int call = 0; call < 20; ++call) {
    multiply(a.n, start, column, value, x.data(), y.data());
    addProduct(a.n, a.start, a.column, a.value, x, y);
    scatter(a.n, start, column, value, x.data(), y.data());
    rest(y);
    solveLower(a.n, start, column, value, y.data(), x.data());
    rest(x);
    sweep(a.n, start, column, value, b.data(), x.data());
    rest(x);
    multiplyMany(a.n, 8, start, column, value, many.data(), result.data());
    if (call % 8 == 0) {
      print("x", x);
      print("y", y);
    }
  }
  print("many", result);
  entries(a, b, y);
  if (a.n <= 500)
    product(a);
}

/// The result where the operand is, or beside it by a few places.
void overlapping() {
  const Matrix a = grid(20, 30);
  std::vector<double> x = reals(a.n + 64, 4);
  for (long shift : {0L, 1L, 3L, 8L, 20L})
    for (int call = 0; call < 25; ++call) {
      multiply(a.n, a.start.data(), a.column.data(), a.value.data(), x.data() + shift, x.data());
      multiply(a.n, a.start.data(), a.column.data(), a.value.data(), x.data(), x.data() + shift);
      rest(x);
      if (call % 8 == 0)
        print("overlapping", x);
    }
  // The values of the matrix are what is written.
  std::vector<double> value = a.value;
  for (int call = 0; call < 25; ++call) {
    multiply(a.n, a.start.data(), a.column.data(), value.data(), x.data(), value.data() + call);
    rest(value);
  }
  print("own values", value);
}

/// The lower triangle, sorted, with a diagonal of eight.
Matrix lower(const Matrix &a) {
  Matrix l;
  for (long i = 0; i < a.n; ++i) {
    std::vector<int> columns;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      if (a.column[k] < i)
        columns.push_back(a.column[k]);
    std::sort(columns.begin(), columns.end());
    for (int j : columns)
      l.add(j);
    l.add(i);
    l.value.back() = 8.0;
    l.endRow();
  }
  return l;
}

void triangles() {
  for (const Matrix &a : {grid(31, 23), grid(4, 150), boxed(8), blocks(9, 3), band(500, 1),
                          permuted(grid(20, 24)), randomRows(480, 6), arrow(300)}) {
    Matrix l = lower(a);
    const int *start = l.start.data();
    std::vector<double> b = reals(l.n, 1), x(l.n);
    for (int call = 0; call < 30; ++call) {
      if (call == 15) // another row has to be waited for
        l.column[l.start[l.n / 2]] = static_cast<int>(l.n / 2 - 1);
      solveTriangle(l.n, start, l.column.data(), l.value.data(), b.data(), x.data());
      if (call % 7 == 0)
        print("solved", x);
      solveTransposed(l.n, start, l.column.data(), l.value.data(), x.data());
      solveTriangle(l.n, start, l.column.data(), l.value.data(), b.data(), b.data()); // in place
      b[call] += 1.0;
      if (call % 7 == 0) {
        print("transposed", x);
        print("in place", b);
      }
    }
  }
}

/// Dependent rows, enough of them for threads; the dependences change now and then, and so does
/// where the vectors are.
void waves() {
  for (Matrix a : {grid(150, 100), boxed(14), permuted(grid(70, 60))}) {
    Matrix l = lower(a);
    std::vector<double> x = reals(a.n, 2), y(a.n), other(a.n);
    const std::vector<double> b = reals(a.n, 1);
    for (int call = 0; call < 60; ++call) {
      if (call == 30) {
        l.column[l.start[l.n / 2]] = static_cast<int>(l.n / 2 - 1);
        a.column[a.start[a.n / 3]] = static_cast<int>(a.n - 1);
      }
      std::vector<double> &into = call % 4 == 3 ? other : y;
      solveTriangle(l.n, l.start.data(), l.column.data(), l.value.data(), b.data(), into.data());
      sweep(a.n, a.start.data(), a.column.data(), a.value.data(), into.data(), x.data());
      rest(x);
      if (call % 10 == 9) {
        print("solved", into);
        print("swept", x);
        sweep(a.n, a.start.data(), a.column.data(), a.value.data(), x.data(), x.data());
        rest(x);
      }
    }
  }
}

/// One kernel and one matrix, often.
void reused() {
  const Matrix a = grid(120, 120);
  Caller caller(a.n);
  caller.product("reused", a, 600);
}

void incomplete() {
  for (const Matrix &a : {grid(30, 20), band(400, 3), boxed(7)}) {
    std::vector<int> diagonal(a.n), where(a.n, -1);
    for (long i = 0; i < a.n; ++i)
      diagonal[i] = static_cast<int>(
          std::find(a.column.begin() + a.start[i], a.column.begin() + a.start[i + 1], i) -
          a.column.begin());
    std::vector<double> values = a.value;
    for (int place : diagonal)
      values[place] = 8.0;
    for (int call = 0; call < 25; ++call) {
      std::vector<double> lu = values;
      factor(a.n, a.start.data(), a.column.data(), diagonal.data(), where.data(), lu.data());
      values[diagonal[call]] += 0.5;
      if (call % 8 == 0)
        print("factor", lu);
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  static constexpr Scenario All[] = {{"grid", [] { everyKernel(grid(31, 23)); }},
                                     {"narrow-grid", [] { everyKernel(grid(3, 200)); }},
                                     {"cube", [] { everyKernel(boxed(8)); }},
                                     {"blocks3", [] { everyKernel(blocks(10, 3)); }},
                                     {"blocks6", [] { everyKernel(blocks(7, 6)); }},
                                     {"quadratic", [] { everyKernel(quadratic(21)); }},
                                     {"band", [] { everyKernel(band(490, 4)); }},
                                     {"diagonal", [] { everyKernel(band(490, 0)); }},
                                     {"arrow", [] { everyKernel(arrow(450)); }},
                                     {"random", [] { everyKernel(randomRows(480, 12)); }},
                                     {"power-law", [] { everyKernel(powerLaw(300)); }},
                                     {"permuted", [] { everyKernel(permuted(grid(20, 24))); }},
                                     {"empty-rows", [] { everyKernel(emptyRows(700)); }},
                                     {"one-dense-row", [] { everyKernel(oneDenseRow(490)); }},
                                     {"duplicates", [] { everyKernel(duplicates(480)); }},
                                     {"unsorted", [] { everyKernel(unsorted(480)); }},
                                     {"alternating", [] { everyKernel(alternating(480)); }},
                                     {"dense", [] { everyKernel(allOf(40)); }},
                                     {"one-row", [] { everyKernel(band(1, 0)); }},
                                     {"nothing", [] { everyKernel(emptyRows(3)); }},
                                     {"overlapping", overlapping},
                                     {"triangles", triangles},
                                     {"waves", waves},
                                     {"reused", reused},
                                     {"incomplete", incomplete}};
  return runScenario(All, argc, argv);
}
