//===- tests/soundness/sparse/programs/random.cpp - random cases with an oracle ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: random [CASES [SEED]]
// A case changes a matrix, or makes another one, and calls one kernel several times. Each call is
// made by loops that are compiled as they stand, too, and all bytes are compared.
#include "include/specrt/annotations.h"
#include "sparse.h"
#include <algorithm>

namespace oracle {
#define KERNEL SPECRT_NOINSTRUMENT
#include "kernels.h"
#undef KERNEL
} // namespace oracle

namespace {

/// A matrix whose arrays are used again and again, and what belongs to it.
struct Subject {
  Matrix a;
  std::vector<int> row, length;
  std::vector<int *> columns;
  std::vector<double *> values;
  std::vector<double> b;
  std::vector<int> product_start, product_column; ///< of a a
  std::vector<double> sums;                       ///< zeros
  std::vector<int> diagonal, where;               ///< where: -1

  /// What depends on the rest. Arrays stay where they are as long as sizes allow it.
  void derive() {
    row.clear();
    length.clear();
    columns.clear();
    values.clear();
    for (long i = 0; i < a.n; ++i) {
      row.insert(row.end(), a.start[i + 1] - a.start[i], static_cast<int>(i));
      length.push_back(a.start[i + 1] - a.start[i]);
      columns.push_back(a.column.data() + a.start[i]);
      values.push_back(a.value.data() + a.start[i]);
    }
    b.assign(a.n, 0.75);
    diagonal.clear();
    for (long i = 0; i < a.n; ++i) {
      const auto begin = a.column.begin() + a.start[i], end = a.column.begin() + a.start[i + 1];
      const auto at = std::find_if(begin, end, [&](int column) { return column >= i; });
      diagonal.push_back(static_cast<int>(at - a.column.begin()));
    }
    where.assign(a.n, -1);
    sums.assign(a.n, 0.0);
  }

  void multiply() {
    product_start.assign(1, 0);
    product_column.clear();
    for (long i = 0; i < a.n; ++i) {
      for (int k = a.start[i]; k < a.start[i + 1]; ++k)
        for (int l = a.start[a.column[k]]; l < a.start[a.column[k] + 1]; ++l)
          if (where[a.column[l]] != i) {
            where[a.column[l]] = static_cast<int>(i);
            product_column.push_back(a.column[l]);
          }
      product_start.push_back(static_cast<int>(product_column.size()));
    }
    where.assign(a.n, -1);
  }
};

void makeRow(Numbers &numbers, Matrix &a, long n, int kind, long i, long length) {
  const long first = numbers.below(n);
  for (long k = 0; k < length; ++k)
    switch (kind) {
    case 0: // a band
    case 1: // one with rows of other lengths now and then
      a.add(std::clamp(i + 2 * k - length, 0L, n - 1));
      break;
    case 2: // a stencil
      a.add((i + (k - length / 2) * 9 + 99 * n) % n);
      break;
    case 3: // neighbours, anywhere
      a.add((first + k) % n);
      break;
    case 4: // blocks of three
      a.add(std::min(i / 3 * 3 + k, n - 1));
      break;
    default:
      a.add(numbers.below(n));
    }
  a.endRow();
}

void remake(Numbers &numbers, Subject &s) {
  const int kind = static_cast<int>(numbers.below(7));
  const long n = numbers.below(2) ? 1 + numbers.below(60) : 200 + numbers.below(1000);
  const long length = numbers.below(8);
  Matrix &a = s.a;
  a.n = 0;
  a.start.assign(1, 0);
  a.column.clear();
  a.value.clear();
  for (long i = 0; i < n; ++i) {
    const bool other = kind == 1 ? numbers.below(20) == 0 : kind > 4;
    makeRow(numbers, a, n, kind, i, other ? numbers.below(10) : length);
  }
  if (kind == 6 && numbers.below(2)) { // one row that has everything
    for (long j = 0; j < n; ++j)
      a.add(j);
    a.start.back() = static_cast<int>(a.column.size());
  }
}

void changeOne(Numbers &numbers, Subject &s) {
  Matrix &a = s.a;
  const long entries = static_cast<long>(a.column.size());
  switch (numbers.below(6)) {
  case 0: // another column
    if (entries)
      a.column[numbers.below(entries)] = static_cast<int>(numbers.below(a.n));
    break;
  case 1: // two columns change places
    if (entries)
      std::swap(a.column[numbers.below(entries)], a.column[numbers.below(entries)]);
    break;
  case 2: { // an entry goes to a neighbour row
    const long i = 1 + numbers.below(a.n);
    if (i < a.n && a.start[i] < a.start[i + 1])
      ++a.start[i];
    break;
  }
  case 3: { // a row grows
    const long i = numbers.below(a.n);
    a.column.insert(a.column.begin() + a.start[i], static_cast<int>(numbers.below(a.n)));
    a.value.insert(a.value.begin() + a.start[i], numbers.real());
    for (long j = i + 1; j <= a.n; ++j)
      ++a.start[j];
    break;
  }
  case 4: // other values only
    if (entries)
      a.value[numbers.below(entries)] = numbers.real();
    break;
  default: // arrays elsewhere, with the same contents
    a.column = std::vector<int>(a.column);
    a.start = std::vector<int>(a.start);
  }
}

struct Vectors {
  std::vector<double> x, y;
};

/// One call, by functions of the namespace that F has.
#define CALL(SPACE, kernel, s, v)                                                                  \
  switch (kernel) {                                                                                \
  case 0:                                                                                          \
    SPACE::multiply(s.a.n, s.a.start.data(), s.a.column.data(), s.a.value.data(), v.x.data(),      \
                    v.y.data());                                                                   \
    break;                                                                                         \
  case 1:                                                                                          \
    SPACE::addProduct(s.a.n, s.a.start, s.a.column, s.a.value, v.x, v.y);                          \
    break;                                                                                         \
  case 2:                                                                                          \
    SPACE::scatter(s.a.n, s.a.start.data(), s.a.column.data(), s.a.value.data(), v.x.data(),       \
                   v.y.data());                                                                    \
    break;                                                                                         \
  case 3:                                                                                          \
    SPACE::multiplyMany(s.a.n, 4, s.a.start.data(), s.a.column.data(), s.a.value.data(),           \
                        v.x.data(), v.y.data());                                                   \
    break;                                                                                         \
  case 4:                                                                                          \
    SPACE::solveLower(s.a.n, s.a.start.data(), s.a.column.data(), s.a.value.data(), s.b.data(),    \
                      v.y.data());                                                                 \
    break;                                                                                         \
  case 5:                                                                                          \
    SPACE::sweep(s.a.n, s.a.start.data(), s.a.column.data(), s.a.value.data(), s.b.data(),         \
                 v.y.data());                                                                      \
    break;                                                                                         \
  case 6:                                                                                          \
    SPACE::multiplyEntries(static_cast<long>(s.row.size()), s.row.data(), s.a.column.data(),       \
                           s.a.value.data(), v.x.data(), v.y.data());                              \
    break;                                                                                         \
  case 7:                                                                                          \
    SPACE::multiplyPointers(s.a.n, s.length.data(), s.columns.data(), s.values.data(), v.x.data(), \
                            v.y.data());                                                           \
    break;                                                                                         \
  case 8:                                                                                          \
    SPACE::multiplyCommon(s.a.n, s.a.start.data(), s.a.column.data(), s.a.value.data(),            \
                          v.y.data());                                                             \
    break;                                                                                         \
  case 9:                                                                                          \
    SPACE::takeRoots(s.a.n, s.a.start.data(), s.a.column.data(), s.a.value.data(), v.y.data());    \
    break;                                                                                         \
  case 10:                                                                                         \
    SPACE::multiplyMatrices(s.a.n, s.a.start.data(), s.a.column.data(), s.a.value.data(),          \
                            s.product_start.data(), s.product_column.data(), v.y.data(),           \
                            s.sums.data());                                                        \
    break;                                                                                         \
  case 11:                                                                                         \
    SPACE::factor(s.a.n, s.a.start.data(), s.a.column.data(), s.diagonal.data(), s.where.data(),   \
                  v.y.data());                                                                     \
    break;                                                                                         \
  default: /* in place */                                                                          \
    SPACE::multiply(s.a.n, s.a.start.data(), s.a.column.data(), s.a.value.data(), v.y.data(),      \
                    v.y.data());                                                                   \
  }
constexpr int Kernels = 13;

bool same(const std::vector<double> &one, const std::vector<double> &other) {
  return std::memcmp(one.data(), other.data(), one.size() * sizeof(double)) == 0;
}

/// Numbers stay finite: which NaN comes out is not defined.
void bound(std::vector<double> &y) {
  for (double &one : y)
    one = one > 8 || one < -8 ? 0.5 : one;
}

/// What most cases of a while have in common, so that something can be learned in it.
struct While {
  int kernel;
  long subject, changes; // one of so many cases changes its matrix
  explicit While(Numbers &numbers)
      : kernel(static_cast<int>(numbers.below(Kernels))), subject(numbers.below(3)) {
    static constexpr long Changes[] = {100, 20, 3};
    changes = Changes[numbers.below(3)];
  }
};

struct Tally {
  uint64_t calls = 0, wrong = 0;
};

/// Calls kernel and oracle several times in turn.
void compare(Numbers &numbers, Subject &s, int kernel, long number, Tally &tally) {
  s.derive();
  if (kernel == 10)
    s.multiply();
  const long size = std::max({4 * s.a.n, static_cast<long>(s.a.column.size()) + 1,
                              static_cast<long>(s.product_column.size())});
  Vectors mine{reals(4 * s.a.n, number), reals(size, number + 1)}, other = mine;
  for (long call = 1 + numbers.below(6); call > 0; --call, ++tally.calls) {
    CALL(, kernel, s, mine)
    CALL(oracle, kernel, s, other)
    if (!same(mine.y, other.y)) {
      ++tally.wrong;
      std::printf("case %ld: kernel %d of %ld rows, %zu entries\n", number, kernel, s.a.n,
                  s.a.column.size());
      mine.y = other.y;
    }
    bound(mine.y);
    bound(other.y);
  }
}

} // namespace

int main(int argc, char **argv) {
  const long cases = argc > 1 ? std::atol(argv[1]) : 10000;
  Numbers numbers(argc > 2 ? std::atol(argv[2]) : 1);
  std::vector<Subject> subjects(3);
  for (Subject &s : subjects)
    remake(numbers, s);
  Tally tally;
  While now(numbers);
  for (long number = 0; number < cases; ++number) {
    if (number % 150 == 0)
      now = While(numbers);
    Subject &s = subjects[numbers.below(4) ? now.subject : numbers.below(3)];
    if (numbers.below(now.changes) == 0) {
      if (numbers.below(5) == 0)
        remake(numbers, s);
      else
        changeOne(numbers, s);
    }
    const int kernel = numbers.below(4) ? now.kernel : static_cast<int>(numbers.below(Kernels));
    compare(numbers, s, kernel, number, tally);
  }
  std::printf("%ld cases, %llu calls, %llu wrong\n", cases,
              static_cast<unsigned long long>(tally.calls),
              static_cast<unsigned long long>(tally.wrong));
  return tally.wrong != 0;
}
