// tests/polyhedral/shared_nests.c - nests for shared_loops_test.cpp
/* The length of each row is read from memory, and rows do not overlap. */
void data_bound_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    const long count = ((const unsigned *)B)[2 * i] % m;
    for (long j = 0; j < count; j++)
      C[i * m + j] = 0.5 * C[i * m + j] + A[i * m + j];
  }
}
/* Some rows overlap with the next one. */
void overlong_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n - 2; i++) {
    const long count = ((const unsigned *)B)[2 * i] % (2 * m);
    for (long j = 0; j < count; j++)
      C[i * m + j] = 0.5 * C[i * m + j] + A[i * m + j];
  }
}
/* The loop carries the sum, and its terms are still in memory after the loop. */
void sum_of_rows(long n, long m, long p, double *A, double *B, double *C) {
  double sum = 1;
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      for (long k = 0; k < 20; k++)
        C[i * m + j] = 0.5 * C[i * m + j] + A[i * m + j];
    for (long j = 0; j < m; j++)
      sum = 0.75 * sum + C[i * m + j];
  }
  B[0] = sum;
}
/* Each iteration overwrites the terms after it has read them. */
void sum_of_old_rows(long n, long m, long p, double *A, double *B, double *C) {
  double sum = 1;
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      sum += C[i * m + j];
    for (long j = 0; j < m; j++)
      for (long k = 0; k < 20; k++)
        C[i * m + j] = 0.5 * C[i * m + j] + A[i * m + j];
  }
  B[0] = sum;
}
/* The integer sum may be computed in any order. */
void counted_rows(long n, long m, long p, double *A, double *B, double *C) {
  unsigned long count = 3;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) {
      C[i * m + j] += A[i * m + j];
      if (A[i * m + j] > 2)
        count += j;
    }
  B[0] = (double)count;
}
/* Iterations access lines along the outermost dimension, which interleave in memory. */
void strided_lines(long n, long m, long p, double *A, double *B, double *C) {
  for (long j = 0; j < m; j++)
    for (long i = 1; i < n; i++)
      for (long k = 0; k < p; k++)
        C[(i * m + j) * p + k] += C[((i - 1) * m + j) * p + k] * A[(i * m + j) * p + k];
}
/* Iterations access the same lines, but each one overlaps with its neighbour. */
void touching_lines(long n, long m, long p, double *A, double *B, double *C) {
  for (long j = 0; j + 1 < m; j++)
    for (long i = 1; i < n; i++)
      for (long k = 0; k <= p; k++)
        C[(i * m + j) * p + k] += C[((i - 1) * m + j) * p + k] * A[(i * m + j) * p + k];
}
/* Each iteration has its own small array. */
void local_array(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    double line[16];
    for (long j = 0; j < 16; j++)
      line[j] = A[i * m + j] + B[j];
    for (long j = 0; j < m; j++)
      C[i * m + j] = line[j % 16] * line[(j + 3) % 16];
  }
}
/* The address of a read depends on the counter of a loop that has ended. */
void searched_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n - 20; i++) {
    long k = i * m + 1;
    while (A[k] < 0.5)
      k++;
    const long further = ((const unsigned *)B)[2 * i] & 1;
    C[i * m] = 0.5 * C[i * m] + C[k + further];
  }
}
/* The address of errno depends on the thread. */
int *__errno_location(void) __attribute__((const));
void errors_of_rows(long n, long m, long p, double *A, double *B, double *C) {
  long sum = 0;
  for (long i = 0; i < n; i++) {
    C[i] += A[i];
    if (A[i] > 0.5)
      sum += *__errno_location();
  }
  B[0] = (double)sum;
}
/* Each iteration stores a float over a double that was read before. */
void narrowed_in_place(long n, long m, long p, double *A, double *B, double *C) {
  float *narrow = (float *)C + 1;
  for (long i = 0; i < n; i++)
    narrow[i] = (float)(0.5 * C[i] + A[i]);
}
/* Two pointers that are exchanged by a condition: in one iteration they differ. */
void exchanged_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i + 1 < n; i++) {
    const int swap = ((const unsigned *)B)[2 * i] & 1;
    double *to = swap ? A : C, *from = swap ? C : A;
    to[i] = 0.5 * from[i + 1];
  }
}
/* An address that is computed in front of the loop is based on an argument of the loop. */
void shifted_rows(long n, long m, long p, double *A, double *B, double *C) {
  double *next = C + 1;
  for (long i = 0; i < n; i++)
    for (long j = 0; j + 1 < m; j++)
      next[i * m + j] = 0.5 * C[i * m + j] + A[i * m + j];
}
/* A switch that decides nothing about addresses. */
void switched_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    const long count = ((const unsigned *)B)[2 * i] % m;
    for (long j = 0; j < count; j++) {
      double x = A[i * m + j];
      switch (((const unsigned *)A)[2 * (i * m + j)] % 7) {
      case 0:
        x = x * 3;
        break;
      case 1:
        x = x - 5;
        break;
      case 2:
        x = x * x;
        break;
      case 3:
        x = 1 - x;
        break;
      case 5:
        x = x + 0.25;
        break;
      default:
        x = 0;
      }
      C[i * m + j] += x;
    }
  }
}
/* Two loops that an inspector has to look at. */
void two_inspected_loops(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    const long count = ((const unsigned *)B)[2 * i] % m;
    for (long j = 0; j < count; j++)
      C[i * m + j] = 0.5 * C[i * m + j] + A[i * m + j];
  }
  for (long i = 0; i < n; i++) {
    const long count = ((const unsigned *)B)[2 * i + 1] % m;
    for (long j = 0; j < count; j++)
      A[i * m + j] = 0.25 * C[i * m + j] - A[i * m + j];
  }
}

/* A line in the style of block-tridiagonal solvers: its coefficients are set at both ends and
   between, and eliminated by short loops of different lengths. */
void eliminated_lines(long n, long m, long p, double *A, double *B, double *C) {
  static double line[64][4];
  for (long i = 0; i < n; i++) {
    for (long k = 0; k < 4; k++)
      line[0][k] = line[m - 1][k] = k + 1;
    for (long j = 1; j < m - 1; j++)
      for (long k = 0; k < 4; k++)
        line[j][k] = A[i * m + j] + k;
    for (long j = 1; j < m; j++)
      for (long k = 0; k < 4; k++) {
        for (long l = k + 1; l < 4; l++)
          line[j][l] -= 0.25 * line[j][k] * line[j - 1][l];
        for (long l = 0; l < 4; l++)
          if (l != k)
            line[j][k] += 0.125 * line[j - 1][l];
      }
    for (long j = 0; j < m; j++)
      C[i * m + j] += line[j][0] * line[j][3];
  }
}
/* The loop ends when the pointer is in front of the array. */
void descending_line(long n, long m, long p, double *A, double *B, double *C) {
  static double line[64];
  for (long i = 0; i < n; i++) {
    for (double *to = line + m - 1; to >= line; to--)
      *to = 0.5 * A[i * m + (to - line)];
    for (long j = 0; j < m; j++)
      C[i * m + j] += line[j] * line[m - 1 - j];
  }
}
/* A condition on data decides whether a row writes an element, which it reads in any case. */
void rarely_written(long n, long m, long p, double *A, double *B, double *C) {
  static double line[64];
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      if (A[i * m + j] > 0.5)
        line[j] = A[i * m + j];
    for (long j = 0; j < m; j++)
      C[i * m + j] += line[j];
  }
  for (long j = 0; j < m; j++)
    line[j] = 0;
}
/* Each row overwrites what it has written first, and some add an element at the end. */
void sometimes_longer(long n, long m, long p, double *A, double *B, double *C) {
  static double line[64];
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      line[j] = 0.5 * A[i * m + j];
    for (long j = 0; j < m; j++)
      C[i * m + j] += line[j];
    if (A[i * m] > 0.5)
      line[m] = A[i * m];
  }
  B[0] = line[m];
}
/* The first element is read before the row writes it. */
void late_first_element(long n, long m, long p, double *A, double *B, double *C) {
  static double line[64];
  for (long i = 0; i < n; i++) {
    C[i * m] += line[0];
    for (long j = 0; j < m; j++)
      line[j] = 0.5 * A[i * m + j];
    for (long j = 1; j < m; j++)
      C[i * m + j] += line[j];
  }
}
/* The address of the work array leaves the loop. */
void published_line(long n, long m, long p, double *A, double *B, double *C) {
  static double line[64];
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < m; j++)
      line[j] = 0.5 * A[i * m + j];
    for (long j = 0; j < m; j++)
      C[i * m + j] += line[j];
    ((double **)B)[i] = &line[i % 2];
  }
  B[0] = *((double **)B)[n - 1];
  for (long i = 1; i < n; i++)
    B[i] = B[i - 1] + (((double **)B)[i] == line);
}
/* The last plane is a multiple of the distance of rows behind the first one. */
void first_and_last_plane(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) {
      C[i * m + j] = 0.5 * A[i * m + j];
      C[(2 * n + i) * m + j] = C[i * m + j] + B[j];
    }
}
/* The last row that it writes is the first one that it reads. */
void meeting_planes(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      C[i * m + j] = 0.5 * C[(n - 1 + i) * m + j];
}
/* A sweep: each element needs its neighbours in the plane, row and column before it. */
void lower_sweep(long n, long m, long p, double *A, double *B, double *C) {
  for (long k = 1; k < n; k++)
    for (long j = 1; j < m; j++)
      for (long i = 1; i < p; i++)
        C[(k * m + j) * p + i] -= 0.25 * (C[((k - 1) * m + j) * p + i] +
                                          C[(k * m + j - 1) * p + i] + C[(k * m + j) * p + i - 1]) +
                                  A[(k * m + j) * p + i];
}
/* The same from the last element to the first one, with the planes prepared by a loop before. */
void upper_sweep(long n, long m, long p, double *A, double *B, double *C) {
  for (long k = n - 2; k >= 0; k--) {
    for (long j = m - 2; j >= 0; j--)
      for (long i = p - 2; i >= 0; i--)
        B[j * p + i] = 0.5 * A[(k * m + j) * p + i] + C[((k + 1) * m + j) * p + i];
    for (long j = m - 2; j >= 0; j--) {
      double line[64];
      for (long i = p - 2; i >= 0; i--)
        line[i] = B[j * p + i] - 0.125 * C[(k * m + j + 1) * p + i];
      for (long i = p - 2; i >= 0; i--)
        C[(k * m + j) * p + i] -= 0.5 * (line[i] + C[(k * m + j) * p + i + 1]);
    }
  }
}
/* The table of a dynamic programme. */
void edit_distances(long n, long m, long p, double *A, double *B, double *C) {
  for (long k = 1; k < n; k++)
    for (long j = 1; j < m; j++) {
      const double both = C[(k - 1) * m + j - 1] + (A[k] > B[j] ? 1 : 0);
      const double one = C[(k - 1) * m + j] + 1, other = C[k * m + j - 1] + 1;
      const double least = one < other ? one : other;
      C[k * m + j] = both < least ? both : least;
    }
}
/* A relaxation in place reads old values to the right and below. */
void relaxed_in_place(long n, long m, long p, double *A, double *B, double *C) {
  for (long k = 1; k < n - 1; k++)
    for (long j = 1; j < m - 1; j++)
      C[k * m + j] = 0.2 * (C[k * m + j] + C[(k - 1) * m + j] + C[(k + 1) * m + j] +
                            C[k * m + j - 1] + C[k * m + j + 1]);
}
/* Each row needs the element to the right in the row before it. */
void read_to_the_right(long n, long m, long p, double *A, double *B, double *C) {
  for (long k = 1; k < n; k++)
    for (long j = 0; j < m - 1; j++)
      C[k * m + j] += 0.5 * C[(k - 1) * m + j + 1] + A[k * m + j];
}
/* The second loop reads what the first one writes further to the right in the same step. */
void second_loop_looks_ahead(long n, long m, long p, double *A, double *B, double *C) {
  for (long k = 0; k < n; k++) {
    for (long j = 0; j < m; j++)
      B[j + 1] = A[k * m + j];
    for (long j = 0; j < m; j++)
      C[k * m + j] += B[j + 2] + B[j];
  }
}
/* All steps change the same row, each element once. */
void accumulated_row(long n, long m, long p, double *A, double *B, double *C) {
  for (long k = 0; k < n; k++)
    for (long j = 0; j < m; j++)
      B[j] = 0.75 * B[j] + A[k * m + j] * C[j];
}
/* Rows are shorter than they are read, so the end of one is the beginning of the next. */
void rows_reach_over(long n, long m, long p, double *A, double *B, double *C) {
  for (long k = 1; k < n; k++)
    for (long j = 0; j < m + 2; j++)
      C[k * m + j] = 0.5 * C[(k - 1) * m + j] + A[j];
}
/* One element is written in each step, and read in all others of the row. */
void pivot_of_row(long n, long m, long p, double *A, double *B, double *C) {
  for (long k = 0; k < n; k++) {
    for (long j = 0; j < m; j++)
      C[k * m + j] += A[k * m + j] * B[0];
    for (long j = 0; j < m; j++)
      B[j] = 0.5 * C[k * m + j];
  }
}
/* Each row has a line of its own, and all use the same memory for it. */
void sweep_with_line(long n, long m, long p, double *A, double *B, double *C) {
  double line[64][2];
  for (long k = n - 2; k >= 0; k--)
    for (long j = m - 2; j >= 0; j--) {
      for (long i = p - 2; i >= 0; i--)
        for (long l = 0; l < 2; l++)
          line[i][l] = A[j * p + i] - (l + 1) * C[((k + 1) * m + j) * p + i];
      for (long i = p - 2; i >= 0; i--) {
        for (long l = 0; l < 2; l++)
          line[i][l] += 0.125 * C[(k * m + j + 1) * p + i] + C[(k * m + j) * p + i + 1];
        line[i][1] -= line[i][0];
        C[(k * m + j) * p + i] -= 0.5 * (line[i][0] - 0.25 * line[i][1]);
      }
    }
}
/* The distance between rows is compared with a sum of seven products. */
void seven_loops_inside(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long a = 0; a < p; a++)
      for (long b = 0; b < p; b++)
        for (long c = 0; c < p; c++)
          for (long d = 0; d < p; d++)
            for (long e = 0; e < p; e++)
              for (long f = 0; f < p; f++)
                for (long g = 0; g < p; g++)
                  C[i * m + a + b + c + d + e + f + g] += B[i];
}
/* A sum of eight products may not fit into 64 bits. */
void eight_loops_inside(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long a = 0; a < p; a++)
      for (long b = 0; b < p; b++)
        for (long c = 0; c < p; c++)
          for (long d = 0; d < p; d++)
            for (long e = 0; e < p; e++)
              for (long f = 0; f < p; f++)
                for (long g = 0; g < p; g++)
                  for (long h = 0; h < p; h++)
                    C[i * m + a + b + c + d + e + f + g + h] += B[i];
}
/* Iterations write elements that ascend, as the cells of one material of a mesh do. */
void ascending_cells(long n, long m, long p, double *A, double *B, double *C) {
  const int *cells = (const int *)B;
  for (long i = 0; i < n * m; i++)
    ((int *)B)[i] = (int)(i + i / 7);
  for (long i = 0; i < n * m; i++) {
    const int cell = cells[i];
    C[cell] = 0.5 * C[cell] + A[cell];
  }
}
/* Each iteration writes two of three elements of a cell, or none. */
void some_parts_of_cells(long n, long m, long p, double *A, double *B, double *C) {
  const int *cells = (const int *)B;
  for (long i = 0; i < n * m / 4; i++)
    ((int *)B)[i] = (int)(i + i / 7);
  for (long i = 0; i < n * m / 4; i++) {
    const int cell = cells[i];
    if (A[i] > 0)
      for (long k = 1; k < 3; k++)
        C[3 * cell + k] += A[3 * cell];
  }
}
/* One of the cells comes twice. */
void repeated_cell(long n, long m, long p, double *A, double *B, double *C) {
  const int *cells = (const int *)B;
  for (long i = 0; i < n * m; i++)
    ((int *)B)[i] = (int)(i - (i > 100));
  for (long i = 0; i < n * m; i++) {
    const int cell = cells[i];
    C[cell] = 0.5 * C[cell] + A[i];
  }
}
/* Each iteration reads what another one may write. */
void neighbours_of_cells(long n, long m, long p, double *A, double *B, double *C) {
  const int *cells = (const int *)B;
  for (long i = 0; i < n * m; i++)
    ((int *)B)[i] = (int)i;
  for (long i = 0; i < n * m - 1; i++)
    C[cells[i]] += C[cells[i + 1]];
}
/* Two arrays are read at the same places, which lie in a third one that is written. */
void gathers_from_written(long n, long m, long p, double *A, double *B, double *C) {
  const int *cells = (const int *)B;
  double *D = C + n * m / 2;
  for (long i = 0; i < n * m; i++)
    ((int *)B)[i] = (int)((i * 7) % (n * m / 2));
  for (long i = 0; i < n * m / 2; i++)
    C[i] = A[cells[i]] + D[cells[i] - (i == 9)];
}
/* The corners of an element have one or three coordinates. */
static double room[4][512];
double *xs = room[0], *ys = room[1], *zs = room[2], *lengths = room[3];
void corners_in_a_line(long n, long m, long p, double *A, double *B, double *C) {
  const unsigned *corners = (const unsigned *)B;
  for (long i = 0; i < n * m; i++)
    lengths[i] = A[i] + xs[corners[2 * i] % 512] - xs[corners[2 * i + 1] % 512];
}
void corners_in_space(long n, long m, long p, double *A, double *B, double *C) {
  const unsigned *corners = (const unsigned *)B;
  for (long i = 0; i < n * m; i++) {
    const unsigned a = corners[2 * i] % 512, b = corners[2 * i + 1] % 512;
    lengths[i] = A[i] + (xs[a] - xs[b]) * (ys[a] - ys[b]) * (zs[a] - zs[b]);
  }
  for (long i = 0; i < n * m; i++)
    C[i] = lengths[i];
}
/* The end of a row is the beginning of the next one, and the first one begins at 3. */
void compressed_rows(long n, long m, long p, double *A, double *B, double *C) {
  unsigned *ends = (unsigned *)B;
  unsigned last = 3;
  for (long i = 0; i < n * m; i++)
    last = ends[i] = last + ((unsigned)i * 7) % 5;
  unsigned begin = 3;
  for (long i = 0; i < n * m / 8; i++) {
    const unsigned end = ends[i];
    double sum = 0;
    for (unsigned k = begin; k < end; k++)
      sum += A[k] * 0.5;
    C[i] = sum;
    begin = end;
  }
}
/* Each iteration overwrites what the next one gets from it. */
void overwritten_ends(long n, long m, long p, double *A, double *B, double *C) {
  double before = 3;
  for (long i = 0; i < n * m; i++) {
    const double now = C[i];
    C[i] = before + A[i];
    before = now;
  }
}
/* Rows behind pointers, of which each iteration writes one and reads three. */
static double *rows_read[64], *rows_written[64];
double **read_rows = rows_read, **written_rows = rows_written;
void stencil_of_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    rows_read[i] = A + i * m;
    rows_written[i] = C + i * m;
  }
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++)
      written_rows[i][j] = read_rows[i - 1][j] + read_rows[i + 1][j] - read_rows[i][j - 1];
}
/* The rows descend. */
void descending_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    rows_written[i] = C + (n - 1 - i) * m;
  for (long i = 1; i < n - 1; i++)
    for (long j = 0; j < m; j++)
      written_rows[i][j] += 0.5 * written_rows[i][0];
}
/* Each iteration writes a double to where the int was that the next one gets from it. */
void widened_ends(long n, long m, long p, double *A, double *B, double *C) {
  int *ends = (int *)C;
  int before = 3;
  for (long i = 0; i < n * m; i++) {
    const int now = ends[2 * i];
    C[i] = before + A[i];
    before = now;
  }
}
