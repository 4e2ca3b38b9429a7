/* tests/jit/rows/structures.h - matrices that are structures, and rows behind pointers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_TESTS_JIT_ROWS_STRUCTURES_H
#define SPECRT_TESTS_JIT_ROWS_STRUCTURES_H

struct compressed {
  int *Ptr;
  double Room[64]; /* between pointers */
  int *Col;
  double *Val;
};

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
