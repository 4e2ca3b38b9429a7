/* specrt/zeros.h - what versions that skip zeros and libspecrt.so tell each other.
 *
 * If an element of an array is zero, an iteration of some loop may do nothing. A version that has
 * found such a loop asks for a list of the iterations in which the element is not zero, and
 * executes only those, in their order. The list is made from the running call's own array, and is
 * kept as long as the array stays unchanged.
 *
 * Stored objects contain these structures: a change is one of SPECRT_VERSION_OBJECT_FORMAT.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_ZEROS_H
#define SPECRT_ZEROS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SPECRT_ZEROS_MAX_LOOPS = 4 };

enum specrt_zeros_kind {
  SPECRT_ZEROS_INT8 = 0,
  SPECRT_ZEROS_INT16 = 1,
  SPECRT_ZEROS_INT32 = 2,
  SPECRT_ZEROS_INT64 = 3,
  SPECRT_ZEROS_FLOAT = 4,
  SPECRT_ZEROS_DOUBLE = 5
};

/* Identifies the array of a walk in reports: the one that access `access` of the region with this
 * bitcode hash accesses. Not 0. */
static inline uint32_t specrt_zeros_array(uint64_t region, uint32_t access) {
  const uint32_t array = (uint32_t)(region ^ region >> 32) * 64u + access + 1u;
  return array ? array : 1u;
}

/* One loop around the elements. */
typedef struct specrt_zeros_loop {
  int64_t step;  /* bytes from one iteration to the next */
  int64_t trips; /* iterations, when all counters around are 0; none when it is not positive */
  /* Change of trips per step of each loop around this one, the outermost first. */
  int64_t slope[SPECRT_ZEROS_MAX_LOOPS - 1];
} specrt_zeros_loop;

/* The elements that a loop nest accesses, the outermost loop first. The program reads all of
 * them. */
typedef struct specrt_zeros_walk {
  const void *base;
  uint32_t kind; /* enum specrt_zeros_kind */
  uint32_t num_loops;
  /* Floating point: the list requires that no nonzero number is smaller than 2 to this power; 0: no
   * limit. */
  int32_t min_exponent;
  uint32_t array; /* specrt_zeros_array; 0: not told */
  specrt_zeros_loop loops[SPECRT_ZEROS_MAX_LOOPS];
} specrt_zeros_walk;

/* The nonzero elements. The loops around the last one have constant trip counts; their iterations
 * are the rows, counted in the order of the program. */
typedef struct specrt_zeros_list {
  const uint64_t *starts;    /* [rows + 1] in the other two */
  const uint32_t *positions; /* iterations of the last loop, ascending in each row */
  const void *values;        /* the elements */
} specrt_zeros_list;

/* Conditions on the elements of an array. */
enum specrt_zeros_demand {
  SPECRT_ZEROS_FINITE = 0,    /* its numbers are finite, and not too small */
  SPECRT_ZEROS_SUMMED_UP = 1, /* none is -0 or a signalling NaN: adding zero leaves them alone */
};

/* Names of these functions in generated code. */
#define SPECRT_ZEROS_BEGIN "specrt_zeros_begin"
#define SPECRT_ZEROS_FIT "specrt_zeros_fit"
#define SPECRT_ZEROS_END "specrt_zeros_end"

/* Returns the list for a nest that begins now; null if there is none, so that the nest runs as
 * written. Any thread; keeps errno. In a signal handler no list is made; an existing one may be
 * returned. A handler is recognised by a blocked signal that has a handler, so one that was
 * installed with SA_NODEFER and an empty mask is not recognised. A list stays in memory if its nest
 * is left by siglongjmp. */
typedef const specrt_zeros_list *specrt_zeros_begin_fn(const specrt_zeros_walk *walk);
/* Returns `list` if its elements meet an enum specrt_zeros_demand, otherwise null; null for
 * null. */
typedef const specrt_zeros_list *
specrt_zeros_fit_fn(const specrt_zeros_list *list, const specrt_zeros_walk *walk, uint32_t demand);
/* Called when the nest that got the list is done. Does nothing for null. */
typedef void specrt_zeros_end_fn(const specrt_zeros_list *list);

typedef struct specrt_zeros_functions {
  specrt_zeros_begin_fn *begin;
  specrt_zeros_fit_fn *fit;
  specrt_zeros_end_fn *end;
} specrt_zeros_functions;

#ifdef __cplusplus
}
#endif
#endif
