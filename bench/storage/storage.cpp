//===- bench/storage/storage.cpp - solvers as dense loops over sparse matrices ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: storage KERNEL SIDE CALLS
#include "grid.h"
#include "sparse.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>

namespace {

// Factorisations in place.

BENCH_KERNEL void lu(long N, double *A) {
  for (long K = 0; K < N; ++K)
    for (long I = K + 1; I < N; ++I) {
      A[I * N + K] /= A[K * N + K];
      for (long J = K + 1; J < N; ++J)
        A[I * N + J] -= A[I * N + K] * A[K * N + J];
    }
}

BENCH_KERNEL void luByRows(long N, double *A) {
  for (long I = 1; I < N; ++I)
    for (long K = 0; K < I; ++K) {
      A[I * N + K] /= A[K * N + K];
      for (long J = K + 1; J < N; ++J)
        A[I * N + J] -= A[I * N + K] * A[K * N + J];
    }
}

/// Updates the columns to the right as soon as a column is complete.
BENCH_KERNEL void cholesky(long N, double *A) {
  for (long K = 0; K < N; ++K) {
    A[K * N + K] = std::sqrt(A[K * N + K]);
    for (long I = K + 1; I < N; ++I)
      A[I * N + K] /= A[K * N + K];
    for (long I = K + 1; I < N; ++I)
      for (long J = K + 1; J <= I; ++J)
        A[I * N + J] -= A[I * N + K] * A[J * N + K];
  }
}

/// Computes the factor by scalar products.
BENCH_KERNEL void choleskyByProducts(long N, double *A) {
  for (long I = 0; I < N; ++I)
    for (long J = 0; J <= I; ++J) {
      double Sum = A[I * N + J];
      for (long K = 0; K < J; ++K)
        Sum -= A[I * N + K] * A[J * N + K];
      A[I * N + J] = I == J ? std::sqrt(Sum) : Sum / A[J * N + J];
    }
}

// Triangular solves.

BENCH_KERNEL void forward(long N, const double *L, const double *B, double *X) {
  for (long I = 0; I < N; ++I) {
    double Sum = B[I];
    for (long J = 0; J < I; ++J)
      Sum -= L[I * N + J] * X[J];
    X[I] = Sum / L[I * N + I];
  }
}

BENCH_KERNEL void forwardInMemory(long N, const double *L, const double *B, double *X) {
  for (long I = 0; I < N; ++I) {
    X[I] = B[I];
    for (long J = 0; J < I; ++J)
      X[I] -= L[I * N + J] * X[J];
    X[I] /= L[I * N + I];
  }
}

BENCH_KERNEL void forwardByColumns(long N, const double *L, const double *B, double *X) {
  for (long I = 0; I < N; ++I)
    X[I] = B[I];
  for (long J = 0; J < N; ++J) {
    X[J] /= L[J * N + J];
    for (long I = J + 1; I < N; ++I)
      X[I] -= L[I * N + J] * X[J];
  }
}

BENCH_KERNEL void backward(long N, const double *U, const double *B, double *X) {
  for (long I = N - 1; I >= 0; --I) {
    double Sum = B[I];
    for (long J = I + 1; J < N; ++J)
      Sum -= U[I * N + J] * X[J];
    X[I] = Sum / U[I * N + I];
  }
}

// Sweeps of Gauss-Seidel.

BENCH_KERNEL void seidelIf(long N, const double *A, const double *B, double *X) {
  for (long I = 0; I < N; ++I) {
    double Sum = B[I];
    for (long J = 0; J < N; ++J)
      if (J != I)
        Sum -= A[I * N + J] * X[J];
    X[I] = Sum / A[I * N + I];
  }
}

BENCH_KERNEL void seidelSubtract(long N, const double *A, const double *B, double *X) {
  for (long I = 0; I < N; ++I) {
    double Sum = B[I];
    for (long J = 0; J < N; ++J)
      Sum -= A[I * N + J] * X[J];
    X[I] += Sum / A[I * N + I];
  }
}

BENCH_KERNEL void seidelInTwoLoops(long N, const double *A, const double *B, double *X) {
  for (long I = 0; I < N; ++I) {
    double Sum = B[I];
    for (long J = 0; J < I; ++J)
      Sum -= A[I * N + J] * X[J];
    for (long J = I + 1; J < N; ++J)
      Sum -= A[I * N + J] * X[J];
    X[I] = Sum / A[I * N + I];
  }
}

// Products of sparse matrices.

BENCH_KERNEL void product(long N, const double *A, const double *B, double *C) {
  for (long I = 0; I < N; ++I)
    for (long K = 0; K < N; ++K)
      for (long J = 0; J < N; ++J)
        C[I * N + J] += A[I * N + K] * B[K * N + J];
}

// Y = A X, by rows, and then Z = A' Y, by columns.

BENCH_KERNEL void bothDirections(long N, const double *A, const double *X, double *Y, double *Z) {
  for (long I = 0; I < N; ++I) {
    double Sum = 0.0;
    for (long J = 0; J < N; ++J)
      Sum += A[I * N + J] * X[J];
    Y[I] = Sum;
  }
  for (long J = 0; J < N; ++J) {
    double Sum = 0.0;
    for (long I = 0; I < N; ++I)
      Sum += A[I * N + J] * Y[I];
    Z[J] = Sum;
  }
}

using Vector = std::vector<double>;
using Outcome = std::function<Vector(bench::Calls &, long Calls)>;

/// Factorises the matrix again and again, each time with another element.
Outcome factorise(void (*Kernel)(long, double *), Vector Matrix, long N) {
  return [=](bench::Calls &Clock, long Calls) {
    Vector A, Diagonals;
    for (long Call = 0; Call < Calls; ++Call) {
      A = Matrix;
      A.front() += 0.01 * static_cast<double>(Call);
      Clock.begin();
      Kernel(N, A.data());
      Clock.end();
      Diagonals.push_back(A.back());
    }
    A.insert(A.end(), Diagonals.begin(), Diagonals.end());
    return A;
  };
}

/// Solves, or sweeps, with one matrix and changing right-hand sides.
Outcome solve(void (*Kernel)(long, const double *, const double *, double *), Vector A, long N) {
  return [=](bench::Calls &Clock, long Calls) {
    Vector B(static_cast<size_t>(N), 1.0), X(B), All;
    for (long Call = 0; Call < Calls; ++Call) {
      B[static_cast<size_t>(Call % N)] += 0.5;
      Clock.begin();
      Kernel(N, A.data(), B.data(), X.data());
      Clock.end();
      All.push_back(X[static_cast<size_t>(N / 2)]);
    }
    X.insert(X.end(), All.begin(), All.end());
    return X;
  };
}

/// Multiplies by the matrix and by its transpose, each call another vector.
Outcome normalEquations(Vector A, long N) {
  return [=](bench::Calls &Clock, long Calls) {
    Vector X(static_cast<size_t>(N), 1.0), Y(X), Z(X);
    for (long Call = 0; Call < Calls; ++Call) {
      X[static_cast<size_t>(Call % N)] = 0.1 * Z[static_cast<size_t>(Call % N)];
      Clock.begin();
      bothDirections(N, A.data(), X.data(), Y.data(), Z.data());
      Clock.end();
    }
    Z.insert(Z.end(), Y.begin(), Y.end());
    return Z;
  };
}

/// Multiplies A by B and A in turn, \p Products times, each call with another B: A B, (A B) A, ...
Outcome multiply(long Side, size_t Products) {
  return [=](bench::Calls &Clock, long Calls) {
    const Vector A = bench::gridMatrix(Side, 0);
    std::vector<Vector> Results;
    for (long Call = 0; Call < Calls; ++Call) {
      const Vector B = bench::gridMatrix(Side, 0.01 * static_cast<double>(Call));
      Results.assign(Products, Vector(A.size()));
      Clock.begin();
      for (size_t I = 0; I < Products; ++I)
        product(Side * Side, I > 0 ? Results[I - 1].data() : A.data(),
                I % 2 > 0 ? A.data() : B.data(), Results[I].data());
      Clock.end();
    }
    return Results.back();
  };
}

} // namespace

int main(int Argc, char **Argv) {
  const long Side = Argc > 2 ? std::atol(Argv[2]) : 0, Calls = Argc > 3 ? std::atol(Argv[3]) : 0;
  const long N = Side * Side;
  const auto Solve = [&](auto *Kernel) {
    return [=] { return solve(Kernel, bench::factorsOf(bench::gridMatrix(Side, 0), N), N); };
  };
  const auto Sweep = [&](auto *Kernel) {
    return [=] { return solve(Kernel, bench::gridMatrix(Side, 0), N); };
  };
  const auto Factorise = [&](auto *Kernel) {
    return [=] { return factorise(Kernel, bench::gridMatrix(Side, 0), N); };
  };
  const std::map<std::string, std::function<Outcome()>> Kernels = {
      {"lu", Factorise(lu)},
      {"lu-rows", Factorise(luByRows)},
      {"cholesky", Factorise(cholesky)},
      {"cholesky-products", Factorise(choleskyByProducts)},
      {"forward", Solve(forward)},
      {"forward-memory", Solve(forwardInMemory)},
      {"forward-columns", Solve(forwardByColumns)},
      {"backward", Solve(backward)},
      {"seidel-if", Sweep(seidelIf)},
      {"seidel-subtract", Sweep(seidelSubtract)},
      {"seidel-two", Sweep(seidelInTwoLoops)},
      {"product", [=] { return multiply(Side, 1); }},
      {"chain", [=] { return multiply(Side, 3); }},
      {"both-directions", [=] { return normalEquations(bench::gridMatrix(Side, 0), N); }},
      {"forward-band", [=] { return solve(forward, bench::bandMatrix(N, N / 100), N); }},
      {"lu-full", [=] { return factorise(lu, bench::randomMatrix(N, 100), N); }},
      {"forward-half", [=] { return solve(forward, bench::randomMatrix(N, 50), N); }},
      {"forward-full", [=] { return solve(forward, bench::randomMatrix(N, 100), N); }},
      {"seidel-half", [=] { return solve(seidelIf, bench::randomMatrix(N, 50), N); }},
      {"seidel-full", [=] { return solve(seidelIf, bench::randomMatrix(N, 100), N); }}};
  const auto Found = Argc == 4 ? Kernels.find(Argv[1]) : Kernels.end();
  if (Found == Kernels.end() || Side < 2 || Calls < 1) {
    std::fprintf(stderr, "usage: %s KERNEL SIDE CALLS\n", Argv[0]);
    return 2;
  }
  const Outcome Run = Found->second();
  bench::Calls Clock;
  const Vector Result = Run(Clock, Calls);
  Clock.print(Result, {8.0 * static_cast<double>(N * N), 2.0 * static_cast<double>(N * N)});
}
