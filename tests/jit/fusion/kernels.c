/* tests/jit/fusion/kernels.c - two loops over the rows of one matrix, one after the other
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

/* What the second loop reads through a pointer, the first one has written. */
void twice(int N, const int *Ptr, const int *Col, const double *Val, const double *X, double *T,
           double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * X[Col[K]];
    T[I] = Sum;
  }
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * T[Col[K]];
    Y[I] = Sum;
  }
}

void twice_descending(int N, const int *Ptr, const int *Col, const double *Val, const double *X,
                      double *T, double *Y) {
  for (int I = N - 1; I >= 0; --I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * X[Col[K]];
    T[I] = Sum;
  }
  for (int I = N - 1; I >= 0; --I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * T[Col[K]];
    Y[I] = Sum;
  }
}

/* Rows of the first loop wait for each other. */
void smooth(int N, const int *Ptr, const int *Col, const double *Val, const double *B, double *X,
            double *R) {
  for (int I = 0; I < N; ++I) {
    double Sum = B[I];
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum -= Val[K] * X[Col[K]];
    X[I] += 0.25 * Sum;
  }
  for (int I = 0; I < N; ++I) {
    double Sum = B[I];
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum -= Val[K] * X[Col[K]];
    R[I] = Sum;
  }
}

/* Rows of the second loop do. */
void transposed(int N, const int *Ptr, const int *Col, const double *Val, const double *P,
                double *Q, double *Z) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * P[Col[K]];
    Q[I] = Sum;
  }
  for (int I = 0; I < N; ++I)
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Z[Col[K]] += Val[K] * P[I];
}

/* The second loop overwrites what rows of the first one read. */
void jacobi(int N, const int *Ptr, const int *Col, const double *Val, const double *B, double *X,
            double *T) {
  for (int I = 0; I < N; ++I) {
    double Sum = B[I];
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum -= Val[K] * X[Col[K]];
    T[I] = 0.25 * Sum;
  }
  for (int I = 0; I < N; ++I) {
    double Sum = B[I];
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum -= Val[K] * T[Col[K]];
    X[I] = 0.25 * Sum;
  }
}

/* The matrix itself is what the first loop writes. */
void scaled(int N, const int *Ptr, const int *Col, const double *Val, const double *X, double *Y,
            double *W) {
  for (int I = 0; I < N; ++I)
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      W[K] = Val[K] * X[I];
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += W[K] * X[Col[K]];
    Y[I] = Sum;
  }
}

/* The first loop writes what decides about the second one's rows. */
void renumbered(int N, const int *Ptr, const int *Col, const double *Val, const double *X, int *Own,
                double *Y) {
  for (int I = 0; I < N; ++I)
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Own[K] = N - 1 - Col[K];
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * X[Own[K]];
    Y[I] = Sum;
  }
}

/* Where the second loop reads is read between the loops, perhaps from what the first one writes. */
void shifted(int N, const int *Ptr, const int *Col, const double *Val, const double *X, double *T,
             double *Y, const double *By) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * X[Col[K]];
    T[I] = Sum;
  }
  const double *From = X + (long)*By;
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * From[Col[K]];
    Y[I] = Sum;
  }
}

/* Where that is read follows from what the first loop writes. */
void chained(int N, const int *Ptr, const int *Col, const double *Val, const double *X, int *Own,
             double *Y, const double *By) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * X[Col[K]];
    Y[N + I] = Sum;
    Own[I] = Ptr[I + 1] - Ptr[I];
  }
  const double *From = X + (long)By[Own[0]];
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * From[Col[K]];
    Y[I] = Sum;
  }
}
