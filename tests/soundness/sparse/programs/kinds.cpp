//===- tests/soundness/sparse/programs/kinds.cpp - other ways to store a sparse matrix ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices of all types and bases, entries as structures, columns instead of rows, padded rows,
// lists and vectors of vectors; and arrays that look like indices and are written in the same loop.
#include "sparse.h"

#define KERNEL __attribute__((noinline))

namespace {

/// Changes one number of an array in the middle of the calls, and prints what comes out.
template <typename F, typename G> void twice(const char *name, const F &call, const G &change) {
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 25; ++i)
      call(i == 24 ? name : nullptr);
    change(round);
  }
}

const Matrix &grid() {
  static const Matrix a = ::grid(30, 31);
  return a;
}

template <typename Start, typename Index, typename Value>
KERNEL void multiplyAs(long n, const Start *start, const Index *column, const Value *value,
                       const Value *x, Value *y, long base) {
  for (long i = 0; i < n; ++i) {
    Value sum = 0;
    for (Start k = start[i] - base; k < static_cast<Start>(start[i + 1] - base); ++k)
      sum += value[k] * x[column[k] - base];
    y[i] = sum;
  }
}

template <typename Start, typename Index, typename Value> void asTypes(long base) {
  const Matrix &a = grid();
  std::vector<Start> start;
  std::vector<Index> column;
  for (int s : a.start)
    start.push_back(static_cast<Start>(s + base));
  for (int c : a.column)
    column.push_back(static_cast<Index>(c + base));
  const std::vector<Value> value(a.value.begin(), a.value.end());
  std::vector<Value> x(a.n), y(a.n);
  for (long i = 0; i < a.n; ++i)
    x[i] = static_cast<Value>(0.01 * static_cast<double>(i % 91));
  twice(
      "types",
      [&](const char *name) {
        multiplyAs(a.n, start.data(), column.data(), value.data(), x.data(), y.data(), base);
        if (name)
          print(name, y.data(), y.size() * sizeof(Value));
      },
      [&](int round) { column[700 + round] = static_cast<Index>(3 + base); });
}

struct Entry {
  int column;
  double value;
};

KERNEL void multiplyEntries(long n, const int *start, const Entry *entry, const double *x,
                            double *y) {
  for (long i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int k = start[i]; k < start[i + 1]; ++k)
      sum += entry[k].value * x[entry[k].column];
    y[i] = sum;
  }
}

void structures() {
  const Matrix &a = grid();
  std::vector<Entry> entry;
  for (size_t k = 0; k < a.column.size(); ++k)
    entry.push_back({a.column[k], a.value[k]});
  const std::vector<double> x = reals(a.n, 1);
  std::vector<double> y(a.n);
  twice(
      "structures",
      [&](const char *name) {
        multiplyEntries(a.n, a.start.data(), entry.data(), x.data(), y.data());
        if (name)
          print(name, y);
        entry[55].value += 0.125; // beside an index, in the same line of the cache
      },
      [&](int round) { entry[300 + round].column = 8; });
}

KERNEL void multiplyNested(const std::vector<std::vector<int>> &column,
                           const std::vector<std::vector<double>> &value,
                           const std::vector<double> &x, std::vector<double> &y) {
  for (size_t i = 0; i < column.size(); ++i) {
    double sum = 0.0;
    for (size_t k = 0; k < column[i].size(); ++k)
      sum += value[i][k] * x[column[i][k]];
    y[i] = sum;
  }
}

void vectorsOfVectors() {
  const Matrix &a = grid();
  std::vector<std::vector<int>> column;
  std::vector<std::vector<double>> value;
  for (long i = 0; i < a.n; ++i) {
    column.emplace_back(a.column.begin() + a.start[i], a.column.begin() + a.start[i + 1]);
    value.emplace_back(a.value.begin() + a.start[i], a.value.begin() + a.start[i + 1]);
  }
  const std::vector<double> x = reals(a.n, 1);
  std::vector<double> y(a.n);
  twice(
      "nested",
      [&](const char *name) {
        multiplyNested(column, value, x, y);
        if (name)
          print(name, y);
      },
      [&](int round) {
        if (round == 0)
          column[70][2] = 5;
        column[80].push_back(7);
        value[80].push_back(0.5);
        std::swap(column[92], column[95]); // of equal length
      });
}

KERNEL void multiplyPadded(long n, long width, const int *column, const double *value,
                           const double *x, double *y) {
  for (long i = 0; i < n; ++i) {
    double sum = 0.0;
    for (long k = 0; k < width && column[i * width + k] >= 0; ++k)
      sum += value[i * width + k] * x[column[i * width + k]];
    y[i] = sum;
  }
}

/// By slots, which is how processors with long vectors like it.
KERNEL void multiplySlots(long n, long width, const int *column, const double *value,
                          const double *x, double *y) {
  for (long i = 0; i < n; ++i)
    y[i] = 0.0;
  for (long k = 0; k < width; ++k)
    for (long i = 0; i < n; ++i)
      if (column[k * n + i] >= 0)
        y[i] += value[k * n + i] * x[column[k * n + i]];
}

void padded() {
  const Matrix &a = grid();
  const long width = 6;
  std::vector<int> rows(a.n * width, -1), slots(a.n * width, -1);
  std::vector<double> rowValues(a.n * width), slotValues(a.n * width);
  for (long i = 0; i < a.n; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      const long slot = k - a.start[i];
      rows[i * width + slot] = slots[slot * a.n + i] = a.column[k];
      rowValues[i * width + slot] = slotValues[slot * a.n + i] = a.value[k];
    }
  const std::vector<double> x = reals(a.n, 1);
  std::vector<double> y(a.n), z(a.n);
  twice(
      "padded",
      [&](const char *name) {
        multiplyPadded(a.n, width, rows.data(), rowValues.data(), x.data(), y.data());
        multiplySlots(a.n, width, slots.data(), slotValues.data(), x.data(), z.data());
        if (name) {
          print(name, y);
          print(name, z);
        }
      },
      [&](int round) {
        rows[600 * width + 5] = round; // a padded place is filled
        rows[40 * width + 2] = -1;     // a row becomes shorter
        slots[3 * a.n + 40] = -1;
      });
}

KERNEL void multiplyLists(long n, const int *head, const int *next, const int *column,
                          const double *value, const double *x, double *y) {
  for (long i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int k = head[i]; k >= 0; k = next[k])
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

void lists() {
  const Matrix &a = grid();
  std::vector<int> head(a.n, -1), next(a.column.size());
  for (long i = 0; i < a.n; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      next[k] = head[i];
      head[i] = k;
    }
  const std::vector<double> x = reals(a.n, 1);
  std::vector<double> y(a.n);
  twice(
      "lists",
      [&](const char *name) {
        multiplyLists(a.n, head.data(), next.data(), a.column.data(), a.value.data(), x.data(),
                      y.data());
        if (name)
          print(name, y);
      },
      [&](int round) {
        next[a.start[100 + round]] = -1;
        head[200] = next[head[200]]; // the first one goes
      });
}

/// Rows whose mask is zero hold anything; nobody may follow what is there.
KERNEL void multiplyMasked(long n, const int *mask, const int *start, const int *end,
                           const int *column, const double *value, const double *x, double *y) {
  for (long i = 0; i < n; ++i) {
    if (!mask[i])
      continue;
    double sum = 0.0;
    for (int k = start[i]; k < end[i]; ++k)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

void masked() {
  const Matrix &a = grid();
  std::vector<int> mask(a.n, 1), start(a.start.begin(), a.start.end() - 1),
      end(a.start.begin() + 1, a.start.end());
  for (long i = 0; i < a.n; i += 5) {
    mask[i] = 0;
    start[i] = -1000000000;
    end[i] = 2000000000;
  }
  const std::vector<double> x = reals(a.n, 1);
  std::vector<double> y(a.n);
  twice(
      "masked",
      [&](const char *name) {
        multiplyMasked(a.n, mask.data(), start.data(), end.data(), a.column.data(), a.value.data(),
                       x.data(), y.data());
        if (name)
          print(name, y);
      },
      [&](int round) {
        start[10] = end[10] = 0;
        mask[10] = 1;
        mask[11 + round] = 0;
        end[11 + round] = 2000000000;
      });
}

/// Counts, and puts every entry where the next of its column goes: next is read as an index and
/// written.
KERNEL void transpose(long n, const int *start, const int *column, const double *value, int *next,
                      int *row, double *to) {
  for (long i = 0; i < n; ++i)
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const int place = next[column[k]]++;
      row[place] = static_cast<int>(i);
      to[place] = value[k];
    }
}

void written() {
  Matrix a = grid();
  std::vector<int> row(a.column.size());
  std::vector<double> to(a.column.size());
  twice(
      "transposed",
      [&](const char *name) {
        std::vector<int> next(a.n + 1);
        for (int j : a.column)
          ++next[j + 1];
        for (long i = 0; i < a.n; ++i)
          next[i + 1] += next[i];
        transpose(a.n, a.start.data(), a.column.data(), a.value.data(), next.data(), row.data(),
                  to.data());
        if (name) {
          print(name, row.data(), row.size() * sizeof(int));
          print(name, to);
        }
      },
      [&](int round) { a.column[90 + round] = 4; });
}

KERNEL void addIntegers(long n, const int *start, const int *column, const int *x, int *y) {
  for (long i = 0; i < n; ++i) {
    int sum = 0;
    for (int k = start[i]; k < start[i + 1]; ++k)
      sum += x[column[k]];
    y[i] = sum & 255;
  }
}

/// What is written are the index arrays themselves: of rows to come, or of some that are done.
void ownIndices() {
  const Matrix a = grid();
  std::vector<int> x(a.n);
  for (long i = 0; i < a.n; ++i)
    x[i] = static_cast<int>(i % 7);
  for (long shift : {0L, 900L, 3500L}) {
    std::vector<int> column = a.column;
    std::vector<int> y(a.n);
    for (int call = 0; call < 25; ++call) // apart from each other
      addIntegers(a.n, a.start.data(), column.data(), x.data(), y.data());
    for (int call = 0; call < 25; ++call) { // and not
      addIntegers(a.n, a.start.data(), column.data(), x.data(), column.data() + shift);
      print("own columns", column.data(), column.size() * sizeof(int));
    }
  }
  for (int call = 0; call < 25; ++call) {
    addIntegers(a.n, a.start.data(), a.column.data(), x.data(), x.data());
    print("own operand", x.data(), x.size() * sizeof(int));
  }
}

} // namespace

int main(int argc, char **argv) {
  static constexpr Scenario All[] = {
      {"long-indices", [] { asTypes<long, long, double>(0); }},
      {"mixed-indices", [] { asTypes<long, unsigned, double>(0); }},
      {"short-indices", [] { asTypes<int, unsigned short, double>(0); }},
      {"based-on-one", [] { asTypes<int, int, double>(1); }},
      {"floats", [] { asTypes<int, int, float>(0); }},
      {"structures", structures},
      {"vectors-of-vectors", vectorsOfVectors},
      {"padded", padded},
      {"lists", lists},
      {"masked", masked},
      {"written", written},
      {"own-indices", ownIndices}};
  return runScenario(All, argc, argv);
}
