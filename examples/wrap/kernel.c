/* examples/wrap/kernel.c - a plug-in with one numerical kernel, compiled by gcc
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

/* Computes one step of heat flow on a rows x columns plate. The borders do not change. */
void heat_step(double *next, const double *now, int rows, int columns, double conductivity) {
  for (int i = 1; i < rows - 1; ++i)
    for (int j = 1; j < columns - 1; ++j) {
      double here = now[i * columns + j];
      next[i * columns + j] =
          here + conductivity * (now[(i - 1) * columns + j] + now[(i + 1) * columns + j] +
                                 now[i * columns + j - 1] + now[i * columns + j + 1] - 4 * here);
    }
}
