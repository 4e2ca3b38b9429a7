/* tests/jit/rows/linear_kernels.c - loops whose rows follow from two of their class, and others
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <stddef.h>
#include <stdint.h>

#define PRODUCTS(NAME, ROW, START, COLUMN)                                                         \
  void NAME(ROW N, const START *Ptr, const COLUMN *Col, const double *Val, const double *X,        \
            double *Y) {                                                                           \
    for (ROW I = 0; I < N; ++I) {                                                                  \
      double Sum = 0;                                                                              \
      for (START K = Ptr[I]; K < Ptr[I + 1]; ++K)                                                  \
        Sum += Val[K] * X[Col[K]];                                                                 \
      Y[I] = Sum;                                                                                  \
    }                                                                                              \
  }
PRODUCTS(products, int, int, int)
PRODUCTS(products_of_longs, int64_t, int64_t, int64_t)
PRODUCTS(products_of_sizes, size_t, size_t, unsigned)
PRODUCTS(products_of_shorts, unsigned, unsigned, uint16_t)

/* From the last row to the first, and from each row's last entry. */
void products_backwards(int N, const int *Ptr, const int *Col, const double *Val, const double *X,
                        double *Y) {
  for (int I = N - 1; I >= 0; --I) {
    double Sum = 0;
    for (int K = Ptr[I + 1] - 1; K >= Ptr[I]; --K)
      Sum += Val[K] * X[Col[K]];
    Y[I] = Sum;
  }
}

/* Columns may be negative. */
void differences(int N, const int *Ptr, const int *Col, const double *Val, const double *X,
                 double *Y) {
  const double *Middle = X + N / 2;
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * Middle[Col[K]];
    Y[I] = Sum;
  }
}

/* Two entries at a time, and one that is left. */
void pairs(int N, const int *Ptr, const int *Col, const double *Val, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    int K = Ptr[I];
    for (; K + 1 < Ptr[I + 1]; K += 2)
      Sum += Val[K] * X[Col[K]] + Val[K + 1] * X[Col[K + 1]];
    if (K < Ptr[I + 1])
      Sum += Val[K] * X[Col[K]];
    Y[I] = Sum;
  }
}

/* Diagonals count otherwise. */
void diagonals(int N, const int *Ptr, const int *Col, const double *Val, const double *X,
               double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0, Diagonal = 1;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K) {
      if (Col[K] == I)
        Diagonal = Val[K];
      else
        Sum += Val[K] * X[Col[K]];
    }
    Y[I] = Sum / (1 + Diagonal * Diagonal);
  }
}

/* A row ends where columns are above the diagonal. */
void lower_parts(int N, const int *Ptr, const int *Col, const double *Val, const double *X,
                 double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K) {
      if (Col[K] > I)
        break;
      Sum += Val[K] * X[Col[K]];
    }
    Y[I] = Sum;
  }
}

/* Some rows, which a list names. */
void listed_rows(int N, const int *List, const int *Ptr, const int *Col, const double *Val,
                 const double *X, double *Y) {
  for (int T = 0; T < N; ++T) {
    const int I = List[T];
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * X[Col[K]];
    Y[T] = Sum;
  }
}

/* Several columns at a time, and columns that lie apart. */
void wide_products(int N, int M, const int *Ptr, const int *Col, const double *Val, const double *X,
                   double *Y) {
  for (int I = 0; I < N; ++I)
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      for (int J = 0; J < M; ++J)
        Y[(int64_t)I * M + J] += Val[K] * X[(int64_t)Col[K] * M + J];
}

/* Rows are of equal length; where there is no entry is -1. */
void padded(int N, int Width, const int *Col, const double *Val, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < Width; ++K) {
      const int J = Col[(int64_t)I * Width + K];
      if (J >= 0)
        Sum += Val[K] * X[J];
    }
    Y[I] = Sum;
  }
}

/* No inner loop, and cases by a byte. */
void gathered(int N, const signed char *Kind, const int *Col, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    if (Kind[I] < 0)
      Y[I] = 1;
    else
      Y[I] = X[Col[I]] + Kind[I];
  }
}

/* What a row does follows from integers that grow. */
void limited(int N, int Limit, const int *Col, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    if (Col[I] < Limit)
      Y[I] = X[Col[I]];
    else
      Y[I] = X[Col[I] + 1] - 1;
  }
}

/* How many entries a row has follows from integers that grow. */
void sampled(int N, const int *Begin, const int *End, const int *Col, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Begin[I]; K < End[I]; K += 400)
      Sum += X[Col[K]];
    Y[I] = Sum;
  }
}

/* What is written may be where columns are read later. */
void renamed(int N, const int *Col, const int *X, int *Y) {
  for (int I = 0; I < N; ++I)
    Y[I] = X[Col[I]];
}

/* Bytes name places in a table. */
void renumbered(int N, const unsigned char *Kind, const int *Table, const double *X, double *Y) {
  for (int I = 0; I < N; ++I)
    Y[I] = X[Table[Kind[I]]];
}

/* Each row hands on what it has read. */
void neighbours(int N, const int *List, const double *X, double *Y) {
  int Before = List[0];
  for (int I = 0; I < N; ++I) {
    const int After = List[I + 1];
    Y[I] = X[Before] - X[After];
    Before = After;
  }
}

void neighbours_of_bytes(int N, const unsigned char *List, const double *X, double *Y) {
  int64_t Before = List[0];
  for (int I = 0; I < N; ++I) {
    const int64_t After = List[I + 1];
    Y[I] = X[Before] - X[After];
    Before = After;
  }
}

void limited_shorts(int N, uint16_t Limit, const uint16_t *Kind, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    if (Kind[I] < Limit)
      Y[I] = X[Kind[I]];
    else
      Y[I] = X[Kind[I] + 1] - 1;
  }
}

/* Some results go up, others down. */
void sorted_out(int N, const signed char *Kind, const int *Col, const int *X, int *Y, int *Z) {
  for (int I = 0; I < N; ++I) {
    if (Kind[I] < 0)
      Y[I] = X[Col[I]];
    else
      Z[N - I] = X[Col[I]] + 1;
  }
}

/* Not linear: a part of an integer. */
void low_parts(int N, const int *Ptr, const int *Col, const double *Val, const double *X,
               double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * X[Col[K] & 1023];
    Y[I] = Sum;
  }
}

/* Not linear: 32 bits may wrap before they become 64. */
void wrapped(unsigned N, const unsigned *Ptr, const unsigned *Col, const double *Val,
             const double *X, double *Y) {
  for (unsigned I = 0; I < N; ++I) {
    double Sum = 0;
    for (unsigned K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * X[Col[K] + N]; /* columns are so much less, modulo 2^32 */
    Y[I] = Sum;
  }
}

/* Not linear: a product. */
void squared(int N, const int *Ptr, const int *Col, const double *Val, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * X[(int64_t)Col[K] * Col[K] / N];
    Y[I] = Sum;
  }
}

/* Not linear: results lie at two distances. */
void spread(int N, const int *Ptr, const int *Col, const double *Val, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * X[Col[K]];
    Y[I] = Sum;
    Y[2 * (int64_t)I + 1] = -Sum;
  }
}

/* Not linear: nobody knows where a row begins before the one before it is known. */
void lengths(int N, const int *Length, const int *Col, const double *Val, const double *X,
             double *Y) {
  int K = 0;
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int E = K + Length[I]; K < E; ++K)
      Sum += Val[K] * X[Col[K]];
    Y[I] = Sum;
  }
}

/* Not linear: how often the inner loop, which reads nothing that decides, is executed. */
void filled(int N, const int *Ptr, const double *Val, double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K];
    Y[I] = Sum;
  }
}

/* Not linear: there are integers that do not decide, where others do. */
void numbered(int N, const int *Ptr, const int *Col, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = Col[2 * I];
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += X[Col[K]];
    Y[I] = Sum;
  }
}

/* Each entry names its row and its column. */
void entries(long n, const int *row, const int *col, const double *val, const double *x,
             double *y) {
  for (long k = 0; k < n; ++k)
    y[row[k]] += val[k] * x[col[k]];
}

void long_entries(const long *row, const long *last, const long *col, const float *val,
                  const float *x, float *y) {
  for (; row != last; ++row, ++col, ++val)
    y[*row] -= *val * x[*col];
}

/* Each element of a mesh has eight entries: it is a row as it is. */
void elements(long n, const int *row, const int *col, const double *val, const double *x,
              double *y) {
  for (long i = 0; i < n; ++i)
    for (long k = 8 * i; k < 8 * i + 8; ++k)
      y[row[k]] += val[k] * x[col[k]];
}
