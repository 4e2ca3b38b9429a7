// tests/polyhedral/collapsed/collapsed_nests.c - nests for collapsed_loops_test.cpp
/* Rows of different lengths, the first one empty. */
void lower_triangle(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < i; j++)
      C[i * n + j] = 0.5 * C[i * n + j] + A[i * n + j] * B[j];
}
/* The last rows are empty, and the first counter is negative at first. */
void shrinking_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = -3; i < n - 3; i++)
    for (long j = i; j < m - 3; j++)
      C[(i + 3) * m + (j + 3)] = 0.5 * C[(i + 3) * m + (j + 3)] - A[(i + 3) * m + (j + 3)];
}
/* Few rows of many elements. */
void few_long_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < 3; i++)
    for (long j = 0; j < n * m; j++)
      C[i * n * m + j] = 0.25 * C[i * n * m + j] + A[i * n * m + j];
}
/* Rows of a triangle that begin with what is read from memory. */
void scaled_triangle(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    const double scale = B[i];
    for (long j = 0; j <= i; j++)
      C[i * n + j] = scale * A[i * n + j] + C[i * n + j];
  }
}
/* Planes, rows and columns that depend on each other. */
void tetrahedron(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < p; i++)
    for (long j = 0; j <= i; j++)
      for (long k = 0; k <= j; k++)
        C[(i * p + j) * p + k] += 0.5 * A[(i * p + j) * p + k];
}
/* Two loops with few iterations around a long one. */
void few_planes_and_rows(long n, long m, long p, double *A, double *B, double *C) {
  const long planes = p / 3, rows = p / 4;
  for (long i = 0; i < planes; i++)
    for (long j = 0; j < rows; j++)
      for (long k = 0; k < n; k++)
        C[(i * rows + j) * n + k] = 0.75 * C[(i * rows + j) * n + k] - A[k];
}
/* Each element of a triangle is a sum, whose terms keep their order. */
void triangle_of_sums(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++) {
      double sum = 0;
      for (long k = 0; k < m; k++)
        sum += A[i * m + k] * A[j * m + k];
      C[i * n + j] = sum;
    }
}
/* The integer sum is carried through both loops. */
void counted_triangle(long n, long m, long p, double *A, double *B, double *C) {
  unsigned long count = 3;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < i; j++) {
      C[i * n + j] += A[i * n + j];
      if (A[i * n + j] > 2)
        count += j;
    }
  B[0] = (double)count;
}
/* Each row also counts itself. */
void counted_rows_of_triangle(long n, long m, long p, double *A, double *B, double *C) {
  unsigned long count = 3;
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < i; j++) {
      C[i * n + j] += A[i * n + j];
      if (A[i * n + j] > 2)
        count += j;
    }
    count += i;
  }
  B[0] = (double)count;
}
/* A row writes an element before the loop over the others. */
void triangle_with_diagonal(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    C[i * n + i] = 2 * C[i * n + i] + 1;
    for (long j = 0; j < i; j++)
      C[i * n + j] = 0.5 * C[i * n + j] + A[i * n + j];
  }
}
/* A row reads an element before the loop that changes it. */
void triangle_scaled_by_itself(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    const double scale = C[i * n];
    for (long j = 0; j <= i; j++)
      C[i * n + j] = scale * A[i * n + j] + 1;
  }
}
/* The elements of a row depend on each other. */
void triangle_of_recurrences(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 1; j <= i; j++)
      C[i * n + j] = 0.5 * C[i * n + j - 1] + A[i * n + j];
}
/* All elements of a row write the same one. */
void triangle_onto_diagonal(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < i; j++)
      C[i * n + i] = 0.5 * C[i * n + i] + A[i * n + j];
}
/* Each row has an array of its own, which its elements hand on. */
void triangle_with_line(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    double line[64];
    line[0] = 1;
    for (long j = 1; j <= i; j++) {
      line[j % 64] = 0.5 * line[(j - 1) % 64] + A[i * n + j];
      C[i * n + j] = line[j % 64];
    }
  }
}
/* Counters of 32 bits. */
void triangle_of_ints(long n, long m, long p, double *A, double *B, double *C) {
  for (int i = 0; i < (int)n; i++)
    for (int j = i; j < (int)n; j++)
      C[i * (int)n + j] += 0.5 * A[i * (int)n + j];
}
/* Counters that count down. */
void descending_triangle(long n, long m, long p, double *A, double *B, double *C) {
  for (int i = (int)n - 1; i >= 0; i--)
    for (int j = (int)n - 1; j >= i; j--)
      C[i * (int)n + j] += 0.5 * A[i * (int)n + j];
}
/* The number of columns is rounded. */
void triangle_of_pairs(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < i; j += 2)
      C[i * n + j] += 0.5 * A[i * n + j];
}
/* The elements of a row depend on others, which no register keeps. */
void triangle_of_strides(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 5; j <= i; j++)
      C[i * n + j] = 0.5 * C[i * n + j - 5] + A[i * n + j];
}
/* The same in an array of the row. */
void triangle_of_strides_in_line(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    double line[64];
    for (long j = 0; j < 5; j++)
      line[j] = B[j];
    for (long j = 5; j <= i; j++) {
      line[j] = 0.5 * line[j - 5] + A[i * n + j];
      C[i * n + j] = line[j];
    }
  }
}
/* Each row changes an element that nothing else uses, in front of the others and behind them. */
void triangle_that_counts_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    B[2 * i] = 0.5 * B[2 * i] + 1;
    for (long j = 0; j <= i; j++)
      C[i * n + j] = 0.5 * C[i * n + j] + A[i * n + j];
    B[2 * i + 1] = 0.5 * B[2 * i + 1] - 1;
  }
}
