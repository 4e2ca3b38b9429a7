//===- bench/polybench/arrays.h - a kernel's arrays and their initial values ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main programs share these functions: driver.c, which calls a kernel many times with any
// sizes, and oneshot.c, which calls it once. The arrays are those of the kernel that is linked to
// the program.
#ifndef SPECRT_BENCH_POLYBENCH_ARRAYS_H
#define SPECRT_BENCH_POLYBENCH_ARRAYS_H

#include "kernel.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// One array during a run. Only an array that is no alias owns Data and Pristine.
typedef struct {
  size_t Elements, Bytes; ///< of the array itself
  size_t OwnedBytes;      ///< of the memory, which is longer if an alias extends beyond the array
  char *Data, *Pristine;
} ArrayData;

/// Prints one line on standard error and ends the program with status 2.
void fail(const char *Format, ...);

int numSizes(void);
int numArrays(void);
size_t elementSize(int Array);

/// Never returns a null pointer.
void *allocate(size_t Bytes);

/// Sets Elements, Bytes and OwnedBytes of array number \p Array.
void measureArray(int Array, const long *Sizes, ArrayData *Out);
/// Fills an array with numbers that depend on \p Seed and are the same on every machine.
void fill(const ArrayInfo *Info, const long *Sizes, ArrayData *Array, uint64_t Seed);
void writeArrays(FILE *File, const ArrayData *Arrays);
/// Returns a hash of all bits of all arrays.
uint64_t checksum(const ArrayData *Arrays);

/// Returns the seconds of a monotonic clock.
double now(void);

#endif
