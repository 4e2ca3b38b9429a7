/* specrt/structure.h - where dense loops leave zeros, for given zeros of their inputs
 *
 * A function whose loops are affine is propagated through: for sets of elements of its arrays that
 * may be nonzero before it runs, what comes back are the sets that may be nonzero after it.
 *
 *   specrt_structure_request R = {.bitcode = bytes, .bitcode_size = size, .region = "spmm"};
 *   specrt_box band[] = {...};
 *   specrt_array_structure A = {.array = "A", .num_dimensions = 2, .boxes = band, .num_boxes = 3,
 *                               .extent = {1000, 1000}};
 *   R.inputs = &A, R.num_inputs = 1;
 *   const specrt_structures *Found = specrt_propagate(&R);
 *   if (!Found->error)
 *     ... Found->arrays ...
 *   specrt_free_structures(Found);
 *
 * Arrays are called as in the source, where the bitcode says how (`clang -g`), else as in LLVM's
 * intermediate code, else arg1, arg2, ... They are taken to be apart. Numbers that sizes depend on,
 * in the order of the function's arguments or as polynomials of these, are its parameters: what is
 * not given follows from the extents of inputs where it is one of them.
 *
 * What is said is right for values that do not cancel: an element in no box is zero, one in a box
 * may be. 0 / x and 0 * x count as zero also where the program would compute a NaN of them
 * (docs/zeros.md).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_STRUCTURE_H
#define SPECRT_STRUCTURE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SPECRT_STRUCTURE_MAX_DIMENSIONS = 6 };

/* A product of intervals, one per dimension, rows first; both ends are included. Entries beyond an
 * array's dimensions are 0. */
typedef struct specrt_box {
  int32_t first[SPECRT_STRUCTURE_MAX_DIMENSIONS], last[SPECRT_STRUCTURE_MAX_DIMENSIONS];
} specrt_box;

/* The elements of an array that may be nonzero. */
typedef struct specrt_array_structure {
  const char *array;       /* its name */
  uint32_t num_dimensions; /* 1 to SPECRT_STRUCTURE_MAX_DIMENSIONS; 0: one number */
  uint32_t is_everywhere;  /* 1: any element may be nonzero, and there are no boxes */
  uint32_t is_read;        /* of results: by the loops */
  uint32_t is_written;
  uint64_t num_boxes;
  /* In results, boxes do not overlap and are sorted by the first dimension. */
  const specrt_box *boxes;
  /* Elements per dimension. Inputs: the size of the array, 0 to leave it open. Results: in the
   * first dimension, and where no declaration gives a size, as many as the loops access; 0 if
   * unknown. */
  int64_t extent[SPECRT_STRUCTURE_MAX_DIMENSIONS];
} specrt_array_structure;

typedef struct specrt_parameter {
  const char *name;
  int64_t value;
} specrt_parameter;

/* The budget of a request that sets none, in milliseconds. */
#define SPECRT_STRUCTURE_BUDGET_MS 10000u

typedef struct specrt_structure_request {
  const void *bitcode; /* LLVM bitcode, or an object that embeds it */
  uint64_t bitcode_size;
  const char *region;             /* a function, by its name in the object or in the source */
  uint32_t nest;                  /* which of its loop nests, from 0; others are not looked at */
  uint32_t budget_ms;             /* processor time of the compiling process; 0: 10 seconds */
  const specrt_parameter *values; /* [num_values] of parameters */
  /* [num_inputs] Arrays that are not named may be nonzero everywhere. An input of two dimensions
   * may stand for an array of one, with consecutive rows as its extents say. An input of no
   * dimensions without boxes says that the whole array is zero. */
  const specrt_array_structure *inputs;
  uint32_t num_values, num_inputs;
} specrt_structure_request;

typedef struct specrt_structures {
  const char *error; /* null: success. Otherwise one sentence, and nothing else */
  const specrt_array_structure *arrays; /* [num_arrays] that the loops access */
  const specrt_parameter *parameters;   /* [num_parameters] with the values that were used */
  uint32_t num_arrays, num_parameters;
  /* What the loops compute and what follows for zeros, in lines that end with '\n' (docs/zeros.md);
   * one line that says so if that takes too long. */
  const char *equations;
} specrt_structures;

/* Always returns a result, which belongs to the caller until it is given to specrt_free_structures.
 * What the request points to is not kept. Any thread; not from a signal handler, nor while the
 * process exits. A compile server does it (docs/server.md), which the first call may start; where
 * there is none, the result says so. Throws nothing. */
const specrt_structures *specrt_propagate(const specrt_structure_request *request);
void specrt_free_structures(const specrt_structures *structures);

#ifdef __cplusplus
}
#endif
#endif
