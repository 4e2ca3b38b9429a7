//===- tests/e2e/programs/ten_kernels.cpp - a plug-in with ten regions ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

namespace {

template <int Number>
[[gnu::noinline]] void sweep(long N, const double *X, double *Y, long Rounds) {
  for (long Round = 0; Round < Rounds; ++Round)
    for (long I = 0; I < N; ++I)
      Y[I] = 0.5 * Y[I] + Number * X[I];
}

template <int Number>
[[gnu::noinline]] void product(long N, const double *A, const double *B, double *C) {
  for (long I = 0; I < N; ++I)
    for (long K = 0; K < N; ++K)
      for (long J = 0; J < N; ++J)
        C[I * N + J] += Number * A[I * N + K] * B[K * N + J];
}

} // namespace

/// Calls all of them; \p A, \p B and \p C have N * N elements.
extern "C" __attribute__((visibility("default"))) void
call_kernels(long N, const double *A, const double *B, double *C, long Rounds) {
  sweep<1>(N * N, A, C, Rounds);
  sweep<2>(N * N, B, C, Rounds);
  sweep<3>(N * N, A, C, Rounds);
  sweep<4>(N * N, B, C, Rounds);
  sweep<5>(N * N, A, C, Rounds);
  sweep<6>(N * N, B, C, Rounds);
  sweep<7>(N * N, A, C, Rounds);
  sweep<8>(N * N, B, C, Rounds);
  product<1>(N, A, B, C);
  product<2>(N, A, B, C);
}
