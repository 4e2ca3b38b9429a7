/* specrt/fused_rows.h - loops over the same rows, one after the other, of which rows take turns.
 *
 * Where a program takes the rows of a matrix twice, loop after loop, a version with both loops may
 * do rows of the second one as soon as all those of the first one are over that they depend on, so
 * that the matrix is read once. Each loop has its table (specrt/rows.h); a plan cuts both into
 * steps. Which rows depend on which follows from the bytes that they access, which the version's
 * code says for blocks of rows.
 *
 * Stored objects contain these structures: a change is one of SPECRT_VERSION_OBJECT_FORMAT.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_FUSED_ROWS_H
#define SPECRT_FUSED_ROWS_H

#include "specrt/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Walks all rows, reads what decides, and nothing else. Of those from b * block_rows on, as many as
 * a block has, the first byte that they access through base i, where that does not decide, and the
 * byte after the last come to low[b * num_bases + i] and high[b * num_bases + i], unless what is
 * there is less, or more. */
typedef void specrt_rows_reach(const uint64_t *inputs, uint64_t block_rows, uint64_t *low,
                               uint64_t *high);

/* Two row loops in a version; the second one begins whenever the first one is over. */
typedef struct specrt_fused_loops {
  void *state; /* libspecrt.so's, null at first */
  specrt_rows_site *first, *second;
  specrt_rows_reach *first_reach, *second_reach;
  /* If the first loop has fewer rows nobody need ask. UINT64_MAX at first, and while asking is in
   * vain. */
  uint64_t least_rows;
} specrt_fused_loops;

/* Some segments of the tables of both loops, the first loop's first. */
typedef struct specrt_fused_step {
  specrt_rows_table first, second;
} specrt_fused_step;

typedef struct specrt_fused_rows {
  const specrt_fused_step *steps;
  uint64_t num_steps;
} specrt_fused_rows;

/* What the second loop's inputs were read from, after the first loop would have been over. */
typedef struct specrt_fused_read {
  uint64_t address, bytes;
} specrt_fused_read;

/* What generated code calls them. */
#define SPECRT_FUSED_ROWS_BEGIN "specrt_fused_rows_begin"
#define SPECRT_FUSED_ROWS_END "specrt_fused_rows_end"

typedef struct specrt_fused_rows_functions {
  /* The plan for both loops, of which the first one begins now; null: there is none, and nothing
   * has happened. Any thread, signal handlers too; keeps errno. */
  const specrt_fused_rows *(*begin)(specrt_fused_loops *loops, const uint64_t *first_inputs,
                                    uint64_t first_rows, const uint64_t *second_inputs,
                                    uint64_t second_rows, const specrt_fused_read *reads,
                                    uint64_t num_reads);
  /* Both loops that were given the plan are over. */
  void (*end)(specrt_fused_loops *loops, const specrt_fused_rows *plan);
} specrt_fused_rows_functions;

#ifdef __cplusplus
}
#endif
#endif
