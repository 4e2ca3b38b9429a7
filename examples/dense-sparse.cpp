//===- examples/dense-sparse.cpp - dense loops over a matrix that is mostly zero ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products with a vector and with a matrix, and sweeps of Jacobi and of Gauss and Seidel, are
// written for dense arrays, as in programs whose authors did not know, or did not care, that most
// elements are zero.
#include "sparse_matrices.h"

using namespace example;

EXAMPLE_KERNEL void multiplyVector(long n, const double *A, const double *X, double *Y) {
  for (long i = 0; i < n; ++i) {
    double Sum = 0.0;
    for (long k = 0; k < n; ++k)
      Sum += A[i * n + k] * X[k];
    Y[i] = Sum;
  }
}

EXAMPLE_KERNEL void multiplyMatrix(long n, long m, const double *A, const double *B, double *C) {
  for (long i = 0; i < n; ++i)
    for (long k = 0; k < n; ++k)
      for (long j = 0; j < m; ++j)
        C[i * m + j] += A[i * n + k] * B[k * m + j];
}

// Computes New = X + (B - A X) / Diagonal.
EXAMPLE_KERNEL void jacobi(long n, const double *A, const double *Diagonal, const double *B,
                           const double *X, double *New) {
  for (long i = 0; i < n; ++i) {
    double Rest = B[i];
    for (long k = 0; k < n; ++k)
      Rest -= A[i * n + k] * X[k];
    New[i] = X[i] + Rest / Diagonal[i];
  }
}

EXAMPLE_KERNEL void gaussSeidel(long n, const double *A, const double *Diagonal, const double *B,
                                double *X) {
  for (long i = 0; i < n; ++i) {
    double Rest = B[i];
    for (long k = 0; k < n; ++k)
      Rest -= A[i * n + k] * X[k];
    X[i] += Rest / Diagonal[i];
  }
}

// Returns a matrix with a full diagonal and Percent of the other elements at random.
static std::vector<double> generated(long n, double Percent) {
  std::vector<double> A(n * n);
  Random Numbers(1);
  for (long i = 0; i < n; ++i) {
    for (long k = 0; k < n; ++k)
      if ((Numbers.next() + 1.0) * 50.0 < Percent)
        A[i * n + k] = Numbers.next() / n;
    A[i * n + i] = 2.0;
  }
  return A;
}

static std::vector<double> dense(const CsrMatrix &From) {
  std::vector<double> A(From.Rows * From.Rows);
  for (long i = 0; i < From.Rows; ++i)
    for (int k = From.RowStart[i]; k < From.RowStart[i + 1]; ++k)
      A[i * From.Rows + From.Column[k]] = From.Value[k];
  return A;
}

int main(int Argc, char **Argv) {
  long n = 1500, Repeat = 200, Columns = 64;
  std::string Kernel = "jacobi", Matrix, Density = "1", Output;
  CommandLine Line("dense-sparse", "dense loops over a matrix that is mostly zero");
  Line.positional("n", "rows of a generated matrix", n, 1, 20000);
  Line.option("kernel", "vector, matrix, jacobi or seidel", Kernel);
  Line.option("density", "percent of a generated matrix that are not zero", Density);
  Line.option("matrix", "Matrix Market file in place of a generated one", Matrix);
  Line.option("columns", "of the matrix that is multiplied", Columns, 1, 10000);
  Line.option("repeat", "number of products or sweeps", Repeat, 1, 1000000);
  Line.option("output", "file for the result as raw doubles", Output);
  Line.parse(Argc, Argv);
  double Percent = 0;
  if (std::from_chars(Density.data(), Density.data() + Density.size(), Percent).ptr !=
          Density.data() + Density.size() ||
      !(Percent >= 0 && Percent <= 100))
    fail("density must be a number from 0 to 100, not '" + Density + "'");
  if (Kernel != "vector" && Kernel != "matrix" && Kernel != "jacobi" && Kernel != "seidel")
    fail("kernel must be vector, matrix, jacobi or seidel, not '" + Kernel + "'");

  std::vector<double> A;
  if (Matrix.empty()) {
    A = generated(n, Percent);
  } else {
    const CsrMatrix Read = MatrixMarketReader(Matrix).read();
    if (Read.Rows != Read.Columns)
      fail("'" + Matrix + "' is not square");
    if (Read.Rows > 20000)
      fail("'" + Matrix + "' has more than 20000 rows");
    n = Read.Rows;
    A = dense(Read);
  }
  std::vector<double> Diagonal(n), X(n, 1.0), B(n), New(n);
  for (long i = 0; i < n; ++i) {
    Diagonal[i] = A[i * n + i];
    if (Kernel != "vector" && Kernel != "matrix" && Diagonal[i] == 0.0)
      fail("the diagonal is zero in row " + std::to_string(i + 1));
  }
  multiplyVector(n, A.data(), X.data(), B.data());
  std::fill(X.begin(), X.end(), 0.0);
  std::vector<double> Right(Kernel == "matrix" ? n * Columns : 0, 0.5), Product(Right.size());

  Stopwatch Watch;
  Watch.start();
  for (long Turn = 0; Turn < Repeat; ++Turn) {
    if (Kernel == "vector") {
      multiplyVector(n, A.data(), B.data(), X.data());
    } else if (Kernel == "matrix") {
      multiplyMatrix(n, Columns, A.data(), Right.data(), Product.data());
    } else if (Kernel == "jacobi") {
      jacobi(n, A.data(), Diagonal.data(), B.data(), X.data(), New.data());
      X.swap(New);
    } else {
      gaussSeidel(n, A.data(), Diagonal.data(), B.data(), X.data());
    }
  }
  Watch.stop();

  const std::vector<double> &Result = Kernel == "matrix" ? Product : X;
  std::printf("rows=%ld entries=%ld\n", n,
              static_cast<long>(A.size() - std::count(A.begin(), A.end(), 0.0)));
  Checksum Sum;
  Sum.add(Result);
  writeFile(Output, "", Result.data(), Result.size() * sizeof(double));
  report(Sum, Watch);
}
