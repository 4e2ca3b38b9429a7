// tests/polyhedral/dataflow/guarded_nests.c - nests for guarded_loops_test.cpp
/* Flags and masks are in A; a value is set if it is positive. C gets the results. */
static double line[4096];

/* One of two writes takes place, so no flag matters. */
void either_side(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++) {
      if (A[i * m + j] > 0) {
        line[j] = A[i * m + j] * 3 + B[j];
        for (long k = 0; k < p; k++)
          line[j] += B[k];
      } else {
        line[j] = 1 / (2 + B[i * m + j] * B[i * m + j]);
      }
    }
    for (long j = 0; j < m; j++)
      C[i * m + j] = line[j] + line[m - 1 - j];
  }
  for (long j = 1; j < m; j++)
    C[j] += C[j - 1] * 0.5 + line[j];
}
/* The flag must hold in all rows. */
void flagged_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    if (A[i] > 0)
      for (long j = 0; j < m; j++)
        line[j] = B[i * m + j] * 3 + 1;
    for (long j = 0; j < m; j++)
      C[i * m + j] = line[j] + line[m - 1 - j];
  }
  for (long j = 1; j < m; j++)
    C[j] += C[j - 1] * 0.5 + line[j];
}
/* Elements are read where they were written, but those of the last row remain. */
void masked_twice(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      if (A[i * m + j] > 0)
        line[j] = B[i * m + j] * 3 + 1;
    for (long j = 0; j < m - 1; j++) {
      C[i * m + j] = B[j];
      if (A[i * m + j] > 0)
        C[i * m + j] += 1 / line[j];
    }
  }
  for (long j = 1; j < m; j++)
    C[j] += C[j - 1] * 0.5 + line[j];
}
/* The last row whose flag is set leaves its values in the array. */
void skipped_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    if (!(A[i] > 0))
      continue;
    for (long j = 0; j < m; j++)
      line[j] = B[i * m + j] * 3 + i;
    for (long j = 0; j < m; j++)
      C[i * m + j] = line[j] + line[m - 1 - j];
  }
  for (long j = 1; j < m; j++)
    C[j] += C[j - 1] * 0.5 + line[j];
}
/* Nothing reads the array behind the loop. */
void masked_stack(long n, long m, long p, double *A, double *B, double *C) {
  double mine[256];
  for (long j = 0; j < m; j++)
    mine[j] = 1;
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      if (A[i * m + j] > 0)
        mine[j] = B[i * m + j] * 3 + 1;
    for (long j = 0; j < m; j++) {
      C[i * m + j] = B[j];
      if (A[i * m + j] > 0)
        C[i * m + j] += 1 / mine[j];
    }
  }
}
/* Two conditions, and elements that are also written without one. */
void two_conditions(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    if (A[i] > 0) {
      if (A[n + i] > 0)
        for (long j = 0; j < m; j++)
          line[j] = B[i * m + j] + 1;
      for (long j = 1; j < m / 2; j++)
        line[j] += line[j - 1] * 0.5;
    }
    for (long j = 0; j < m; j++)
      C[i * m + j] = line[j] * 2;
  }
  for (long j = 1; j < m; j++)
    C[j] += C[j - 1] * 0.5 + line[j];
}
/* A flag for the first half of the line, another one for the second half. */
void two_halves(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    if (A[i] > 0)
      for (long j = 0; j < 8; j++)
        line[j] = B[i * m + j] * 3 + 1;
    if (A[n + i] > 0)
      for (long j = 8; j < 16; j++)
        line[j] = B[i * m + j] * 5 + 1;
    for (long j = 0; j < 16; j++)
      C[i * m + j] = line[j] + line[15 - j];
  }
  for (long j = 1; j < m; j++)
    C[j] += C[j - 1] * 0.5 + line[j];
}
/* Each iteration computes the flag that decides. */
void written_flags(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      A[i * m + j] = B[i * m + j] - 1;
    if (A[i * m + p] > 0)
      for (long j = 0; j < m; j++)
        line[j] = B[i * m + j] * 3 + 1;
    for (long j = 0; j < m; j++)
      C[i * m + j] = line[j] + line[m - 1 - j];
  }
}
/* The same with another flag. */
void read_flags(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      A[i * m + j] = B[i * m + j] - 1;
    if (B[i * m + p] > 0)
      for (long j = 0; j < m; j++)
        line[j] = B[i * m + j] * 3 + 1;
    for (long j = 0; j < m; j++)
      C[i * m + j] = line[j] + line[m - 1 - j];
  }
}
/* A variable that keeps its value unless a flag is set. */
void flagged_variable(long n, long m, long p, double *A, double *B, double *C) {
  double last = B[0];
  for (long i = 0; i < n; i++) {
    if (A[i] > 0)
      last = B[i] * 3 + 1;
    for (long j = 0; j < m; j++)
      C[i * m + j] = last * B[i * m + j] + 1 / (1 + last * last);
  }
  C[0] += last;
}
/* The same without a branch. */
void selected_variable(long n, long m, long p, double *A, double *B, double *C) {
  double last = p;
  for (long i = 0; i < n; i++) {
    last = A[i] > 0 ? A[i] * 3 : last;
    for (long j = 0; j < m; j++)
      C[i * m + j] = last * B[i * m + j] + 1 / (1 + last * last);
  }
  C[0] += last;
}
/* Each row reads what the rows before it have left. */
void kept_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      C[i * m + j] = line[j] + line[m - 1 - j];
    if (A[i] > 0)
      for (long j = 0; j < m; j++)
        line[j] = B[i * m + j] * 3 + 1;
  }
}
/* The loop that reads has a counter of eight bits, which is negative for a signed number. */
void narrow_counter(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    if (A[i] > 0)
      for (long j = 0; j < 200; j++)
        line[j] = B[j] * 3 + i;
    const double *from = line;
    unsigned char left = 200;
    double sum = 0;
    do
      sum += *from++ * left;
    while (--left > 0);
    C[i] = sum;
  }
}
/* Both loops compute the condition. */
void computed_masks(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      if (A[i * m + j] * B[j] + B[m + j] > 0)
        line[j] = B[i * m + j] * 3 + 1;
    for (long j = 0; j < m - 1; j++) {
      C[i * m + j] = B[j];
      if (A[i * m + j] * B[j] + B[m + j] > 0)
        C[i * m + j] += 1 / line[j];
    }
  }
}
/* A variable with two conditions, which selections become. */
void twice_selected(long n, long m, long p, double *A, double *B, double *C) {
  double last = p;
  for (long i = 0; i < n; i++) {
    last = A[i] > 0 ? A[i] * 3 : last;
    last = A[n + i] > 0 ? B[i] : last;
    for (long j = 0; j < m; j++)
      C[i * m + j] = last * B[i * m + j] + 1 / (1 + last * last);
  }
  C[0] += last;
}
/* The second condition reads flags that the iteration has changed. */
void changed_flags(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    if (A[i * m + p] > 0)
      for (long j = 0; j < m; j++)
        line[j] = B[i * m + j] * 3 + 1;
    for (long j = 0; j < m; j++)
      A[i * m + j] = -A[i * m + j];
    if (A[i * m + p] > 0)
      for (long j = 0; j < m; j++)
        C[i * m + j] = line[j];
  }
}
