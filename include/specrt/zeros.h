/* specrt/zeros.h - what versions that skip zeros and libspecrt.so tell each other.
 *
 * Where an element of an array is zero, an iteration of some loop may do nothing. A version that
 * knows such a loop asks for a list of the iterations in which the element is not zero, and
 * executes only those, in their order. The list is made from the running call's own array, and kept
 * as long as that stays as it is.
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

/* Which array a walk is about, for reports: what access `access` of the region with this hash of
 * its bitcode accesses. Not 0. */
static inline uint32_t specrt_zeros_array(uint64_t region, uint32_t access) {
  const uint32_t array = (uint32_t)(region ^ region >> 32) * 64u + access + 1u;
  return array ? array : 1u;
}

/* One loop around the elements. */
typedef struct specrt_zeros_loop {
  int64_t step;  /* bytes from one iteration to the next */
  int64_t trips; /* iterations, when all counters around are 0; none when it is not positive */
  /* How many more there are with each of the counters around it, the outermost first. */
  int64_t slope[SPECRT_ZEROS_MAX_LOOPS - 1];
} specrt_zeros_loop;

/* Elements that loops access, the outermost first. The program reads all of them. */
typedef struct specrt_zeros_walk {
  const void *base;
  uint32_t kind; /* enum specrt_zeros_kind */
  uint32_t num_loops;
  /* Of floating point: numbers that are not zero may not be smaller than 2 to this power; 0: they
   * may. */
  int32_t min_exponent;
  uint32_t array; /* specrt_zeros_array; 0: not told */
  specrt_zeros_loop loops[SPECRT_ZEROS_MAX_LOOPS];
} specrt_zeros_walk;

/* The elements that are not zero. The loops around the last one have the same trips always; their
 * iterations are rows, counted in the order of the program. */
typedef struct specrt_zeros_list {
  const uint64_t *starts;    /* [rows + 1] in the other two */
  const uint32_t *positions; /* iterations of the last loop, ascending in each row */
  const void *values;        /* the elements */
} specrt_zeros_list;

/* What an array must be like. */
enum specrt_zeros_demand {
  SPECRT_ZEROS_FINITE = 0,    /* its numbers are finite, and not too small */
  SPECRT_ZEROS_SUMMED_UP = 1, /* none is -0 or a signalling NaN: adding zero leaves them alone */
};

/* What generated code calls them. */
#define SPECRT_ZEROS_BEGIN "specrt_zeros_begin"
#define SPECRT_ZEROS_FIT "specrt_zeros_fit"
#define SPECRT_ZEROS_END "specrt_zeros_end"

/* The list for a nest that begins now; null: none, the nest is to run as it was written. Any
 * thread; keeps errno. In a signal handler none is made, only one that is there is given, if the
 * thread has a signal with a handler blocked: one that was installed with SA_NODEFER and an empty
 * mask is not known as a handler. A list whose nest is left by siglongjmp stays in memory. */
typedef const specrt_zeros_list *specrt_zeros_begin_fn(const specrt_zeros_walk *walk);
/* `list` where the elements meet enum specrt_zeros_demand, otherwise null; null for null. */
typedef const specrt_zeros_list *
specrt_zeros_fit_fn(const specrt_zeros_list *list, const specrt_zeros_walk *walk, uint32_t demand);
/* The nest that was given the list is over. Null: nothing. */
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
