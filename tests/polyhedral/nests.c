// Nests for polyhedral_test.cpp. Line numbers are checked there.
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
