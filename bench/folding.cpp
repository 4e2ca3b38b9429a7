//===- bench/folding.cpp - measures the folding of points per second ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls Folder::add once per point, as instrumented code does. A stream has about 10^5 points, and
// is folded from a new folder to its pieces.
//
//===----------------------------------------------------------------------===//
#include "specrt/folding.h"

#include <benchmark/benchmark.h>

namespace {

using specrt::Folder;
using specrt::Folding;
using specrt::FoldOptions;
using specrt::Widening;

/// Folds the points that \p Stream(Folder) adds, which must become \p Pieces pieces.
template <typename Fn>
void fold(benchmark::State &State, unsigned Iterators, unsigned Labels, size_t Pieces, Fn Stream,
          const FoldOptions &Options = {}) {
  Folder F(Iterators, Labels, Options);
  uint64_t Points = 0;
  for (auto _ : State) {
    Stream(F);
    Folding Result = F.finish();
    Points += Result.Points;
    if (Result.Pieces.size() != Pieces)
      State.SkipWithError("other pieces than expected");
  }
  State.SetItemsProcessed(int64_t(Points));
}

/// Calls \p F(i, j) on \p Rows x \p Columns.
template <typename Fn> void nest(int64_t Rows, int64_t Columns, Fn F) {
  for (int64_t I = 0; I < Rows; ++I)
    for (int64_t J = 0; J < Columns; ++J)
      F(I, J);
}

void regular1d(benchmark::State &State) {
  fold(State, 1, 1, 1, [](Folder &F) {
    for (int64_t I = 0; I < 100000; ++I) {
      const int64_t Point[] = {I}, Label[] = {4096 + 8 * I};
      F.add(Point, Label);
    }
  });
}
BENCHMARK(regular1d);

/// Addresses of a row-major matrix.
template <int64_t Columns> void regular2d(benchmark::State &State) {
  fold(State, 2, 1, 1, [](Folder &F) {
    nest(100000 / Columns, Columns, [&](int64_t I, int64_t J) {
      const int64_t Point[] = {I, J}, Label[] = {4096 + 8192 * I + 8 * J};
      F.add(Point, Label);
    });
  });
}
BENCHMARK(regular2d<43>);
BENCHMARK(regular2d<316>);
BENCHMARK(regular2d<2000>);

void triangle2d(benchmark::State &State) {
  fold(State, 2, 1, 1, [](Folder &F) {
    for (int64_t I = 0; I < 447; ++I)
      for (int64_t J = 0; J <= I; ++J) {
        const int64_t Point[] = {I, J}, Label[] = {4096 + 8192 * I + 8 * J};
        F.add(Point, Label);
      }
  });
}
BENCHMARK(triangle2d);

void regular3d(benchmark::State &State) {
  fold(State, 3, 1, 1, [](Folder &F) {
    for (int64_t T = 0; T < 46; ++T)
      nest(46, 46, [&](int64_t I, int64_t J) {
        const int64_t Point[] = {T, I, J}, Label[] = {4096 + 8192 * I + 8 * J};
        F.add(Point, Label);
      });
  });
}
BENCHMARK(regular3d);

/// The labels are iteration vectors: each point uses a value of the previous row.
void dependence2d(benchmark::State &State) {
  fold(State, 2, 2, 1, [](Folder &F) {
    nest(316, 316, [&](int64_t I, int64_t J) {
      const int64_t Point[] = {I, J}, Label[] = {I - 1, J};
      F.add(Point, Label);
    });
  });
}
BENCHMARK(dependence2d);

/// The rows lie at irregular addresses, so the result is top along the inner loop.
void rowPointers2d(benchmark::State &State) {
  fold(State, 2, 1, 1, [](Folder &F) {
    nest(316, 316, [&](int64_t J, int64_t K) {
      const int64_t Point[] = {J, K}, Label[] = {4096 * K + 16 * (K * K % 7) + 8 * J};
      F.add(Point, Label);
    });
  });
}
BENCHMARK(rowPointers2d);

/// No affine function fits, so the folder gives up.
void random2d(benchmark::State &State) {
  fold(State, 2, 1, 1, [](Folder &F) {
    uint64_t Random = 1;
    nest(316, 316, [&](int64_t I, int64_t J) {
      Random = Random * 6364136223846793005u + 1442695040888963407u;
      if (Random >> 62)
        return;
      const int64_t Point[] = {I, J}, Label[] = {int64_t(Random >> 33)};
      F.add(Point, Label);
    });
  });
}
BENCHMARK(random2d);

} // namespace

BENCHMARK_MAIN();
