//===- examples/pcg.cpp - conjugate gradients with a preconditioner ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solves A x = b, b = A * (1, ..., 1), for a symmetric positive definite A. The preconditioner is
// an incomplete Cholesky factor with A's pattern, or a symmetric sweep of Gauss and Seidel.
#include "sparse_kernels.h"

using namespace example;

/// Returns the lower triangle of \p A, whose rows end with their diagonal.
static CsrMatrix lowerTriangle(const CsrMatrix &A) {
  CsrMatrix L;
  L.Rows = L.Columns = A.Rows;
  L.RowStart.push_back(0);
  for (long i = 0; i < A.Rows; ++i) {
    for (int k = A.RowStart[i]; k < A.RowStart[i + 1]; ++k)
      if (A.Column[k] <= i) {
        L.Column.push_back(A.Column[k]);
        L.Value.push_back(A.Value[k]);
      }
    L.RowStart.push_back(static_cast<int>(L.Column.size()));
  }
  return L;
}

static CsrMatrix transposed(const CsrMatrix &A) {
  CsrMatrix T;
  T.Rows = T.Columns = A.Rows;
  T.RowStart.assign(A.Rows + 1, 0);
  T.Column.resize(A.Column.size());
  T.Value.resize(A.Value.size());
  for (int Column : A.Column)
    ++T.RowStart[Column + 1];
  for (long i = 0; i < A.Rows; ++i)
    T.RowStart[i + 1] += T.RowStart[i];
  std::vector<int> Next(T.RowStart.begin(), T.RowStart.end() - 1);
  for (long i = 0; i < A.Rows; ++i)
    for (int k = A.RowStart[i]; k < A.RowStart[i + 1]; ++k) {
      const int To = Next[A.Column[k]]++;
      T.Column[To] = static_cast<int>(i);
      T.Value[To] = A.Value[k];
    }
  return T;
}

/// Replaces the lower triangle by its incomplete Cholesky factor. Returns the first row whose
/// diagonal would not be positive, or the number of rows if there is none.
EXAMPLE_KERNEL long factorise(CsrMatrix &L) {
  for (long i = 0; i < L.Rows; ++i)
    for (int p = L.RowStart[i]; p < L.RowStart[i + 1]; ++p) {
      const int j = L.Column[p], Diagonal = L.RowStart[j + 1] - 1;
      double Sum = L.Value[p];
      int q = L.RowStart[i], r = L.RowStart[j];
      while (q < p && r < Diagonal) {
        if (L.Column[q] == L.Column[r])
          Sum -= L.Value[q++] * L.Value[r++];
        else if (L.Column[q] < L.Column[r])
          ++q;
        else
          ++r;
      }
      if (p != Diagonal) { // Diagonal is that of another row, j
        L.Value[p] = Sum / L.Value[Diagonal];
        continue;
      }
      if (!(Sum > 0.0))
        return i;
      L.Value[p] = std::sqrt(Sum);
    }
  return L.Rows;
}

EXAMPLE_KERNEL void solveLower(const CsrMatrix &L, const Vector &B, Vector &X) {
  for (long i = 0; i < L.Rows; ++i) {
    double Sum = B[i];
    const int Diagonal = L.RowStart[i + 1] - 1;
    for (int k = L.RowStart[i]; k < Diagonal; ++k)
      Sum -= L.Value[k] * X[L.Column[k]];
    X[i] = Sum / L.Value[Diagonal];
  }
}

EXAMPLE_KERNEL void solveUpper(const CsrMatrix &U, const Vector &B, Vector &X) {
  for (long i = U.Rows - 1; i >= 0; --i) {
    double Sum = B[i];
    const int Diagonal = U.RowStart[i];
    for (int k = Diagonal + 1; k < U.RowStart[i + 1]; ++k)
      Sum -= U.Value[k] * X[U.Column[k]];
    X[i] = Sum / U.Value[Diagonal];
  }
}

EXAMPLE_KERNEL void solveLower(const PointerRows &L, const Vector &B, Vector &X) {
  for (long i = 0; i < L.Rows; ++i) {
    const int *Column = L.Column[i];
    const double *Value = L.Value[i];
    double Sum = B[i];
    const int Diagonal = L.Length[i] - 1;
    for (int k = 0; k < Diagonal; ++k)
      Sum -= Value[k] * X[Column[k]];
    X[i] = Sum / Value[Diagonal];
  }
}

EXAMPLE_KERNEL void solveUpper(const PointerRows &U, const Vector &B, Vector &X) {
  for (long i = U.Rows - 1; i >= 0; --i) {
    const int *Column = U.Column[i];
    const double *Value = U.Value[i];
    double Sum = B[i];
    for (int k = 1; k < U.Length[i]; ++k)
      Sum -= Value[k] * X[Column[k]];
    X[i] = Sum / Value[0];
  }
}

/// Fails if \p A has two entries at one place, because the factor would have two as well.
static void expectNoDoubles(const CsrMatrix &A, const std::string &Text) {
  for (long i = 0; i < A.Rows; ++i)
    for (int k = A.RowStart[i] + 1; k < A.RowStart[i + 1]; ++k)
      if (A.Column[k] == A.Column[k - 1])
        fail("'" + Text + "' has entry (" + std::to_string(i + 1) + ", " +
             std::to_string(A.Column[k] + 1) + ") twice");
}

/// Solves A X = B. \p A is \p Source in the chosen storage of rows.
template <typename Matrix>
long solveWithCholesky(const CsrMatrix &Source, const Matrix &A, const std::string &Text,
                       const Vector &B, Vector &X, long MaxIterations) {
  CsrMatrix Factor = lowerTriangle(Source);
  if (const long Row = factorise(Factor); Row < Factor.Rows)
    fail("the incomplete Cholesky factor of '" + Text + "' breaks down in row " +
         std::to_string(Row + 1) + "; try --preconditioner=symgs");
  const Matrix U(transposed(Factor)), L(std::move(Factor));
  Vector Half(A.Rows);
  return solve(A, B, X, MaxIterations, [&](const Vector &Residual, Vector &Better) {
    solveLower(L, Residual, Half);
    solveUpper(U, Half, Better);
  });
}

template <typename Matrix>
long solveWithSweeps(const Matrix &A, const Vector &Diagonal, const Vector &B, Vector &X,
                     long MaxIterations) {
  return solve(A, B, X, MaxIterations, [&](const Vector &Residual, Vector &Better) {
    std::fill(Better.begin(), Better.end(), 0.0);
    sweepForward(A, Diagonal, Residual, Better);
    sweepBackward(A, Diagonal, Residual, Better);
  });
}

int main(int Argc, char **Argv) {
  long Repeat = 50, MaxIterations = 10000;
  std::string Input = EXAMPLE_DATA_DIR "/poisson.mtx", Kind = "ic0", Storage = "compressed", Output;
  CommandLine Line("pcg", "conjugate gradients with a preconditioner");
  Line.option("matrix", MatrixHelp, Input);
  Line.option("preconditioner", "ic0 (incomplete Cholesky) or symgs (Gauss and Seidel)", Kind);
  Line.option("rows", RowsHelp, Storage);
  Line.option("repeat", "number of solves", Repeat, 1, 1000000);
  Line.option("iterations", "most iterations of one solve", MaxIterations, 1, 100000000);
  Line.option("output", "file for the solution as raw doubles", Output);
  Line.parse(Argc, Argv);
  if (Kind != "ic0" && Kind != "symgs")
    fail("preconditioner must be ic0 or symgs, not '" + Kind + "'");
  const bool HasPointers = arePointers(Storage);

  const CsrMatrix A = symmetricMatrix(Input);
  const Vector Diagonal = diagonal(A, Input);
  expectNoDoubles(A, Input);
  Vector X(A.Rows, 1.0), B(A.Rows);
  multiply(A, X, B);

  Stopwatch Watch;
  long Iterations = 0;
  const auto Solve = [&](const auto &Stored) {
    Watch.start();
    for (long I = 0; I < Repeat; ++I)
      Iterations = Kind == "ic0" ? solveWithCholesky(A, Stored, Input, B, X, MaxIterations)
                                 : solveWithSweeps(Stored, Diagonal, B, X, MaxIterations);
    Watch.stop();
  };
  HasPointers ? Solve(PointerRows(A)) : Solve(A);
  reportSolution(A, X, Iterations, Output, Watch);
}
