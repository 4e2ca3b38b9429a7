/* bench/recorded_calls.c - a region of about 10 ms that is called a hundred times
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Prints the time of each call in milliseconds. The indices have no order, so that recordings lead
 * to no version.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { Rows = 5000, Columns = 3000, Calls = 100 };

__attribute__((noinline)) static void gather(double *y, const double *x, const int *index, int n,
                                             int m) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      y[j] += x[index[(i * 7 + j) % m]] / (i + 1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

int main(void) {
  static int index[Columns];
  static double x[Columns], y[Columns];
  for (int j = 0; j < Columns; ++j) {
    index[j] = (int)(j * 7919L * j % Columns);
    x[j] = j * 0.5;
  }
  for (int call = 0; call < Calls; ++call) {
    const double begin = now();
    gather(y, x, index, Rows, Columns);
    printf("%.3f\n", now() - begin);
  }
  return y[5] < 0;
}
