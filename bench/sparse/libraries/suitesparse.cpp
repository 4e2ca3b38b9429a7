//===- bench/sparse/libraries/suitesparse.cpp - CHOLMOD's and KLU's factorisations ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: suitesparse simplicial|supernodal|klu MATRIX CALLS
// Only the numeric phase is timed. The order of unknowns is that of the programs of bench/sparse.
#include "sparse.h"
#include <cstdio>
#include <string>
#include <suitesparse/cholmod.h>
#include <suitesparse/klu.h>

namespace {

void cholesky(bench::Matrix A, long NumCalls, int Kind) {
  cholmod_common Common;
  cholmod_start(&Common);
  Common.supernodal = Kind;
  Common.final_ll = 1;
  Common.nmethods = 1;
  Common.method[0].ordering = CHOLMOD_NATURAL;
  Common.postorder = 0;
  // A row of the symmetric matrix's lower triangle is a column of the upper one.
  bench::Matrix Lower = bench::lowerTriangle(A);
  cholmod_sparse View = {};
  View.nrow = View.ncol = Lower.Rows;
  View.nzmax = Lower.Column.size();
  View.p = Lower.RowStart.data();
  View.i = Lower.Column.data();
  View.x = Lower.Value.data();
  View.stype = 1;
  View.itype = CHOLMOD_INT;
  View.xtype = CHOLMOD_REAL;
  View.dtype = CHOLMOD_DOUBLE;
  View.sorted = View.packed = 1;
  cholmod_factor *Factor = cholmod_analyze(&View, &Common);
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    cholmod_factorize(&View, Factor, &Common);
    Calls.end();
    Lower.Value[Lower.RowStart[Call % Lower.Rows + 1] - 1] *= 1.001;
  }
  cholmod_change_factor(CHOLMOD_REAL, 1, 0, 1, 1, Factor, &Common);
  const auto *X = static_cast<const double *>(Factor->x);
  const auto *Start = static_cast<const int *>(Factor->p);
  Calls.print(std::vector<double>(X, X + Start[Factor->n]), {0, 0});
  cholmod_free_factor(&Factor, &Common);
  cholmod_finish(&Common);
}

void klu(const bench::Matrix &A, long NumCalls) {
  bench::Matrix Columns = bench::transposed(A);
  const std::vector<int> Diagonal = bench::diagonals(Columns);
  const int N = static_cast<int>(A.Rows);
  std::vector<int> Same(N);
  for (int I = 0; I < N; ++I)
    Same[I] = I;
  klu_common Common;
  klu_defaults(&Common);
  Common.btf = 0;
  Common.scale = -1;
  klu_symbolic *Symbolic = klu_analyze_given(N, Columns.RowStart.data(), Columns.Column.data(),
                                             Same.data(), Same.data(), &Common);
  klu_numeric *Numeric = klu_factor(Columns.RowStart.data(), Columns.Column.data(),
                                    Columns.Value.data(), Symbolic, &Common);
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    klu_refactor(Columns.RowStart.data(), Columns.Column.data(), Columns.Value.data(), Symbolic,
                 Numeric, &Common);
    Calls.end();
    Columns.Value[Diagonal[Call % N]] *= 1.001;
  }
  Calls.print({}, {0, 0});
  klu_free_numeric(&Numeric, &Common);
  klu_free_symbolic(&Symbolic, &Common);
}

} // namespace

int main(int Argc, char **Argv) {
  const std::string Kind = Argc > 1 ? Argv[1] : "";
  const bench::Matrix A = bench::matrixArgument(Argc, Argv, 2);
  const long NumCalls = bench::argument(Argc, Argv, 3, 100);
  if (Kind == "simplicial")
    cholesky(A, NumCalls, CHOLMOD_SIMPLICIAL);
  else if (Kind == "supernodal")
    cholesky(A, NumCalls, CHOLMOD_SUPERNODAL);
  else if (Kind == "klu")
    klu(A, NumCalls);
  else
    std::fprintf(stderr, "error: no kernel '%s'\n", Kind.c_str());
}
