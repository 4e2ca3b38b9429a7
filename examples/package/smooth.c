/*===- examples/package/smooth.c - the loop nest of the package example ----===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "smooth.h"

void smooth(double *next, const double *now, long rows, long columns) {
  for (long i = 1; i < rows - 1; ++i)
    for (long j = 1; j < columns - 1; ++j)
      next[i * columns + j] = 0.25 * (now[(i - 1) * columns + j] + now[(i + 1) * columns + j] +
                                      now[i * columns + j - 1] + now[i * columns + j + 1]);
}
