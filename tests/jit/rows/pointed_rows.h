/* tests/jit/rows/pointed_rows.h - rows that are read through pointers to them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_TESTS_JIT_ROWS_POINTED_ROWS_H
#define SPECRT_TESTS_JIT_ROWS_POINTED_ROWS_H

struct entry {
  int column;
  double value;
};

/* As vectors have it. */
struct entries {
  const struct entry *first, *last, *room;
};

/* One matrix of several, with its vectors. */
struct level {
  int rows;
  const int *ptr, *col;
  const double *val, *x;
  double *y;
};

#endif
