//===- examples/sparse_kernels.h - the loops that iterative solvers have in common ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_EXAMPLES_SPARSE_KERNELS_H
#define SPECRT_EXAMPLES_SPARSE_KERNELS_H

#include "pointer_rows.h"
#include "sparse_matrices.h"

namespace example {

using Vector = std::vector<double>;

/// Computes Y = A X.
EXAMPLE_KERNEL inline void multiply(const CsrMatrix &A, const Vector &X, Vector &Y) {
  for (long i = 0; i < A.Rows; ++i) {
    double Sum = 0.0;
    for (int k = A.RowStart[i]; k < A.RowStart[i + 1]; ++k)
      Sum += A.Value[k] * X[A.Column[k]];
    Y[i] = Sum;
  }
}

EXAMPLE_KERNEL inline void multiply(const PointerRows &A, const Vector &X, Vector &Y) {
  for (long i = 0; i < A.Rows; ++i) {
    const int *Column = A.Column[i];
    const double *Value = A.Value[i];
    double Sum = 0.0;
    for (int k = 0; k < A.Length[i]; ++k)
      Sum += Value[k] * X[Column[k]];
    Y[i] = Sum;
  }
}

/// Executes a sweep of Gauss and Seidel: solves the rows of A X = B one after another, each for its
/// own unknown.
EXAMPLE_KERNEL inline void sweepForward(const CsrMatrix &A, const Vector &Diagonal, const Vector &B,
                                        Vector &X) {
  for (long i = 0; i < A.Rows; ++i) {
    double Sum = B[i];
    for (int k = A.RowStart[i]; k < A.RowStart[i + 1]; ++k)
      Sum -= A.Value[k] * X[A.Column[k]];
    X[i] += Sum / Diagonal[i];
  }
}

EXAMPLE_KERNEL inline void sweepBackward(const CsrMatrix &A, const Vector &Diagonal,
                                         const Vector &B, Vector &X) {
  for (long i = A.Rows - 1; i >= 0; --i) {
    double Sum = B[i];
    for (int k = A.RowStart[i]; k < A.RowStart[i + 1]; ++k)
      Sum -= A.Value[k] * X[A.Column[k]];
    X[i] += Sum / Diagonal[i];
  }
}

EXAMPLE_KERNEL inline void sweepForward(const PointerRows &A, const Vector &Diagonal,
                                        const Vector &B, Vector &X) {
  for (long i = 0; i < A.Rows; ++i) {
    const int *Column = A.Column[i];
    const double *Value = A.Value[i];
    double Sum = B[i];
    for (int k = 0; k < A.Length[i]; ++k)
      Sum -= Value[k] * X[Column[k]];
    X[i] += Sum / Diagonal[i];
  }
}

EXAMPLE_KERNEL inline void sweepBackward(const PointerRows &A, const Vector &Diagonal,
                                         const Vector &B, Vector &X) {
  for (long i = A.Rows - 1; i >= 0; --i) {
    const int *Column = A.Column[i];
    const double *Value = A.Value[i];
    double Sum = B[i];
    for (int k = 0; k < A.Length[i]; ++k)
      Sum -= Value[k] * X[Column[k]];
    X[i] += Sum / Diagonal[i];
  }
}

EXAMPLE_KERNEL inline double dot(const Vector &X, const Vector &Y) {
  double Sum = 0.0;
  for (size_t i = 0; i < X.size(); ++i)
    Sum += X[i] * Y[i];
  return Sum;
}

/// Computes Y = X + Factor * Y.
EXAMPLE_KERNEL inline void scaleAndAdd(Vector &Y, double Factor, const Vector &X) {
  for (size_t i = 0; i < X.size(); ++i)
    Y[i] = X[i] + Factor * Y[i];
}

/// Computes Y += Factor * X.
EXAMPLE_KERNEL inline void addScaled(Vector &Y, double Factor, const Vector &X) {
  for (size_t i = 0; i < X.size(); ++i)
    Y[i] += Factor * X[i];
}

/// Returns the diagonal of A. Fails if it contains a zero. \p Text names the matrix in messages.
inline Vector diagonal(const CsrMatrix &A, const std::string &Text) {
  Vector Result(A.Rows);
  for (long i = 0; i < A.Rows; ++i) {
    for (int k = A.RowStart[i]; k < A.RowStart[i + 1]; ++k)
      if (A.Column[k] == i)
        Result[i] += A.Value[k];
    if (Result[i] == 0.0)
      fail("'" + Text + "' has nothing on the diagonal in row " + std::to_string(i + 1));
  }
  return Result;
}

/// Runs conjugate gradients from X = 0 until the residual fell by 1e-10. Precondition(Residual,
/// Better) solves roughly. Returns the number of iterations.
template <typename Matrix, typename F>
long solve(const Matrix &A, const Vector &B, Vector &X, long MaxIterations, const F &Precondition) {
  std::fill(X.begin(), X.end(), 0.0);
  Vector Residual = B, Image(A.Rows), Better(A.Rows);
  Precondition(Residual, Better);
  Vector Direction = Better;
  double Norm = dot(Residual, Better);
  const double Target = dot(Residual, Residual) * 1e-20;
  long Iteration = 0;
  for (; Iteration < MaxIterations && dot(Residual, Residual) > Target; ++Iteration) {
    multiply(A, Direction, Image);
    const double Step = Norm / dot(Direction, Image);
    addScaled(X, Step, Direction);
    addScaled(Residual, -Step, Image);
    Precondition(Residual, Better);
    const double NewNorm = dot(Residual, Better);
    scaleAndAdd(Direction, NewNorm / Norm, Better);
    Norm = NewNorm;
  }
  return Iteration;
}

/// Prints and writes the result of a solver, whose exact solution is all ones.
inline void reportSolution(const CsrMatrix &A, const Vector &X, long Iterations,
                           const std::string &Output, const Stopwatch &Watch) {
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

} // namespace example

#endif
