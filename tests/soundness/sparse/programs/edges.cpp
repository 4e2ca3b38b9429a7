//===- tests/soundness/sparse/programs/edges.cpp - arrays beside forbidden memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every array ends where its page ends, or begins where it begins, and the pages beside it cannot
// be read: who reads one element more than the loops do, or reads earlier what they may never
// reach, is ended.
#include "sparse.h"
#include <sys/mman.h>

namespace {

constexpr size_t Page = 4096;

/// An array between two pages that nobody may read.
template <typename T> class Fenced {
public:
  Fenced(const std::vector<T> &from, bool atEnd) : count(from.size()) {
    const size_t bytes = count * sizeof(T), whole = (bytes + Page - 1) / Page * Page;
    size = whole + 2 * Page;
    memory =
        static_cast<char *>(mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory == MAP_FAILED ||
        (whole && mprotect(memory + Page, whole, PROT_READ | PROT_WRITE) != 0))
      std::abort();
    first = reinterpret_cast<T *>(memory + Page + (atEnd ? whole - bytes : 0));
    if (bytes)
      std::memcpy(first, from.data(), bytes);
  }
  ~Fenced() { munmap(memory, size); }
  Fenced(const Fenced &) = delete;
  Fenced &operator=(const Fenced &) = delete;

  T *data() { return first; }
  void show(const char *name) { print(name, first, count * sizeof(T)); }

private:
  size_t count, size;
  char *memory;
  T *first;
};

/// Rows of one length, of many, none at the ends, and the last column of all.
Matrix pattern(int kind) {
  if (kind == 0)
    return grid(17, 23);
  Matrix a;
  for (long i = 0; i < 391; ++i) {
    const long length = kind == 1 ? 5 : kind == 2 ? i % 9 : (i < 20 || i > 380) ? 0 : 3;
    for (long k = 0; k < length; ++k)
      a.add(kind == 1 ? 390 - (i + k) % 391 : (i * 3 + k * k) % 391);
    a.endRow();
  }
  return a;
}

void fenced(int kind) {
  const Matrix a = pattern(kind);
  for (bool atEnd : {true, false}) {
    Fenced<int> start(a.start, atEnd), column(a.column, atEnd);
    Fenced<double> value(a.value, atEnd), x(reals(a.n, 1), atEnd), y(reals(a.n, 2), atEnd);
    Fenced<double> many(reals(3 * a.n, 3), atEnd), result(reals(3 * a.n, 4), atEnd);
    for (int call = 0; call < 25; ++call) {
      multiply(a.n, start.data(), column.data(), value.data(), x.data(), y.data());
      if (call % 12 == 0)
        y.show("product");
      solveLower(a.n, start.data(), column.data(), value.data(), x.data(), y.data());
      if (call % 12 == 0)
        y.show("solved");
      multiplyMany(a.n, 3, start.data(), column.data(), value.data(), many.data(), result.data());
      if (call == 18)
        column.data()[a.column.size() - 1] = 0;
    }
    result.show("many");
    for (int call = 0; call < 25; ++call)
      sweep(a.n, start.data(), column.data(), value.data(), x.data(), y.data());
    y.show("swept");
  }
}

/// Rows from the first to the last but some: what stands behind them may be anything.
void someRows() {
  const Matrix a = pattern(0);
  std::vector<int> wild = a.start;
  for (size_t i = 301; i < wild.size(); ++i)
    wild[i] = i % 2 ? 2000000000 : -2000000000;
  for (bool atEnd : {true, false}) {
    Fenced<int> start(wild, atEnd), column(a.column, atEnd);
    Fenced<double> value(a.value, atEnd), x(reals(a.n, 1), atEnd), y(reals(a.n, 2), atEnd);
    for (int call = 0; call < 40; ++call)
      multiply(call < 20 ? 300 : 299, start.data(), column.data(), value.data(), x.data(),
               y.data());
    y.show("some rows");
  }
}

/// The pages of the indices can be read and never be written.
void readOnly() {
  const Matrix a = pattern(0);
  const size_t bytes = (a.column.size() * sizeof(int) + Page - 1) / Page * Page;
  auto *column = static_cast<int *>(
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  std::memcpy(column, a.column.data(), a.column.size() * sizeof(int));
  mprotect(column, bytes, PROT_READ);
  Caller caller(a.n);
  caller.product("read only", a.n, a.start.data(), column, a.value.data(), 40);
  munmap(column, bytes);
}

} // namespace

int main(int argc, char **argv) {
  static constexpr Scenario All[] = {{"grid", [] { fenced(0); }},
                                     {"equal-lengths", [] { fenced(1); }},
                                     {"many-lengths", [] { fenced(2); }},
                                     {"empty-ends", [] { fenced(3); }},
                                     {"some-rows", someRows},
                                     {"read-only", readOnly}};
  return runScenario(All, argc, argv);
}
