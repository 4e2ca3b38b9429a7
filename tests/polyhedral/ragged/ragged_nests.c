// tests/polyhedral/ragged/ragged_nests.c - nests over arrays whose rows begin at squares
#define LOWER(i) ((i) * ((i) + 1) / 2)

void lower_times(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k <= i; k++)
      for (long j = 0; j < m; j++)
        C[i * m + j] += A[LOWER(i) + k] * B[k * m + j];
}
void lower_times_int(long n, long m, long p, double *A, double *B, double *C) {
  int N = (int)n, M = (int)m;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      for (int k = 0; k <= i; k++)
        C[i * M + j] += A[LOWER(i) + k] * B[k * M + j];
}
void upper_times(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = i; k < n; k++)
        C[i * m + j] += A[i * n - i * (i - 1) / 2 + (k - i)] * B[k * m + j];
}
void transposed_times(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long k = i; k < n; k++)
      for (long j = 0; j < m; j++)
        C[i * m + j] += A[LOWER(k) + i] * B[k * m + j];
}
void both_halves(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    for (long k = 0; k <= i; k++)
      for (long j = 0; j < m; j++)
        C[i * m + j] += A[LOWER(i) + k] * B[k * m + j];
    for (long k = i + 1; k < n; k++)
      for (long j = 0; j < m; j++)
        C[i * m + j] += A[LOWER(k) + i] * B[k * m + j];
  }
}
void from_the_right(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < m; i++)
    for (long k = 0; k < n; k++)
      for (long j = 0; j <= k; j++)
        C[i * n + j] += B[i * n + k] * A[LOWER(k) + j];
}
void times_vector(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      C[i] += A[LOWER(i) + j] * B[j];
}
void rank_update(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      for (long k = 0; k < m; k++)
        A[LOWER(i) + j] += B[i * m + k] * B[j * m + k];
}
void factorisation(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++) {
      for (long k = 0; k < j; k++)
        A[LOWER(i) + j] -= A[LOWER(i) + k] * A[LOWER(j) + k];
      A[LOWER(i) + j] /= 3.0 + A[LOWER(j) + j] * A[LOWER(j) + j];
    }
}
void solve(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) {
      for (long k = 0; k < i; k++)
        C[i * m + j] -= A[LOWER(i) + k] * C[k * m + j];
      C[i * m + j] /= 2.0 + A[LOWER(i) + i] * A[LOWER(i) + i];
    }
}
void triangle_of_numbers(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 1; i < n; i++)
    for (long j = 1; j < i; j++)
      A[LOWER(i) + j] = 0.5 * A[LOWER(i - 1) + j - 1] + 0.25 * A[LOWER(i - 1) + j] + B[j];
}
void steps_in_a_triangle(long n, long m, long p, double *A, double *B, double *C) {
  for (long t = 0; t < p; t++)
    for (long i = 1; i < n; i++)
      for (long j = 1; j < i; j++)
        A[LOWER(i) + j] = 0.4 * A[LOWER(i) + j] + 0.3 * (A[LOWER(i) + j - 1] + A[LOWER(i - 1) + j]);
}
void squares(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      A[i * i] += B[i * m + j] * C[j];
}
void rows_of_squares(long n, long m, long p, double *A, double *B, double *C) {
  for (long k = 0; k < p; k++)
    for (long i = 0; i < n; i++)
      for (long j = 0; j <= 2 * i; j++)
        A[i * i + j] += B[i * p + k] * C[k * 2 * n + j];
}
void gathered_squares(long n, long m, long p, double *A, double *B, double *C) {
  for (long k = 0; k < p; k++)
    for (long j = 0; j < m; j++)
      for (long i = 0; i < n; i++)
        C[j * n + i] += A[i * i] * B[k * m + j];
}
void running_offset(long n, long m, long p, double *A, double *B, double *C) {
  long at = 0;
  for (long i = 0; i < n; i++) {
    for (long j = 0; j <= i; j++)
      for (long k = 0; k < m; k++)
        C[i * m + k] += A[at + j] * B[j * m + k];
    at += i + 1;
  }
}
void some_of_them(long n, long m, long p, double *A, double *B, double *C) {
  for (long k = 0; k < p; k++)
    for (long i = 0; i < n; i++)
      for (long j = 0; j <= i; j++)
        if (B[j] > 0.1)
          A[LOWER(i) + j] += B[i] * C[k];
}
void backwards(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = n - 1; i >= 0; i--)
    for (long j = i; j >= 0; j--)
      for (long k = 0; k < m; k++)
        C[i * m + k] += A[LOWER(i) + j] * B[j * m + k];
}
void every_other_row(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i += 2)
    for (long j = 0; j <= i; j++)
      for (long k = 0; k < m; k++)
        A[LOWER(i) + j] += B[i * m + k] * C[k * n + j];
}
void next_row(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i + 1 < n; i++)
    for (long j = 0; j <= i; j++)
      A[LOWER(i) + j] += A[LOWER(i) + j + i + 1] * B[j];
}

// Not by rows.
void overlapping_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      A[LOWER(i) + j] = 0.5 * A[LOWER(i) + j] + B[j];
}
void one_too_many(long n, long m, long p, double *A, double *B, double *C) {
  for (long k = 0; k < p; k++)
    for (long i = 0; i < n; i++)
      for (long j = 0; j <= i + 1; j++)
        A[LOWER(i) + j] = 0.5 * A[LOWER(i) + j] + B[j];
}
void two_functions(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < i; j++)
      A[LOWER(i) + j] = 0.5 * A[i * i + j] + B[j];
}
void also_flat(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      A[LOWER(i) + j] += A[j] * B[j];
}
void cubes(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n / 4; i++)
    for (long j = 0; j <= i; j++)
      A[i * i * i / 16 + j] += B[j];
}
void by_turns(long n, long m, long p, double *A, double *B, double *C) {
  double *X = A, *Y = B;
  for (long k = 0; k < p; k++) {
    for (long i = 0; i < n; i++)
      for (long j = 0; j <= i; j++)
        A[LOWER(i) + j] += C[j];
    X[k] += 1;
    double *Z = X;
    X = Y;
    Y = Z;
  }
}
