/* specrt/nest.h - what the compiler knows of the loops of a region.
 *
 * Loops and accesses are those of the code that versions are made of, in its order; loops in
 * preorder. Distances are those of counters that begin with 0 and step by 1. Plain C data, owned by
 * the result that it came with.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_NEST_H
#define SPECRT_NEST_H

#include "specrt/recording.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct specrt_nest_loop {
  specrt_recorded_loop in_code;
  uint64_t trips;    /* at most; 0: unknown */
  uint32_t is_known; /* 1: every dependence in memory that it carries is listed */
  uint32_t reserved;
} specrt_nest_loop;

/* An integer, if it is known. */
typedef struct specrt_nest_number {
  int64_t value;
  uint32_t is_known;
  uint32_t reserved;
} specrt_nest_number;

enum specrt_nest_dependence_kind {
  SPECRT_NEST_FLOW = 0,  /* reads what it wrote */
  SPECRT_NEST_ANTI = 1,  /* writes what it read */
  SPECRT_NEST_OUTPUT = 2 /* writes what it wrote */
};

/* A dependence, through memory, of iterations of one loop on earlier ones. */
typedef struct specrt_nest_dependence {
  uint32_t kind; /* enum specrt_nest_dependence_kind */
  uint32_t from; /* accesses */
  uint32_t to;
  uint32_t depth; /* loops around both: the first of those around `to` */
  uint32_t level; /* which of them carries it, from 0 */
  uint32_t reserved;
  specrt_nest_number least[SPECRT_MAX_RECORDED_DEPTH]; /* [depth] of the distance */
  specrt_nest_number greatest[SPECRT_MAX_RECORDED_DEPTH];
} specrt_nest_dependence;

/* The range of an inner loop in one iteration of the loop around it. */
typedef struct specrt_nest_row {
  int64_t outer, first, last;
} specrt_nest_row;

typedef struct specrt_nest {
  const specrt_nest_loop *loops;
  const specrt_recorded_access *accesses;
  /* [num_accesses * SPECRT_MAX_RECORDED_DEPTH] bytes along each loop around an access */
  const specrt_nest_number *strides;
  const specrt_nest_dependence *dependences;
  const specrt_carried_value *carried;
  const specrt_nest_row *rows; /* the first of a nest of exactly two loops; none: no such nest */
  uint32_t num_loops;          /* 0: nothing is told */
  uint32_t num_accesses;
  uint32_t num_dependences;
  uint32_t num_carried;
  uint32_t num_rows;
  uint32_t inner_loop; /* of the rows */
} specrt_nest;

#ifdef __cplusplus
}
#endif
#endif
