//===- bench/polybench/arrays.h - a kernel's arrays and what they start with ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the main programs: driver.c, which calls a kernel many times with sizes of any kind,
// and oneshot.c, which calls it once. All of it belongs to the kernel that the program is linked
// with.
#ifndef SPECRT_BENCH_POLYBENCH_ARRAYS_H
#define SPECRT_BENCH_POLYBENCH_ARRAYS_H

#include "kernel.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// One array during a run. Only an array that is no alias owns Data and Pristine.
typedef struct {
  size_t Elements, Bytes; ///< of the array itself
  size_t OwnedBytes;      ///< of the memory, which may be longer for the sake of an alias
  char *Data, *Pristine;
} ArrayData;

/// Prints one line on standard error and ends the program with status 2.
void fail(const char *Format, ...);

int numSizes(void);
int numArrays(void);
size_t elementSize(int Array);

/// Never returns a null pointer.
void *allocate(size_t Bytes);

/// How large array number \p Array is: sets Elements, Bytes and OwnedBytes.
void measureArray(int Array, const long *Sizes, ArrayData *Out);
/// The same numbers on every machine, other ones for each \p Seed.
void fill(const ArrayInfo *Info, const long *Sizes, ArrayData *Array, uint64_t Seed);
void writeArrays(FILE *File, const ArrayData *Arrays);
/// A hash of all arrays in which every bit counts.
uint64_t checksum(const ArrayData *Arrays);

/// Seconds of a monotonic clock.
double now(void);

#endif
