/* tests/wrap/silent.c - a library that exports nothing and tells the program where its function is
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <math.h>

extern void silent_opened(void *function);
extern void silent_closed(void);

__attribute__((visibility("hidden"))) double decay(double *x, long n) {
  double sum = 0;
  for (long i = 0; i < n; ++i) {
    x[i] = exp(-x[i]);
    sum += x[i];
  }
  return sum;
}

__attribute__((constructor, visibility("hidden"))) void opened(void) {
  silent_opened((void *)decay);
}
__attribute__((destructor, visibility("hidden"))) void closed(void) { silent_closed(); }
