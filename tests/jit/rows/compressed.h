/* tests/jit/rows/compressed.h - a sparse matrix as a structure
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_TESTS_JIT_ROWS_COMPRESSED_H
#define SPECRT_TESTS_JIT_ROWS_COMPRESSED_H

struct compressed {
  int *Ptr;
  double Room[64]; /* between pointers */
  int *Col;
  double *Val;
};

#endif
