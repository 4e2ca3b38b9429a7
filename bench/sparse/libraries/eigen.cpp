//===- bench/sparse/libraries/eigen.cpp - Eigen's sparse kernels ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: eigen KERNEL MATRIX CALLS [NUMBER]    the kernels are named as the programs beside it
// The norm is 0 for kernels whose algorithm has another result.
#include "sparse.h"
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <cstdio>
#include <string>

namespace {

using ByRows = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
using ByColumns = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Natural = Eigen::NaturalOrdering<int>;

/// The arguments of all programs: the matrix, the number of calls, and a further number.
struct Task {
  bench::Matrix A;
  long NumCalls, Number;
  bench::Calls Calls = {};

  Eigen::Map<const ByRows> byRows(const bench::Matrix &M) const {
    return {M.Rows,          M.Rows,        static_cast<long>(M.Column.size()), M.RowStart.data(),
            M.Column.data(), M.Value.data()};
  }
  Eigen::VectorXd vector() const {
    const std::vector<double> Numbers = bench::numbers(A.Rows, 3);
    return Eigen::Map<const Eigen::VectorXd>(Numbers.data(), A.Rows);
  }
  /// Calls \p Once, and \p Between after each.
  template <typename F, typename G> void repeat(const F &Once, const G &Between) {
    for (long Call = 0; Call < NumCalls; ++Call) {
      Calls.begin();
      Once();
      Calls.end();
      Between(Call);
    }
  }
  void print(const double *Result, long Count) const {
    Calls.print(std::vector<double>(Result, Result + Count), {0, 0});
  }
};

void spmv(Task &T) {
  const auto A = T.byRows(T.A);
  Eigen::VectorXd X = T.vector(), Y(T.A.Rows);
  T.repeat([&] { Y.noalias() = A * X; },
           [&](long Call) { X[Call % T.A.Rows] = 0.1 * Y[Call % T.A.Rows]; });
  T.print(Y.data(), Y.size());
}

void sptrsv(Task &T) {
  const bench::Matrix Lower = bench::lowerTriangle(T.A);
  const auto L = T.byRows(Lower);
  Eigen::VectorXd B = T.vector(), X(T.A.Rows);
  T.repeat([&] { X = L.triangularView<Eigen::Lower>().solve(B); },
           [&](long Call) { B[Call % T.A.Rows] = 0.1 * X[Call % T.A.Rows]; });
  T.print(X.data(), X.size());
}

void symgs(Task &T) {
  const auto A = T.byRows(T.A);
  Eigen::VectorXd B = T.vector(), X = Eigen::VectorXd::Zero(T.A.Rows);
  auto Sweep = [&] {
    X = A.triangularView<Eigen::Lower>().solve(B - A.triangularView<Eigen::StrictlyUpper>() * X);
    X = A.triangularView<Eigen::Upper>().solve(B - A.triangularView<Eigen::StrictlyLower>() * X);
  };
  T.repeat(Sweep, [&](long Call) { B[Call % T.A.Rows] = X[Call % T.A.Rows]; });
  T.print(X.data(), X.size());
}

void ic0(Task &T) {
  const ByColumns A = T.byRows(T.A);
  Eigen::IncompleteCholesky<double, Eigen::Lower, Natural> Factor;
  Factor.analyzePattern(A);
  T.repeat([&] { Factor.factorize(A); }, [](long) {});
  T.print(nullptr, 0);
}

void spgemm(Task &T) {
  auto A = T.byRows(T.A);
  const bench::Matrix Second = T.A;
  const auto B = T.byRows(Second);
  ByRows C;
  T.repeat([&] { C = A * B; },
           [&](long Call) { T.A.Value[Call % static_cast<long>(T.A.Value.size())] *= 0.99; });
  T.print(C.valuePtr(), C.nonZeros());
}

void spmm(Task &T) {
  const auto A = T.byRows(T.A);
  const std::vector<double> Numbers = bench::numbers(T.A.Rows * T.Number, 3);
  Dense X = Eigen::Map<const Dense>(Numbers.data(), T.A.Rows, T.Number), Y(T.A.Rows, T.Number);
  T.repeat([&] { Y.noalias() = A * X; },
           [&](long Call) { X.data()[Call % X.size()] = 0.1 * Y.data()[Call % X.size()]; });
  T.print(Y.data(), Y.size());
}

void cholesky(Task &T) {
  ByColumns A = T.byRows(T.A);
  Eigen::SimplicialLLT<ByColumns, Eigen::Lower, Natural> Factor;
  Factor.analyzePattern(A);
  T.repeat([&] { Factor.factorize(A); },
           [&](long Call) { A.coeffRef(Call % A.rows(), Call % A.rows()) *= 1.001; });
  const auto &L = Factor.matrixL().nestedExpression();
  T.print(L.valuePtr(), L.nonZeros());
}

void lu(Task &T) {
  ByColumns A = T.byRows(T.A);
  Eigen::SparseLU<ByColumns, Natural> Factor;
  Factor.analyzePattern(A);
  T.repeat([&] { Factor.factorize(A); },
           [&](long Call) { A.coeffRef(Call % A.rows(), Call % A.rows()) *= 1.001; });
  T.print(nullptr, 0);
}

void pcg(Task &T) {
  const ByRows A = T.byRows(T.A);
  Eigen::ConjugateGradient<ByRows, Eigen::Lower | Eigen::Upper,
                           Eigen::IncompleteCholesky<double, Eigen::Lower, Natural>>
      Solver;
  Solver.compute(A);
  Solver.setMaxIterations(T.Number);
  Solver.setTolerance(0.0);
  Eigen::VectorXd B = T.vector(), X(T.A.Rows);
  T.repeat([&] { X = Solver.solve(B); }, [&](long Call) { B[Call % T.A.Rows] += 0.1; });
  T.print(nullptr, 0);
}

} // namespace

int main(int Argc, char **Argv) {
  const std::string Kernel = Argc > 1 ? Argv[1] : "";
  const std::pair<const char *, void (*)(Task &)> Kernels[] = {
      {"spmv", spmv}, {"sptrsv", sptrsv},     {"symgs", symgs}, {"ic0", ic0}, {"spgemm", spgemm},
      {"spmm", spmm}, {"cholesky", cholesky}, {"lu", lu},       {"pcg", pcg}};
  for (const auto &[Name, Run] : Kernels)
    if (Kernel == Name) {
      Task T{bench::matrixArgument(Argc, Argv, 2), bench::argument(Argc, Argv, 3, 100),
             bench::argument(Argc, Argv, 4, Kernel == "pcg" ? 30 : 256)};
      Run(T);
      return 0;
    }
  std::fprintf(stderr, "error: no kernel '%s'\n", Kernel.c_str());
  return 2;
}
