//===- bench/sparse/libraries/librsb.cpp - librsb's products and triangular solves ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: librsb spmv|sptrsv|spmm MATRIX CALLS [COLUMNS]
#include "sparse.h"
#include <cstdio>
#include <cstdlib>
#include <rsb.h>
#include <string>

namespace {

rsb_mtx_t *converted(const bench::Matrix &A, rsb_flags_t Flags) {
  rsb_err_t Error = RSB_ERR_NO_ERROR;
  rsb_mtx_t *Result = rsb_mtx_alloc_from_csr_const(
      A.Value.data(), A.RowStart.data(), A.Column.data(), static_cast<int>(A.Column.size()),
      RSB_NUMERICAL_TYPE_DOUBLE, static_cast<int>(A.Rows), static_cast<int>(A.Rows), 1, 1, Flags,
      &Error);
  if (Result)
    return Result;
  std::fprintf(stderr, "error: librsb cannot convert the matrix\n");
  std::exit(2);
}

} // namespace

int main(int Argc, char **Argv) {
  rsb_lib_init(RSB_NULL_INIT_OPTIONS);
  const std::string Kernel = Argc > 1 ? Argv[1] : "";
  bench::Matrix A = bench::matrixArgument(Argc, Argv, 2);
  const long NumCalls = bench::argument(Argc, Argv, 3, 100);
  const long Columns = Kernel == "spmm" ? bench::argument(Argc, Argv, 4, 256) : 1;
  if (Kernel == "sptrsv")
    A = bench::lowerTriangle(A);
  const long Size = A.Rows * Columns;
  rsb_mtx_t *M = converted(A, Kernel == "sptrsv" ? RSB_FLAG_LOWER_TRIANGULAR : RSB_FLAG_NOFLAGS);
  std::vector<double> X = bench::numbers(Size, 3), Y(Size);
  const double One = 1.0, Zero = 0.0;
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    if (Kernel == "spmv")
      rsb_spmv(RSB_TRANSPOSITION_N, &One, M, X.data(), 1, &Zero, Y.data(), 1);
    else if (Kernel == "sptrsv")
      rsb_spsv(RSB_TRANSPOSITION_N, &One, M, X.data(), 1, Y.data(), 1);
    else
      rsb_spmm(RSB_TRANSPOSITION_N, &One, M, static_cast<int>(Columns),
               RSB_FLAG_WANT_ROW_MAJOR_ORDER, X.data(), static_cast<int>(Columns), &Zero, Y.data(),
               static_cast<int>(Columns));
    Calls.end();
    X[Call % Size] = 0.1 * Y[Call % Size];
  }
  Calls.print(Y, {0, 0});
  rsb_mtx_free(M);
  rsb_lib_exit(RSB_NULL_EXIT_OPTIONS);
}
