/*===- examples/package/smooth.h - one step of a smoothing filter ----------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SMOOTH_H
#define SMOOTH_H

#ifdef __cplusplus
extern "C" {
#endif

/* Sets next[i][j] to the mean of the four neighbours of now[i][j] for all inner points. Both arrays
 * hold rows x columns values, row by row, and do not overlap. */
void smooth(double *next, const double *now, long rows, long columns);

#ifdef __cplusplus
}
#endif
#endif
