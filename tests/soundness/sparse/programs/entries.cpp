//===- tests/soundness/sparse/programs/entries.cpp - lists of entries that name their rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which entries of a list are of one row is looked at now and then only: lists change in place,
// are in no order, share memory with what is written, and are used by threads and children.
#include "sparse.h"
#include <algorithm>
#include <thread>

#define KERNEL __attribute__((noinline))

namespace {

/// y += A x, one entry after the other.
template <typename Index, typename Value>
KERNEL void add(long count, const Index *row, const Index *column, const Value *value,
                const Value *x, Value *y) {
  for (long k = 0; k < count; ++k)
    y[row[k]] += value[k] * x[column[k]];
}

/// Half of a symmetric matrix.
KERNEL void addBoth(long count, const int *row, const int *column, const double *value,
                    const double *x, double *y) {
  for (long k = 0; k < count; ++k) {
    y[row[k]] += value[k] * x[column[k]];
    if (row[k] != column[k])
      y[column[k]] += value[k] * x[row[k]];
  }
}

/// What is written may be the names themselves.
KERNEL void addIntegers(long count, const int *row, const int *column, const int *x, int *y) {
  for (long k = 0; k < count; ++k)
    y[row[k]] += x[column[k]];
}

struct Entries {
  long n;
  std::vector<int> row, column;
  std::vector<double> value, x, y;

  explicit Entries(const Matrix &a)
      : n(a.n), column(a.column), value(a.value), x(reals(a.n, 1)), y(a.n) {
    for (long i = 0; i < a.n; ++i)
      row.insert(row.end(), static_cast<size_t>(a.start[i + 1] - a.start[i]), static_cast<int>(i));
  }
  void shuffle(size_t begin, size_t end) {
    Numbers numbers(3);
    for (size_t k = end - 1; k > begin; --k) {
      const size_t other = begin + static_cast<size_t>(numbers.below(static_cast<long>(k - begin)));
      std::swap(row[k], row[other]);
      std::swap(column[k], column[other]);
      std::swap(value[k], value[other]);
    }
  }
  void product(const char *name, int calls = 25) {
    for (int call = 0; call < calls; ++call) {
      add(static_cast<long>(row.size()), row.data(), column.data(), value.data(), x.data(),
          y.data());
      x[call % x.size()] = 0.5 * y[call % y.size()] + 0.25;
      if (call < 3 || call == calls - 1)
        print(name, y);
    }
  }
};

Entries fromGrid() { return Entries(grid(30, 40)); }

void ordered() { fromGrid().product("grid", 60); }

/// What a second run need not find out again.
void reused() {
  Entries a(grid(60, 80));
  a.product("reused", 400);
}

void shuffled() {
  Entries a = fromGrid();
  a.shuffle(0, a.row.size() / 3);
  a.product("a third", 60);
  a.shuffle(0, a.row.size());
  a.product("all", 60);
}

void changed() {
  Entries a = fromGrid();
  a.product("before");
  a.row[700] = 11;
  a.product("one");
  std::swap(a.row.front(), a.row.back());
  a.product("first and last");
  std::reverse(a.row.begin(), a.row.end());
  a.product("backwards");
  a.shuffle(0, a.row.size());
  a.product("in no order");
  std::fill(a.row.begin(), a.row.end(), 5);
  a.product("of one row");
  for (int round = 0; round < 30; ++round) {
    a.row = fromGrid().row;
    a.row[100 + round] = round;
    a.product("every call", 1);
  }
}

void otherLengths() {
  Entries a = fromGrid();
  a.product("before");
  for (const size_t length : {a.row.size() - 1, size_t{3000}, size_t{255}, size_t{1}, size_t{0}}) {
    a.row.resize(length);
    a.product("shorter");
  }
}

void overlapping() {
  const Entries a = fromGrid();
  const long count = static_cast<long>(a.row.size());
  std::vector<int> x(a.n);
  for (long i = 0; i < a.n; ++i)
    x[i] = static_cast<int>(i % 3 == 0);
  for (const long shift : {0L, 1000L, 4000L}) {
    std::vector<int> row = a.row, y(a.n);
    row.resize(row.size() + 1200); // rows may be named that are behind all entries
    for (int call = 0; call < 25; ++call)
      addIntegers(count, row.data(), a.column.data(), x.data(), y.data());
    for (int call = 0; call < 3; ++call) {
      addIntegers(count, row.data(), a.column.data(), x.data(), row.data() + shift);
      print("own names", row.data(), row.size() * sizeof(int));
      row = a.row;
      row.resize(row.size() + 1200);
    }
  }
  Entries b = fromGrid();
  for (int call = 0; call < 25; ++call) {
    add(count, b.row.data(), b.column.data(), b.value.data(), b.x.data(), b.x.data());
    print("own operand", b.x);
    b.x = a.x;
  }
}

void symmetric() {
  Entries a = fromGrid();
  for (int call = 0; call < 60; ++call) {
    addBoth(static_cast<long>(a.row.size()), a.row.data(), a.column.data(), a.value.data(),
            a.x.data(), a.y.data());
    print("both", a.y);
    a.row[1000 + call] = a.column[1000 + call];
  }
}

void otherTypes() {
  const Entries a = fromGrid();
  const std::vector<long> row(a.row.begin(), a.row.end()), column(a.column.begin(), a.column.end());
  const std::vector<float> value(a.value.begin(), a.value.end()), x(a.x.begin(), a.x.end());
  std::vector<float> y(a.n);
  for (int call = 0; call < 60; ++call) {
    add(static_cast<long>(row.size()), row.data(), column.data(), value.data(), x.data(), y.data());
    print("floats", y.data(), y.size() * sizeof(float));
  }
}

/// More lists than are remembered.
void many() {
  std::vector<Entries> all;
  for (long width = 20; width < 60; ++width)
    all.emplace_back(grid(width, 30));
  for (int round = 0; round < 8; ++round)
    for (Entries &a : all)
      a.product("one of many", 2);
}

void threads() {
  std::vector<Entries> all(4, fromGrid());
  all[2].shuffle(0, 2000);
  const std::vector<int> &shared = all[0].row;
  std::vector<std::thread> workers;
  for (Entries &a : all)
    workers.emplace_back([&a, &all, &shared] {
      for (int call = 0; call < 200; ++call)
        add(static_cast<long>(shared.size()), &a == &all[2] ? a.row.data() : shared.data(),
            a.column.data(), a.value.data(), a.x.data(), a.y.data());
    });
  for (std::thread &worker : workers)
    worker.join();
  for (const Entries &a : all)
    print("of a thread", a.y);
}

void forked() {
  Entries a = fromGrid();
  a.product("before");
  for (int round = 0; round < 3; ++round) {
    inChild([&] {
      a.row[500 + round] = 3;
      a.product("child");
    });
    a.product("parent");
  }
}

} // namespace

int main(int argc, char **argv) {
  static constexpr Scenario All[] = {{"ordered", ordered},
                                     {"reused", reused},
                                     {"shuffled", shuffled},
                                     {"changed", changed},
                                     {"other-lengths", otherLengths},
                                     {"overlapping", overlapping},
                                     {"symmetric", symmetric},
                                     {"other-types", otherTypes},
                                     {"many", many},
                                     {"threads", threads},
                                     {"forked", forked}};
  return runScenario(All, argc, argv);
}
