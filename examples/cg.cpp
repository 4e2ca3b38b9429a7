//===- examples/cg.cpp - conjugate gradients on a sparse matrix ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solves A x = b for a symmetric positive definite A, stored as compressed sparse rows, with
// b = A * (1, ..., 1).
#include "pointer_rows.h"
#include "sparse_matrices.h"

using namespace example;

EXAMPLE_KERNEL void multiply(long Rows, const int *RowStart, const int *Column, const double *Value,
                             const double *X, double *Y) {
  for (long i = 0; i < Rows; ++i) {
    double Sum = 0.0;
    for (int k = RowStart[i]; k < RowStart[i + 1]; ++k)
      Sum += Value[k] * X[Column[k]];
    Y[i] = Sum;
  }
}

EXAMPLE_KERNEL void multiply(long Rows, const int *Length, int *const *Columns,
                             double *const *Values, const double *X, double *Y) {
  for (long i = 0; i < Rows; ++i) {
    const int *Column = Columns[i];
    const double *Value = Values[i];
    double Sum = 0.0;
    for (int k = 0; k < Length[i]; ++k)
      Sum += Value[k] * X[Column[k]];
    Y[i] = Sum;
  }
}

EXAMPLE_KERNEL double dot(long n, const double *X, const double *Y) {
  double Sum = 0.0;
  for (long i = 0; i < n; ++i)
    Sum += X[i] * Y[i];
  return Sum;
}

// Computes Y = X + Factor * Y.
EXAMPLE_KERNEL void scaleAndAdd(long n, double *Y, double Factor, const double *X) {
  for (long i = 0; i < n; ++i)
    Y[i] = X[i] + Factor * Y[i];
}

// Computes Y += Factor * X.
EXAMPLE_KERNEL void addScaled(long n, double *Y, double Factor, const double *X) {
  for (long i = 0; i < n; ++i)
    Y[i] += Factor * X[i];
}

static void multiply(const CsrMatrix &A, const std::vector<double> &X, std::vector<double> &Y) {
  multiply(A.Rows, A.RowStart.data(), A.Column.data(), A.Value.data(), X.data(), Y.data());
}

static void multiply(const PointerRows &A, const std::vector<double> &X, std::vector<double> &Y) {
  multiply(A.Rows, A.Length.data(), A.Column.data(), A.Value.data(), X.data(), Y.data());
}

// Solves for X and returns the number of iterations until the residual fell by 1e-10.
template <typename Matrix>
long solve(const Matrix &A, const std::vector<double> &B, std::vector<double> &X,
           long MaxIterations) {
  long N = A.Rows;
  std::fill(X.begin(), X.end(), 0.0);
  std::vector<double> Residual = B, Direction = B, Image(N);
  double Norm = dot(N, Residual.data(), Residual.data());
  const double Target = Norm * 1e-20;
  long Iteration = 0;
  for (; Iteration < MaxIterations && Norm > Target; ++Iteration) {
    multiply(A, Direction, Image);
    double Step = Norm / dot(N, Direction.data(), Image.data());
    addScaled(N, X.data(), Step, Direction.data());
    addScaled(N, Residual.data(), -Step, Image.data());
    double NewNorm = dot(N, Residual.data(), Residual.data());
    scaleAndAdd(N, Direction.data(), NewNorm / Norm, Residual.data());
    Norm = NewNorm;
  }
  return Iteration;
}

int main(int Argc, char **Argv) {
  long Repeat = 100, MaxIterations = 10000;
  std::string Input = EXAMPLE_DATA_DIR "/poisson.mtx", Storage = "compressed", Output;
  CommandLine Line("cg", "conjugate gradients on a sparse matrix");
  Line.option("matrix", MatrixHelp, Input);
  Line.option("rows", RowsHelp, Storage);
  Line.option("repeat", "number of solves", Repeat, 1, 1000000);
  Line.option("iterations", "most iterations of one solve", MaxIterations, 1, 100000000);
  Line.option("output", "file for the solution as raw doubles", Output);
  Line.parse(Argc, Argv);
  const bool HasPointers = arePointers(Storage);

  const CsrMatrix A = symmetricMatrix(Input);
  std::vector<double> X(A.Rows, 1.0), B(A.Rows);
  multiply(A, X, B);

  Stopwatch Watch;
  long Iterations = 0;
  const auto Solve = [&](const auto &Stored) {
    Watch.start();
    for (long I = 0; I < Repeat; ++I)
      Iterations = solve(Stored, B, X, MaxIterations);
    Watch.stop();
  };
  HasPointers ? Solve(PointerRows(A)) : Solve(A);

  double Error = 0.0;
  for (double Component : X)
    Error = std::max(Error, std::abs(Component - 1.0));
  std::printf("rows=%ld entries=%zu iterations=%ld error=%.3e\n", A.Rows, A.Value.size(),
              Iterations, Error);
  Checksum Sum;
  Sum.add(X);
  writeFile(Output, "", X.data(), X.size() * sizeof(double));
  report(Sum, Watch);
}
