// tests/polyhedral/nests.c - nests for polyhedral_test.cpp, which checks the numbers of their lines
void figure2a(int *A, int *B, int N) {
  for (int i = 1; i < N; i++)
    A[i] = 3 * B[i];
}
void figure2b(int *A, int N) {
  for (int i = 1; i < N; i++)
    for (int j = 0; j < N; j++)
      A[j * N + i] += A[j * N + i - 1];
}
void quadratic_bound(double *A, int N) {
  for (int i = 0; i < N * N; i++)
    A[i] = A[i] * 2 + 1;
}
struct bounds {
  int n;
};
void field_bound(struct bounds *s, int *A) {
  for (int i = 0; i < s->n; i++)
    A[i] += i;
}
void affine(double *restrict A, const double *restrict B, long n) {
  for (long i = 0; i < n; i++)
    A[i] = 2 * B[i];
}

// Executed nests: all take (n, m, p, A, B, C).
void product(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < p; k++)
        C[i * m + j] += 1.5 * A[i * p + k] * B[k * m + j];
}
void scaled_product(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      C[i * m + j] *= 0.5;
    for (long k = 0; k < p; k++)
      for (long j = 0; j < m; j++)
        C[i * m + j] += A[i * p + k] * B[k * m + j];
  }
}
void transposed_product(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < p; k++)
      for (long j = 0; j < m; j++)
        C[i * m + j] += A[k * n + i] * B[k * m + j];
}
void triangular_product(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < p; k++)
      for (long j = 0; j <= (i < m ? i : m - 1); j++)
        C[i * m + j] += A[i * p + k] * B[k * m + j];
}
void in_place_seidel(long n, long m, long p, double *A, double *B, double *C) {
  for (long t = 0; t < p; t++)
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < m - 1; j++)
        C[i * m + j] = (C[(i - 1) * m + j] + C[i * m + j - 1] + C[i * m + j] + C[i * m + j + 1] +
                        C[(i + 1) * m + j]) / 5;
}
void stencil(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++)
      C[i * m + j] = 0.25 * (A[(i - 1) * m + j] + A[i * m + j - 1] + A[i * m + j + 1] +
                             A[(i + 1) * m + j]);
}

// Stencils: p steps on n points or n x m points. bench/tiles.cpp measures the jacobi ones.
void jacobi_1d(long n, long m, long p, double *A, double *B, double *C) {
  for (long t = 0; t < p; t++) {
    for (long i = 1; i < n - 1; i++)
      B[i] = 0.33333 * (C[i - 1] + C[i] + C[i + 1]);
    for (long i = 1; i < n - 1; i++)
      C[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
  }
}
void jacobi_2d(long n, long m, long p, double *A, double *B, double *C) {
  for (long t = 0; t < p; t++) {
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < m - 1; j++)
        B[i * m + j] = 0.2 * (C[i * m + j] + C[i * m + j - 1] + C[i * m + j + 1] +
                              C[(i + 1) * m + j] + C[(i - 1) * m + j]);
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < m - 1; j++)
        C[i * m + j] = 0.2 * (B[i * m + j] + B[i * m + j - 1] + B[i * m + j + 1] +
                              B[(i + 1) * m + j] + B[(i - 1) * m + j]);
  }
}
// A step that computes and one that copies back.
void copied_back(long n, long m, long p, double *A, double *B, double *C) {
  for (long t = 0; t < p; t++) {
    for (long i = 2; i < n - 2; i++)
      for (long j = 2; j < m - 2; j++)
        B[i * m + j] = 0.2 * (C[i * m + j] + C[i * m + j - 2] + C[i * m + j + 2] +
                              C[(i + 2) * m + j] + C[(i - 2) * m + j]);
    for (long i = 2; i < n - 2; i++)
      for (long j = 2; j < m - 2; j++)
        C[i * m + j] = B[i * m + j];
  }
}
// Copies that clang makes calls of: each row, and the whole grid at once.
void copied_rows(long n, long m, long p, double *A, double *restrict B, double *restrict C) {
  for (long t = 0; t < p; t++) {
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < m - 1; j++)
        B[i * m + j] = 0.25 * (C[i * m + j - 1] + C[i * m + j + 1] + C[(i + 1) * m + j] +
                               C[(i - 1) * m + j]);
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < m - 1; j++)
        C[i * m + j] = B[i * m + j];
  }
}
void copied_grid(long n, long m, long p, double *A, double *restrict B, double *restrict C) {
  for (long t = 0; t < p; t++) {
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < m - 1; j++)
        B[i * m + j] = 0.25 * (C[i * m + j - 1] + C[i * m + j + 1] + C[(i + 1) * m + j] +
                               C[(i - 1) * m + j]);
    __builtin_memcpy(C, B, n * m * sizeof(double));
  }
}
// Three fields and a source on the border, as in fdtd-2d.
void three_fields(long n, long m, long p, double *A, double *B, double *C) {
  for (long t = 0; t < p; t++) {
    for (long j = 0; j < m; j++)
      B[j] = A[t];
    for (long i = 1; i < n; i++)
      for (long j = 0; j < m; j++)
        B[i * m + j] -= 0.5 * (C[i * m + j] - C[(i - 1) * m + j]);
    for (long i = 0; i < n; i++)
      for (long j = 1; j < m; j++)
        A[i * m + j] -= 0.5 * (C[i * m + j] - C[i * m + j - 1]);
    for (long i = 0; i < n - 1; i++)
      for (long j = 0; j < m - 1; j++)
        C[i * m + j] -= 0.7 * (A[i * m + j + 1] - A[i * m + j] + B[(i + 1) * m + j] - B[i * m + j]);
  }
}
// m x m points in n planes.
void heat_3d(long n, long m, long p, double *A, double *B, double *C) {
  for (long t = 0; t < p; t++) {
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < m - 1; j++)
        for (long k = 1; k < m - 1; k++)
          B[(i * m + j) * m + k] =
              0.1 * (C[(i * m + j) * m + k] + C[((i - 1) * m + j) * m + k] +
                     C[((i + 1) * m + j) * m + k] + C[(i * m + j - 1) * m + k] +
                     C[(i * m + j + 1) * m + k] + C[(i * m + j) * m + k - 1] +
                     C[(i * m + j) * m + k + 1]);
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < m - 1; j++)
        for (long k = 1; k < m - 1; k++)
          C[(i * m + j) * m + k] = B[(i * m + j) * m + k] + 0.5 * B[((i - 1) * m + j) * m + k];
  }
}
// Every point depends on all points of the step before: no tile can span two steps.
void far_neighbours(long n, long m, long p, double *A, double *B, double *C) {
  for (long t = 0; t < p; t++)
    for (long i = 0; i < n; i++)
      for (long j = 0; j < m; j++)
        C[i * m + j] = 0.5 * C[i * m + j] + C[t * m + j];
}

// Filters: what passes from point to point is in variables, rows do not depend on each other.
void row_filter(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; ++i) {
    double input = 0, last = 0, before = 0;
    for (long j = 0; j < m; ++j) {
      A[i * m + j] = 0.25 * B[i * m + j] + 0.5 * input + 1.5 * last - 0.75 * before;
      input = B[i * m + j];
      before = last;
      last = A[i * m + j];
    }
  }
}
/// The vectoriser makes vectors of the value that an iteration hands to the next one.
void neighbours(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; ++i) {
    double last = A[i * m];
    for (long j = 0; j < m - 1; ++j) {
      const double next = A[i * m + j + 1];
      C[i * m + j] = 0.5 * (last + next);
      last = next;
    }
  }
}
void backward_filter(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; ++i) {
    double input = 0, last = 0;
    for (long j = m - 1; j >= 0; --j) {
      A[i * m + j] = 0.25 * input + 0.5 * last;
      input = B[i * m + j];
      last = A[i * m + j];
    }
  }
}
void column_filter(long n, long m, long p, double *A, double *B, double *C) {
  for (long j = 0; j < m; ++j) {
    double last = 0;
    for (long i = 0; i < n; ++i) {
      A[i * m + j] = 0.25 * B[i * m + j] + 0.5 * last;
      last = A[i * m + j];
    }
  }
}
// Columns of matrices that lie in rows.
void columns(long n, long m, long p, double *A, double *B, double *C) {
  for (long j = 0; j < m; ++j)
    for (long i = 0; i < n; ++i) {
      double change = 0.5 * C[j] + 0.25 * B[i * m + j];
      A[i * m + j] += change;
      B[i * m + j] = change;
    }
}
// The next row begins with what the last one ended with: rows depend on each other.
void long_filter(long n, long m, long p, double *A, double *B, double *C) {
  double last = 0;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j) {
      A[i * m + j] = 0.25 * B[i * m + j] + 0.5 * last;
      last = A[i * m + j];
    }
}
// Row k is read while it is written: the loop over columns is split there.
void shortest_paths(long n, long m, long p, double *A, double *B, double *C) {
  long size = n < m ? n : m;
  for (long k = 0; k < size; ++k)
    for (long i = 0; i < size; ++i)
      for (long j = 0; j < size; ++j)
        A[i * m + j] = A[i * m + j] < A[i * m + k] + A[k * m + j] ? A[i * m + j]
                                                                  : A[i * m + k] + A[k * m + j];
}

/* Sums that wait for each other over n steps; p rows of m elements are independent. */
void sums_of_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < p; j++)
      for (long k = 0; k < m; k++)
        C[j * m + k] = 0.5 * C[j * m + k] + A[i];
}
/* The rows below the i-th, fewer from step to step. */
void elimination(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = i + 1; j < n; j++)
      for (long k = 0; k < m; k++)
        C[j * m + k] -= 0.125 * C[i * m + k];
}

/* An index from another array. */
void gathered(long n, long m, long p, double *A, double *restrict B, long *restrict C) {
  for (long i = 0; i < n; i++)
    A[i] = B[C[i]];
}

/* The length of a row lies in memory that a store might change. */
void row_in_memory(long n, long m, long p, long *A, double *B, long *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      A[i * C[1] + j] += 1;
}

/* B is a work array: each row writes it before it reads it. */
void row_buffer(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      B[j] = 2 * A[i * m + j] + 1;
    for (long j = 1; j < m - 1; j++)
      C[i * m + j] += B[j - 1] * B[j + 1];
  }
}
/* The same in two loops, and an element beside it that no row writes. */
void two_row_buffers(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      B[j] = 2 * A[i * m + j] + 1;
    for (long j = 1; j < m; j++)
      C[i * m + j] += B[j - 1];
  }
  for (long i = 0; i < p; i++) {
    for (long j = 0; j < m; j++)
      B[j + 1] = A[i * m + j] - 3;
    for (long j = 1; j < m; j++)
      C[i * m + j] += B[j + 1] * B[j];
  }
}
/* A recurrence in the work array, with independent rows. */
void buffer_recurrence(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    B[0] = A[i * m];
    for (long j = 1; j < m; j++)
      B[j] = 0.5 * B[j - 1] + A[i * m + j];
    for (long j = 0; j < m; j++)
      C[i * m + j] += B[j];
  }
}
/* The first element is that of the program. */
void kept_element(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    for (long j = 1; j < m; j++)
      B[j] = 2 * A[i * m + j] + 1;
    for (long j = 1; j < m; j++)
      C[i * m + j] += B[j - 1];
  }
}
/* The last row writes less than others, so what they wrote is what remains. */
void shrinking_buffer(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m - i; j++)
      B[j] = 2 * A[i * m + j] + 1;
    for (long j = 0; j < m - i; j++)
      C[i * m + j] += B[j];
  }
}
/* What a row leaves in the array the next one reads. */
void passed_buffer(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      C[i * m + j] += B[j];
    for (long j = 0; j < m; j++)
      B[j] = 2 * A[i * m + j] + 1;
  }
}

/* Nothing is used again. */
void scaled_sum(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      C[i * m + j] = 3 * A[i * m + j] + B[i * m + j];
}
/* Steps of a row. */
void scaled_columns(long n, long m, long p, double *A, double *B, double *C) {
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      C[i * m + j] = 3 * A[i * m + j] + 1;
}
/* B is used in each row. */
void row_added_to_all(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      C[i * m + j] = A[i * m + j] + B[j];
}

/* Few elements per row, then many. */
void short_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      B[j] = 2 * A[i * m + j] + 1;
    for (long j = 1; j < m - 1; j++)
      C[i * m + j] += B[j - 1] * B[j + 1];
  }
  for (long i = 0; i < n; i++)
    for (long j = 0; j < p; j++)
      A[i * p + j] += 1;
}
