//===- examples/amg.cpp - conjugate gradients with a small algebraic multigrid cycle ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solves A x = b, b = A * (1, ..., 1), for a symmetric positive definite A. Unknowns that are
// strongly coupled are aggregated; an aggregate is an unknown of the next, coarser level. A cycle
// sweeps down the levels and up again.
#include "sparse_kernels.h"
#include <memory>

using namespace example;

/// Computes R = B - A X.
EXAMPLE_KERNEL void residual(const CsrMatrix &A, const Vector &B, const Vector &X, Vector &R) {
  for (long i = 0; i < A.Rows; ++i) {
    double Sum = B[i];
    for (int k = A.RowStart[i]; k < A.RowStart[i + 1]; ++k)
      Sum -= A.Value[k] * X[A.Column[k]];
    R[i] = Sum;
  }
}

EXAMPLE_KERNEL void residual(const PointerRows &A, const Vector &B, const Vector &X, Vector &R) {
  for (long i = 0; i < A.Rows; ++i) {
    const int *Column = A.Column[i];
    const double *Value = A.Value[i];
    double Sum = B[i];
    for (int k = 0; k < A.Length[i]; ++k)
      Sum -= Value[k] * X[Column[k]];
    R[i] = Sum;
  }
}

/// Sums values over aggregates.
EXAMPLE_KERNEL void restrictTo(const std::vector<int> &Aggregate, const Vector &Fine,
                               Vector &Coarse) {
  for (size_t i = 0; i < Coarse.size(); ++i)
    Coarse[i] = 0.0;
  for (size_t i = 0; i < Fine.size(); ++i)
    Coarse[Aggregate[i]] += Fine[i];
}

/// Adds to every unknown the correction of its aggregate.
EXAMPLE_KERNEL void prolongate(const std::vector<int> &Aggregate, const Vector &Coarse,
                               Vector &Fine) {
  for (size_t i = 0; i < Fine.size(); ++i)
    Fine[i] += Coarse[Aggregate[i]];
}

struct Level {
  CsrMatrix A;
  Vector Diagonal;
  std::vector<int> Aggregate; // of every unknown; empty on the coarsest level
  Vector B, X, R;

  Level(CsrMatrix Matrix, const std::string &Text)
      : A(std::move(Matrix)), Diagonal(diagonal(A, Text)), B(A.Rows), X(A.Rows), R(A.Rows) {}
};

/// Assigns each unknown to an aggregate, together with free neighbours that are strongly coupled to
/// it. Returns the number of aggregates.
static int aggregate(Level &L) {
  const CsrMatrix &A = L.A;
  L.Aggregate.assign(A.Rows, -1);
  int Count = 0;
  for (long i = 0; i < A.Rows; ++i) {
    if (L.Aggregate[i] >= 0)
      continue;
    L.Aggregate[i] = Count;
    for (int k = A.RowStart[i]; k < A.RowStart[i + 1]; ++k) {
      const int j = A.Column[k];
      const double Strong = 0.0064 * std::abs(L.Diagonal[i] * L.Diagonal[j]);
      if (L.Aggregate[j] < 0 && A.Value[k] * A.Value[k] >= Strong)
        L.Aggregate[j] = Count;
    }
    ++Count;
  }
  return Count;
}

/// Returns the matrix between aggregates, whose entries are sums over their unknowns.
static CsrMatrix coarseMatrix(const Level &L, int Count) {
  std::vector<std::vector<int>> Members(Count);
  for (long i = 0; i < L.A.Rows; ++i)
    Members[L.Aggregate[i]].push_back(static_cast<int>(i));
  CsrMatrix C;
  C.Rows = C.Columns = Count;
  C.RowStart.push_back(0);
  Vector Sums(Count);
  std::vector<long> SeenBy(Count, -1);
  for (int Row = 0; Row < Count; ++Row) {
    const size_t First = C.Column.size();
    for (int i : Members[Row])
      for (int k = L.A.RowStart[i]; k < L.A.RowStart[i + 1]; ++k) {
        const int To = L.Aggregate[L.A.Column[k]];
        if (SeenBy[To] != Row) {
          SeenBy[To] = Row;
          Sums[To] = 0.0;
          C.Column.push_back(To);
        }
        Sums[To] += L.A.Value[k];
      }
    std::sort(C.Column.begin() + static_cast<long>(First), C.Column.end());
    for (size_t k = First; k < C.Column.size(); ++k)
      C.Value.push_back(Sums[C.Column[k]]);
    C.RowStart.push_back(static_cast<int>(C.Column.size()));
  }
  return C;
}

static std::vector<std::unique_ptr<Level>> makeLevels(const CsrMatrix &A, const std::string &Text,
                                                      long MaxLevels) {
  std::vector<std::unique_ptr<Level>> Levels;
  Levels.push_back(std::make_unique<Level>(A, Text));
  while (static_cast<long>(Levels.size()) < MaxLevels && Levels.back()->A.Rows > 50) {
    Level &Fine = *Levels.back();
    const int Count = aggregate(Fine);
    if (Count > 0.9 * static_cast<double>(Fine.A.Rows)) {
      Fine.Aggregate.clear(); // couplings are too weak
      break;
    }
    Levels.push_back(std::make_unique<Level>(coarseMatrix(Fine, Count), Text));
  }
  return Levels;
}

static std::vector<CsrMatrix> compressedRows(const std::vector<std::unique_ptr<Level>> &Levels) {
  std::vector<CsrMatrix> Matrices;
  Matrices.reserve(Levels.size());
  for (const auto &L : Levels)
    Matrices.push_back(L->A);
  return Matrices;
}

static std::vector<PointerRows> pointerRows(const std::vector<std::unique_ptr<Level>> &Levels) {
  std::vector<PointerRows> Matrices;
  Matrices.reserve(Levels.size());
  for (const auto &L : Levels)
    Matrices.emplace_back(L->A);
  return Matrices;
}

/// Improves X of level \p Number, from zero, for its B. \p Matrices has the matrix of each level.
template <typename Matrix>
void cycle(std::vector<std::unique_ptr<Level>> &Levels, const std::vector<Matrix> &Matrices,
           size_t Number) {
  Level &L = *Levels[Number];
  const Matrix &A = Matrices[Number];
  const bool Coarsest = Number + 1 == Levels.size();
  std::fill(L.X.begin(), L.X.end(), 0.0);
  for (int Sweep = 0; Sweep < (Coarsest ? 20 : 1); ++Sweep) {
    sweepForward(A, L.Diagonal, L.B, L.X);
    if (Coarsest)
      sweepBackward(A, L.Diagonal, L.B, L.X);
  }
  if (Coarsest)
    return;
  residual(A, L.B, L.X, L.R);
  Level &Coarse = *Levels[Number + 1];
  restrictTo(L.Aggregate, L.R, Coarse.B);
  cycle(Levels, Matrices, Number + 1);
  prolongate(L.Aggregate, Coarse.X, L.X);
  sweepBackward(A, L.Diagonal, L.B, L.X);
}

int main(int Argc, char **Argv) {
  long Repeat = 30, MaxIterations = 10000, MaxLevels = 10;
  std::string Input = EXAMPLE_DATA_DIR "/poisson.mtx", Storage = "compressed", Output;
  CommandLine Line("amg", "conjugate gradients with algebraic multigrid");
  Line.option("matrix", MatrixHelp, Input);
  Line.option("levels", "most levels", MaxLevels, 1, 50);
  Line.option("rows", RowsHelp, Storage);
  Line.option("repeat", "number of solves", Repeat, 1, 1000000);
  Line.option("iterations", "most iterations of one solve", MaxIterations, 1, 100000000);
  Line.option("output", "file for the solution as raw doubles", Output);
  Line.parse(Argc, Argv);
  const bool HasPointers = arePointers(Storage);

  const CsrMatrix A = symmetricMatrix(Input);
  auto Levels = makeLevels(A, Input, MaxLevels);
  Vector X(A.Rows, 1.0), B(A.Rows);
  multiply(A, X, B);

  Stopwatch Watch;
  long Iterations = 0;
  const auto Solve = [&](const auto &Matrices) {
    Watch.start();
    for (long I = 0; I < Repeat; ++I)
      Iterations =
          solve(Matrices[0], B, X, MaxIterations, [&](const Vector &Residual, Vector &Better) {
            Levels[0]->B = Residual;
            cycle(Levels, Matrices, 0);
            Better = Levels[0]->X;
          });
    Watch.stop();
  };
  HasPointers ? Solve(pointerRows(Levels)) : Solve(compressedRows(Levels));

  std::printf("levels=%zu coarsest=%ld\n", Levels.size(), Levels.back()->A.Rows);
  reportSolution(A, X, Iterations, Output, Watch);
}
