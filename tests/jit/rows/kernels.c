/* tests/jit/rows/kernels.c - loops over rows that integers in memory describe
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tests/jit/rows/structures.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

void csr(int N, const int *Ptr, const int *Col, const double *Val, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * X[Col[K]];
    Y[I] = Sum;
  }
}

void csr_added(int N, double Alpha, const int *Ptr, const int *Col, const double *Val,
               const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = Y[I];
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Alpha * Val[K] * X[Col[K]];
    Y[I] = Sum;
  }
}

void csr_reversed(int N, const int *Ptr, const int *Col, const double *Val, const double *X,
                  double *Y) {
  for (int I = N - 1; I >= 0; --I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * X[Col[K]];
    Y[I] = Sum;
  }
}

void csr_long(int64_t N, const int64_t *Ptr, const int64_t *Col, const double *Val, const double *X,
              double *Y) {
  for (int64_t I = 0; I < N; ++I) {
    double Sum = 0;
    for (int64_t K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * X[Col[K]];
    Y[I] = Sum;
  }
}

void csr_unsigned(unsigned N, const unsigned *Ptr, const unsigned *Col, const double *Val,
                  const double *X, double *Y) {
  for (unsigned I = 0; I < N; ++I) {
    double Sum = 0;
    for (unsigned K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * X[Col[K]];
    Y[I] = Sum;
  }
}

void csr_short(int N, const int *Ptr, const uint16_t *Col, const double *Val, const double *X,
               double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * X[Col[K]];
    Y[I] = Sum;
  }
}

void csr_floats(int N, const int *Ptr, const int *Col, const float *Val, const float *X, float *Y) {
  for (int I = 0; I < N; ++I) {
    float Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * X[Col[K]];
    Y[I] = Sum;
  }
}

/* What is on the diagonal is treated otherwise. */
void off_diagonal(int N, const int *Ptr, const int *Col, const double *Val, const double *X,
                  double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0, Diagonal = 1;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K) {
      if (Col[K] == I)
        Diagonal = Val[K];
      else
        Sum += Val[K] * X[Col[K]];
    }
    Y[I] = (X[I] - Sum) / Diagonal;
  }
}

/* Each row reads what those before it have written. */
void gauss_seidel(int N, const int *Ptr, const int *Col, const double *Val, const double *B,
                  double *X) {
  for (int I = 0; I < N; ++I) {
    double Sum = B[I];
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      if (Col[K] != I)
        Sum -= Val[K] * X[Col[K]];
    X[I] = Sum;
  }
}

/* Loops that differ in what a row notes of itself, and not in where they read. */
#define NOTING(NAME, NOTED)                                                                        \
  void NAME(int N, const int *Ptr, const int *Length, const int *Col, int *Notes, double *X) {     \
    for (int I = 0; I < N; ++I) {                                                                  \
      double Sum = 1;                                                                              \
      const int Start = Ptr[I], Count = Length[I];                                                 \
      int K = 0;                                                                                   \
      do                                                                                           \
        Sum += X[Col[Start + K]];                                                                  \
      while (++K < Count);                                                                         \
      Notes[I] = NOTED;                                                                            \
      X[I] = Sum * 0.03;                                                                           \
    }                                                                                              \
  }
NOTING(noting_starts, Start)
NOTING(noting_sevens, 7)

/* Likewise, from the first row to the last and back. Results stay small. */
void sweeps(int N, const int *Ptr, const int *Col, const double *Val, const double *B, double *X) {
  for (int I = 0; I < N; ++I) {
    double Sum = B[I];
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum -= Val[K] * X[Col[K]];
    X[I] = Sum / (1 + Sum * Sum);
  }
  for (int I = N - 1; I >= 0; --I) {
    double Sum = B[I];
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum -= Val[K] * X[Col[K]];
    X[I] = Sum / (1 + Sum * Sum);
  }
}

void sweep_floats(int N, const int *Ptr, const int *Col, const float *Val, const float *B,
                  float *X) {
  for (int I = 0; I < N; ++I) {
    float Sum = B[I];
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum -= Val[K] * X[Col[K]];
    X[I] = Sum / (1 + Sum * Sum);
  }
}

/* Several unknowns per row. */
void block_sweep(int N, int M, const int *Ptr, const int *Col, const double *Val, const double *B,
                 double *X) {
  for (int I = 0; I < N; ++I) {
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      for (int J = 0; J < M; ++J)
        X[(int64_t)I * M + J] -= Val[K] * X[(int64_t)Col[K] * M + J];
    for (int J = 0; J < M; ++J) {
      double Sum = X[(int64_t)I * M + J] + B[(int64_t)I * M + J];
      X[(int64_t)I * M + J] = Sum / (1 + Sum * Sum);
    }
  }
}

/* A row's numbers become what they and the rows of its columns say. */
void row_updates(int N, const int *Ptr, const int *Col, double *L) {
  for (int I = 0; I < N; ++I)
    for (int P = Ptr[I]; P < Ptr[I + 1]; ++P) {
      const int J = Col[P];
      double Sum = L[P];
      for (int Q = Ptr[J]; Q < Ptr[J + 1]; ++Q)
        Sum -= L[Q];
      L[P] = Sum / (1 + Sum * Sum);
    }
}

/* Rows are done in the order of a list, some twice and others never. */
void listed_sweep(int N, const int *List, const int *Ptr, const int *Col, const double *Val,
                  double *X) {
  for (int T = 0; T < N; ++T) {
    const int I = List[T];
    double Sum = X[I];
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum -= Val[K] * X[Col[K]];
    X[I] = Sum / (1 + Sum * Sum);
  }
}

void spmm(int N, int M, const int *Ptr, const int *Col, const double *Val, const double *X,
          double *Y) {
  for (int I = 0; I < N; ++I) {
    for (int J = 0; J < M; ++J)
      Y[(int64_t)I * M + J] = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      for (int J = 0; J < M; ++J)
        Y[(int64_t)I * M + J] += Val[K] * X[(int64_t)Col[K] * M + J];
  }
}

/* What restrict says holds for one step, not for all of a row's. */
static inline __attribute__((always_inline)) void
follow(double *restrict Next, const double *restrict Before, double More) {
  *Next = *Before * 0.5 + More;
}

void followed(int N, int M, int Lag, const int *Ptr, const int *Col, const double *Val,
              const double *X, double *Y) {
  for (int I = 0; I < N; ++I)
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      for (int J = Lag; J < M; ++J)
        follow(&Y[(int64_t)I * M + J], &Y[(int64_t)I * M + J - Lag],
               Val[K] * X[(int64_t)Col[K] * M + J]);
}

void ell(int N, int Width, const int *Col, const double *Val, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < Width; ++K)
      Sum += Val[I * Width + K] * X[Col[I * Width + K]];
    Y[I] = Sum;
  }
}

void two_products(int N, const int *Ptr, const int *Col, const double *Val, const double *X,
                  double *T, double *Y) {
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
    Y[I] = Sum - X[I];
  }
}

/* Segment S adds to row Row[S]. */
void segments(int NumSegments, const int *Begin, const int *Row, const int *Col, const double *Val,
              const double *X, double *Y) {
  for (int S = 0; S < NumSegments; ++S) {
    double Sum = 0;
    for (int K = Begin[S]; K < Begin[S + 1]; ++K)
      Sum += Val[K] * X[Col[K]];
    Y[Row[S]] += Sum;
  }
}

/* A row's index is what the row has written before. */
void own_index(int N, int *Index, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    Index[I] = N - 1 - I;
    Y[I] = X[Index[I]];
  }
}

/* Next [I] is Begin [I + 1] when both are parts of one array. */
void made_on_the_way(int N, const int *Begin, int *Next, const int *Table, const double *X,
                     double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    const int From = Begin[I];
    for (int K = Table[From]; K < From + 3; ++K)
      Sum += X[K];
    Next[I] = I + 1;
    Y[I] = Sum;
  }
}

/* Two rows are merged. */
void merged(int N, const int *Ptr, const int *Col, const double *Val, double *Y) {
  for (int I = 1; I < N; ++I) {
    double Sum = 0;
    int P = Ptr[I - 1], Q = Ptr[I];
    while (P < Ptr[I] && Q < Ptr[I + 1]) {
      if (Col[P] == Col[Q])
        Sum += Val[P++] * Val[Q++];
      else if (Col[P] < Col[Q])
        ++P;
      else
        ++Q;
    }
    Y[I] = Sum;
  }
}

/* The same with the rows that a row names, where both have a column; and roots. */
void incomplete_cholesky(int N, const int *Ptr, const int *Col, const double *A, double *L) {
  for (int I = 0; I < N; ++I)
    for (int P = Ptr[I]; P < Ptr[I + 1]; ++P) {
      const int J = Col[P], Diagonal = Ptr[J + 1] - 1;
      double Sum = P + 1 == Ptr[I + 1] ? A[P] + 8 : A[P];
      int Q = Ptr[I], R = Ptr[J];
      while (Q < P && R < Diagonal) {
        if (Col[Q] == Col[R])
          Sum -= L[Q++] * L[R++];
        else if (Col[Q] < Col[R])
          ++Q;
        else
          ++R;
      }
      L[P] = P + 1 == Ptr[I + 1] || Diagonal < Ptr[J] ? sqrt(Sum) : Sum / L[Diagonal];
    }
}

/* A row ends where one of the rows that it names leads back to it. */
void searched(int N, const int *Ptr, const int *Col, const double *Val, const double *X,
              double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K) {
      for (int M = Ptr[Col[K]]; M < Ptr[Col[K] + 1]; ++M) {
        if (Col[M] == I && K > Ptr[I])
          goto Found;
        if (Col[M] > I)
          break;
        Sum += Val[M] * X[Col[M]];
      }
      Sum += Val[K];
    }
  Found:
    Y[I] = Sum;
  }
}

void exponentials(int N, const int *Ptr, const int *Col, const double *Val, const double *X,
                  double *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += Val[K] * exp(X[Col[K]]);
    Y[I] = Sum;
  }
}

double summed(int N, const int *Index, const double *X) {
  double Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += X[Index[I]];
  return Sum;
}

/* Where a row has its columns is noted first, and forgotten in the end. */
void incomplete(int N, const int *Ptr, const int *Col, const int *Diagonal, int None, int *Where,
                double *LU) {
  for (int I = 0; I < N; ++I) {
    for (int P = Ptr[I]; P < Ptr[I + 1]; ++P)
      Where[Col[P]] = P;
    for (int P = Ptr[I]; P < Diagonal[I]; ++P) {
      const int K = Col[P];
      LU[P] /= LU[Diagonal[K]];
      for (int Q = Diagonal[K] + 1; Q < Ptr[K + 1]; ++Q)
        if (Where[Col[Q]] >= 0)
          LU[Where[Col[Q]]] -= LU[P] * LU[Q];
    }
    for (int P = Ptr[I]; P < Ptr[I + 1]; ++P)
      Where[Col[P]] = None;
  }
}

/* Sums of a row of a product, of which the pattern is known. */
void sparse_product(int N, const struct compressed A[static 1], const struct compressed C[static 1],
                    double *Sums) {
  for (int I = 0; I < N; ++I) {
    for (int K = A->Ptr[I]; K < A->Ptr[I + 1]; ++K)
      for (int M = A->Ptr[A->Col[K]]; M < A->Ptr[A->Col[K] + 1]; ++M)
        Sums[A->Col[M]] += A->Val[K] * A->Val[M];
    for (int K = C->Ptr[I]; K < C->Ptr[I + 1]; ++K) {
      C->Val[K] = Sums[C->Col[K]];
      Sums[C->Col[K]] = 0;
    }
  }
}

/* A row reads where the one before it says. */
void chained(int N, int First, const int *Next, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    Y[I] = X[First];
    First = Next[I];
  }
}

/* Results of one byte could be in the structure, for all that a compiler knows. */
void rounded_product(int N, const struct compressed A[static 1], const double *X,
                     unsigned char *Y) {
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = A->Ptr[I]; K < A->Ptr[I + 1]; ++K)
      Sum += A->Val[K] * X[A->Col[K]];
    Y[I] = (unsigned char)(int)Sum;
  }
}

/* The structure has the columns of the row before, or of another matrix. */
void moved_view(int N, struct compressed V[static 1], int *const *Rows, const int *Ptr,
                unsigned char *Seen, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    V->Col = Rows[I];
    Seen[I] = 1;
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += X[V->Col[K]];
    Y[I] = Sum;
  }
}

void redirected(int N, const struct compressed V[static 1], int **Slot, int *const *Rows,
                const int *Ptr, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    *Slot = Rows[I];
    double Sum = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Sum += X[V->Col[K]];
    Y[I] = Sum;
  }
}

/* Of equal columns in a row the last one counts. What was noted stays. */
void last_met(int N, const int *Ptr, const int *Col, const double *Val, int *Last, double *Y) {
  for (int I = 0; I < N; ++I) {
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Last[Col[K]] = K;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      Y[Last[Col[K]]] = Val[K];
  }
}

/* The same notes, of two widths. */
void half_noted(int N, const int *Col, char *Notes, double *Y) {
  for (int I = 0; I < N; ++I) {
    *(int *)(Notes + 4 * Col[I]) = I;
    *(short *)(Notes + 4 * Col[I] + 2) = 0;
    Y[*(int *)(Notes + 4 * Col[I])] += 1;
    *(int *)(Notes + 4 * Col[I]) = 0;
  }
}

/* Notes say where notes are. */
void linked_notes(int N, const int *Col, int *Next, double *Y) {
  for (int I = 0; I < N; ++I) {
    Next[Col[I]] = I;
    Y[Next[Next[Col[I]]]] += 1;
    Next[Col[I]] = 0;
  }
}

void first_above(int N, const int *Index, const int *Most, const double *X, double *Y) {
  for (int I = 0; I < N; ++I) {
    if (Index[I] > Most[I])
      break;
    Y[I] = X[Index[I]];
  }
}

/* Rows that begin as copies of others, as a whole. */
void spmm_copied(int N, int M, const int *Ptr, const int *Col, const double *Val, const double *X,
                 const double *B, double *Y) {
  for (int I = 0; I < N; ++I) {
    memcpy(Y + (int64_t)I * M, B + (int64_t)I * M, (size_t)M * sizeof(double));
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      for (int J = 0; J < M; ++J)
        Y[(int64_t)I * M + J] -= Val[K] * X[(int64_t)Col[K] * M + J];
  }
}

/* The row below is written, too: nothing can be put off. */
void spmm_spread(int N, int M, const int *Ptr, const int *Col, const double *Val, const double *X,
                 double *Y) {
  for (int I = 0; I < N; ++I)
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      for (int J = 1; J < M; ++J) {
        Y[(int64_t)I * M + J] += Val[K] * X[(int64_t)Col[K] * M + J];
        Y[(int64_t)I * M + J - 1] += Val[K];
      }
}

/* What changes is summed on the way, and the most of it kept. */
void norms(int N, const int *Ptr, const int *Col, const double *Val, const double *X, double *Y,
           double *Norms) {
  double Sum = Norms[0], Most = 0, Scale = 1;
  int Changed = 0;
  for (int I = 0; I < N; ++I) {
    double New = 0;
    for (int K = Ptr[I]; K < Ptr[I + 1]; ++K)
      New += Val[K] * X[Col[K]];
    const double By = New - Y[I];
    Y[I] = New;
    Sum += By * New;
    Most = By > Most ? By : Most;
    Changed += By > 0 ? 2 : 1;
    Scale = Scale * 0.75 + 1;
  }
  Norms[0] = Sum;
  Norms[1] = Most;
  Norms[2] = Changed + Scale;
}
