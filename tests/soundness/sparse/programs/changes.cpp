//===- tests/soundness/sparse/programs/changes.cpp - index arrays that change between calls ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse.h"
#include <memory>
#include <sys/mman.h>

namespace {

constexpr long Page = 4096 / sizeof(int);

void columnChanged() {
  Matrix a = grid(30, 40);
  Caller caller(a.n);
  caller.product("before", a);
  a.column[a.start[600] + 1] = 7;
  caller.product("changed", a);
  a.column[a.start[600] + 1] = 599;
  caller.product("back", a);
  // Once for every call from now on: not worth watching.
  for (int round = 0; round < 40; ++round) {
    a.column[a.start[1000] + round % 4] = (13 * round) % 1200;
    caller.product("often", a, 1);
  }
  caller.product("quiet", a, 60);
}

void firstAndLastChanged() {
  Matrix a = grid(30, 40);
  Caller caller(a.n);
  caller.product("before", a);
  a.column.front() = 1199;
  caller.product("first", a);
  a.column.back() = 0;
  caller.product("last", a);
  a.value.front() = 3.0;
  a.value.back() = -0.0;
  caller.product("values", a);
}

void rowGrown() {
  Matrix a = grid(30, 40);
  Caller caller(a.n);
  caller.product("before", a);
  for (long row : {600L, 0L, 1199L}) {
    a.column.insert(a.column.begin() + a.start[row], 42);
    a.value.insert(a.value.begin() + a.start[row], 0.75);
    for (long i = row + 1; i <= a.n; ++i)
      ++a.start[i];
    caller.product("grown", a);
  }
  // An entry goes from a row to the next: one number changes, and not how many entries there are.
  --a.start[300];
  caller.product("moved", a);
  a.start[300] += 2;
  caller.product("moved back and on", a);
}

void otherSizes() {
  Matrix a = grid(30, 40);
  Caller caller(a.n);
  caller.product("all", a);
  caller.product("fewer", a.n - 1, a.start.data(), a.column.data(), a.value.data());
  caller.product("second half", a.n / 2, a.start.data() + a.n / 2, a.column.data(), a.value.data());
  caller.product("other columns", a.n - 1, a.start.data(), a.column.data() + 1, a.value.data());
  caller.product("other values", a.n - 1, a.start.data(), a.column.data(), a.value.data() + 1);
  caller.product("none", 0, a.start.data(), a.column.data(), a.value.data());
  caller.product("one", 1, a.start.data(), a.column.data(), a.value.data());
  caller.product("all again", a);
}

void freedAndAllocated() {
  Caller caller(1200);
  for (int round = 0; round < 6; ++round) {
    // The allocator gives the same places again, and they hold something else.
    auto a = std::make_unique<Matrix>(grid(round % 2 ? 30 : 40, round % 2 ? 40 : 30));
    if (round == 5)
      a->column[777] = 3;
    caller.product("fresh", *a);
  }
  for (int round = 0; round < 30; ++round)
    caller.product("every call", grid(round % 3 ? 30 : 40, round % 3 ? 40 : 30), 1);
}

/// Arrays that begin and end with pages of their own.
struct Mapped {
  long count;
  int *data;
  explicit Mapped(const std::vector<int> &from) : count(static_cast<long>(from.size())) {
    data = static_cast<int *>(
        mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (data == MAP_FAILED)
      std::abort();
    std::memcpy(data, from.data(), from.size() * sizeof(int));
  }
  ~Mapped() { munmap(data, bytes()); }
  Mapped(const Mapped &) = delete;
  Mapped &operator=(const Mapped &) = delete;
  size_t bytes() const { return (count + Page - 1) / Page * Page * sizeof(int); }
};

void atPageBoundaries() {
  const Matrix a = grid(50, 60);
  const Mapped start(a.start), column(a.column);
  Caller caller(a.n);
  auto product = [&](const char *name) {
    caller.product(name, a.n, start.data, column.data, a.value.data());
  };
  product("before");
  for (long at = Page; at < column.count; at += Page) {
    column.data[at - 1] = static_cast<int>(at % a.n);
    product("last of a page");
    column.data[at] = static_cast<int>((7 * at) % a.n);
    product("first of a page");
  }
  for (long at = Page; at < start.count; at += Page) {
    --start.data[at - 1];
    product("last of a page of rows");
    --start.data[at];
    product("first of a page of rows");
  }
  column.data[column.count - 1] = 1;
  product("last of all");
}

void severalInTurn() {
  const std::vector<Matrix> levels = {grid(40, 40), grid(20, 20), grid(10, 10), grid(5, 5),
                                      grid(3, 2)};
  std::vector<Caller> callers;
  for (const Matrix &a : levels)
    callers.emplace_back(a.n);
  std::vector<Matrix> changed = levels;
  for (int round = 0; round < 40; ++round)
    for (size_t level = 0; level < levels.size(); ++level) {
      if (round == 20 && level == 1)
        changed[level].column[50] = 3;
      callers[level].product("level", changed[level], 1);
    }
  // Two of one shape in turn: nothing but where they are and what they hold differs.
  Matrix other = levels[0];
  other.column[333] = 12;
  Caller caller(levels[0].n);
  for (int round = 0; round < 40; ++round)
    caller.product("twins", round % 2 ? levels[0] : other, 1);
}

void rowPointers() {
  Matrix a = grid(30, 40);
  std::vector<std::vector<int>> columns;
  std::vector<std::vector<double>> values;
  for (long i = 0; i < a.n; ++i) {
    columns.emplace_back(a.column.begin() + a.start[i], a.column.begin() + a.start[i + 1]);
    values.emplace_back(a.value.begin() + a.start[i], a.value.begin() + a.start[i + 1]);
  }
  std::vector<int> length(a.n);
  std::vector<int *> column(a.n);
  std::vector<double *> value(a.n);
  std::vector<double> x = reals(a.n, 1), y(a.n);
  auto product = [&](const char *name) {
    for (long i = 0; i < a.n; ++i) {
      length[i] = static_cast<int>(columns[i].size());
      column[i] = columns[i].data();
      value[i] = values[i].data();
    }
    for (int call = 0; call < 25; ++call) {
      multiplyPointers(a.n, length.data(), column.data(), value.data(), x.data(), y.data());
      x[call] = 0.5 * y[call];
    }
    print(name, y);
  };
  product("before");
  columns[500][1] = 3;
  product("changed");
  columns[501].push_back(9);
  values[501].push_back(0.5);
  product("grown");
  std::swap(columns[100], columns[700]);
  product("swapped");
  columns[100].resize(1);
  product("shorter");
  // A row that is freed and allocated again may come back to its place.
  for (int round = 0; round < 5; ++round) {
    columns[200] = std::vector<int>(columns[200].size(), 11 * round);
    product("another row");
  }
}

/// Regions that share index arrays: what one sees must hold for the other.
void severalKernels() {
  Matrix a = grid(30, 40);
  std::vector<double> x = reals(a.n, 1), b = reals(a.n, 2), y(a.n);
  for (int round = 0; round < 60; ++round) {
    if (round % 20 == 19)
      a.column[a.start[round * 10] + 1] = round;
    multiply(a.n, a.start.data(), a.column.data(), a.value.data(), x.data(), y.data());
    sweep(a.n, a.start.data(), a.column.data(), a.value.data(), b.data(), x.data());
    solveLower(a.n, a.start.data(), a.column.data(), a.value.data(), y.data(), x.data());
    addProduct(a.n, a.start, a.column, a.value, b, x);
    for (double &one : x)
      one *= 0.1;
    print("together", x);
  }
}

/// The same with one region that writes what another reads as its indices.
void indicesFromAKernel() {
  const Matrix a = grid(30, 40);
  std::vector<int> column = a.column;
  Caller caller(a.n);
  for (int round = 0; round < 60; ++round) {
    if (round % 15 == 14)
      for (long k = 0; k < static_cast<long>(column.size()); ++k)
        column[k] = static_cast<int>((a.column[k] + round) % a.n);
    caller.product("computed", a.n, a.start.data(), column.data(), a.value.data(), 1);
  }
}

} // namespace

int main(int argc, char **argv) {
  static constexpr Scenario All[] = {{"column-changed", columnChanged},
                                     {"first-and-last", firstAndLastChanged},
                                     {"row-grown", rowGrown},
                                     {"other-sizes", otherSizes},
                                     {"freed", freedAndAllocated},
                                     {"pages", atPageBoundaries},
                                     {"several-in-turn", severalInTurn},
                                     {"row-pointers", rowPointers},
                                     {"several-kernels", severalKernels},
                                     {"indices-from-a-kernel", indicesFromAKernel}};
  return runScenario(All, argc, argv);
}
