//===- tests/fuzz/programs/driver.h - calls generated kernels ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A generated program is a table of kernels and, for each, of series of calls. The driver, which is
// compiled by clang alone, fills the memory of a kernel, calls it, and prints a hash over every
// byte that the kernel could reach.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_FUZZ_PROGRAMS_DRIVER_H
#define SPECRT_TESTS_FUZZ_PROGRAMS_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  PITCH = 40,              // of matrices
  ROWS = 36,               // of matrices
  MARGIN = 64,             // elements before the first array that negative subscripts reach
  ELEMENTS = ROWS * PITCH, // of an array
  POOL = 3 * ELEMENTS + 2 * MARGIN,
  INDICES = 256
};

enum element { F32, F64, I8, I16, I32, I64 };

// What an array starts with.
enum values {
  ORDINARY, // of moderate size
  BOUNDED,  // integers below 97
  ANY,      // all bits of integers
  SPECIAL   // floating point with zeros of both signs, infinities, NaNs, denormals
};

// Modes of MXCSR while a series runs.
enum mode { NEAREST, UPWARD, DOWNWARD, TOWARD_ZERO, FLUSH, FLUSH_AND_DENORMALS_ARE_ZERO };

struct call {
  void *pool;         // POOL elements
  const short *place; // of three arrays, from the pool's MARGIN on
  const short *size;  // n, m, p
  const int *index;   // INDICES subscripts below ELEMENTS - MARGIN
  void **rows[3];     // pointers to ROWS rows of each array
};

struct series {
  short place[3];
  short size[2][3]; // calls take turns
  short calls;
  unsigned char values, table, mode;
};

struct kernel {
  const char *name;
  void (*run)(const struct call *);
  enum element element;
  void *globals; // ELEMENTS elements of its own, or null
  const struct series *series;
  int num_series;
};

// Changes MXCSR until the call ends.
void set_mode(int mode);

enum { NOT_FINITE = 4 }; // what drive() returns

// Runs all series of all kernels and prints a line for each series. With FUZZ_DUMP in the
// environment, all values too; with FUZZ_NAN_BITS sign and payload of NaNs count. With FUZZ_FINITE
// it ends with NOT_FINITE after the first series that computed an infinity or a NaN.
int drive(const struct kernel *kernels, int num_kernels);

#ifdef __cplusplus
}
#endif
#endif
