/* specrt/facts.h - what calls of a region have in common, as plain data.
 *
 * The profiler finds facts, the compiler builds versions on them, and guards check them on each
 * call. Plain C data without ownership: copying is assignment, except where there is a pointer.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_FACTS_H
#define SPECRT_FACTS_H

#include "specrt/guard.h"
#include "specrt/rows.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Facts about one argument. */
enum specrt_fact_flags {
  SPECRT_FACT_CONSTANT = 1, /* make it the constant `value` */
  SPECRT_FACT_RANGE = 2,    /* integer: stays within [low, high] */
  SPECRT_FACT_ALIGNED = 4   /* pointer: multiple of `alignment` */
};
typedef struct specrt_fact {
  uint32_t flags;
  uint32_t alignment; /* bytes, a power of two */
  uint64_t value;     /* packed */
  int64_t low, high;
} specrt_fact;

/* A place in memory whose integer decides about bounds, branches or subscripts of a region. */
typedef struct specrt_cell {
  specrt_base base; /* SPECRT_BASE_ARGUMENT or SPECRT_BASE_SYMBOL */
  int32_t begin;    /* bytes from the base */
  uint16_t width;   /* bytes: 1, 2, 4 or 8 */
  uint16_t certain; /* 1: every call reads it */
} specrt_cell;

/* Facts about one place in memory: its value, zero-extended, while the region runs. */
typedef struct specrt_cell_fact {
  specrt_cell cell;
  uint64_t value;
} specrt_cell_fact;

/* Elements first .. first + count - 1 of a sequence: element first + i is value + i*step, modulo
 * 2^64. */
typedef struct specrt_sequence_piece {
  int64_t first, count;
  int64_t value, step;
} specrt_sequence_piece;

/* Observed contents of the memory that one load of a region reads in a call: its elements, counted
 * from the lowest one that was read. A hint: the guards of a version check what it relies on at
 * each call. Pointers are relative to the one in the lowest element, so that the first piece begins
 * with 0, because addresses differ from run to run. The pieces are sorted by `first` and belong to
 * the creator of the fact. */
typedef struct specrt_sequence_fact {
  uint32_t access; /* number of the load (specializer/module/access_numbers.h) */
  uint32_t num_pieces;
  const specrt_sequence_piece *pieces; /* [num_pieces] */
} specrt_sequence_fact;

/* Observed row classes of one row loop of a region (specrt/rows.h). A hint: the version finds out
 * which rows are of which class. */
typedef struct specrt_rows_fact {
  uint32_t loop; /* in the order of specializer/sparse/loops/row_loop.h */
  uint32_t num_classes;
  const specrt_row_class *classes; /* [num_classes] */
  specrt_row_traces traces;        /* of all rows if these are few and unlike; else none */
} specrt_rows_fact;

#ifdef __cplusplus
}
#endif
#endif
