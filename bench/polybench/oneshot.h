//===- bench/polybench/oneshot.h - the data of a program with one call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data have their own file, so that the kernel's loops are the only ones that compilers under
// comparison see.
#ifndef SPECRT_BENCH_POLYBENCH_ONESHOT_H
#define SPECRT_BENCH_POLYBENCH_ONESHOT_H

#include "arrays.h"

/// Makes the kernel's arrays, in the order of its description.
void makeInitialArrays(const long *Sizes, void **Data);
/// Prints one JSON object: "seconds" and "checksum", a hash of all arrays.
void printOutcome(double Seconds, const long *Sizes, void *const *Data);

#endif
