/* tests/jit/rows/pointer_kernels.c - loops over rows that are read through pointers to them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/jit/rows/structures.h"

void pointed_product(int N, const char *Length, int *const *Col, double *const *Val,
                     const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    const double *Values = Val[I];
    const int *Columns = Col[I];
    double Sum = 0;
    for (int K = 0; K < Length[I]; ++K)
      Sum += Values[K] * X[Columns[K]];
    Y[I] = Sum;
  }
}

/* The pointers are read for each entry, because Y may be among them. */
void pointed_sums(int N, const char *Length, int *const *Col, double *const *Val, const double *X,
                  char *Y) {
  for (int I = 0; I < N; ++I)
    for (int K = 0; K < Length[I]; ++K)
      Y[I] += (char)(Val[I][K] * X[Col[I][K]]);
}

void pointed_bytes(int N, const char *Length, int *const *Col, double *const *Val, const double *X,
                   unsigned char *Y) {
  for (int I = 0; I < N; ++I) {
    const double *Values = Val[I];
    const int *Columns = Col[I];
    double Sum = 0;
    for (int K = 0; K < Length[I]; ++K)
      Sum += Values[K] * X[Columns[K]];
    Y[I] = (unsigned char)Sum;
  }
}

/* Rows depend on each other; the diagonal has pointers of its own. */
void pointed_sweep(int N, const char *Length, int *const *Col, double *const *Val,
                   double *const *Diagonal, const double *B, double *X) {
  for (int I = 0; I < N; ++I) {
    const double *Values = Val[I];
    const int *Columns = Col[I];
    const double D = Diagonal[I][0];
    double Sum = B[I];
    for (int K = 0; K < Length[I]; ++K)
      Sum -= Values[K] * X[Columns[K]];
    Sum += X[I] * D;
    X[I] = Sum / D;
  }
}

/* Vectors of vectors of entries: pointers to the first entry and behind the last one. */
void pointed_entries(long N, const struct entries *Rows, const double *X, double *Y) {
  for (long I = 0; I < N; ++I) {
    double Sum = 0;
    for (const struct entry *E = Rows[I].first; E != Rows[I].last; ++E)
      Sum += E->value * X[E->column];
    Y[I] = Sum;
  }
}

/* Rows are written. */
void pointed_scaling(int N, const char *Length, int *const *Col, double *const *Val,
                     const double *X) {
  for (int I = 0; I < N; ++I) {
    double *Values = Val[I];
    const int *Columns = Col[I];
    for (int K = 0; K < Length[I]; ++K)
      Values[K] *= X[Columns[K]];
  }
}

/* Rows are written after others that they read. */
void pointed_updates(int N, const char *Length, int *const *Col, double *const *Val) {
  for (int I = 0; I < N; ++I) {
    double *Values = Val[I];
    const int *Columns = Col[I];
    for (int K = 0; K < Length[I]; ++K)
      if (Columns[K] < I && Length[Columns[K]] > 0)
        Values[K] -= 0.25 * Val[Columns[K]][0];
  }
}

/* Rows say themselves how long they are. */
void pointed_heads(int N, const int *const *Row, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    const int *Of = Row[I];
    double Sum = 0;
    for (int K = 1; K <= Of[0]; ++K)
      Sum += X[Of[K]];
    Y[I] = Sum;
  }
}

/* Dense rows. */
void pointed_dense(int N, int Columns, double *const *Val, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < Columns; ++K)
      Sum += Val[I][K] * X[K];
    Y[I] = Sum;
  }
}

void one_of_two(int N, const char *Choice, const int *Col, const double *Val, const double *Other,
                const double *X, double *Y) {
  for (int I = 0; I < N; ++I)
    Y[I] = (Choice[I] ? Val : Other)[I] * X[Col[I]];
}

/* A matrix behind the pointers of each level. */
void pointed_levels(int Levels, const struct level *Of) {
  for (int L = 0; L < Levels; ++L)
    for (int I = 0; I < Of[L].rows; ++I) {
      double Sum = 0;
      for (int K = Of[L].ptr[I]; K < Of[L].ptr[I + 1]; ++K)
        Sum += Of[L].val[K] * Of[L].x[Of[L].col[K]];
      Of[L].y[I] = Sum;
    }
}

/* What is carried follows from nothing that rows compute. */
void pointed_scale(int N, const int *Ptr, const int *Col, const double *X, double *Y,
                   double *Result) {
  double Scale = 1;
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += X[Col[K]];
    Y[I] = Sum;
    Scale = Scale * 0.75 + 1;
  }
  *Result = Scale;
}
