/* specrt/fused_rows.h - loops over the same rows, one after the other, of which rows take turns.
 *
 * Where a program uses the rows of a matrix in two consecutive loops, a version of both loops may
 * run a row of the second one as soon as the rows of the first one that it depends on are done, so
 * that the matrix is read once. Each loop has its table (specrt/rows.h); a plan cuts both tables
 * into steps. The dependences follow from the bytes that the rows access, which the version's code
 * reports for blocks of rows.
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

/* Inspects all rows and reads only data that decides about their accesses. For block b of
 * block_rows rows from b * block_rows on, lowers low[b * num_bases + i] to the first byte, and
 * raises high[b * num_bases + i] to the byte after the last, of the block's accesses through base
 * i, unless data read through that base decides. */
typedef void specrt_rows_footprint(const uint64_t *inputs, uint64_t block_rows, uint64_t *low,
                                   uint64_t *high);

/* Two row loops of a version; the second one begins whenever the first one ends. */
typedef struct specrt_fused_loops {
  void *state; /* libspecrt.so's; null at first */
  specrt_sparse_loop *first, *second;
  specrt_rows_footprint *first_footprint, *second_footprint;
  /* With fewer rows in the first loop, `begin` need not be called. UINT64_MAX at first, and while
   * calls are in vain. */
  uint64_t least_rows;
} specrt_fused_loops;

/* Segments of the tables of both loops; those of the first loop run first. */
typedef struct specrt_fused_step {
  specrt_rows_table first, second;
} specrt_fused_step;

typedef struct specrt_fused_rows {
  const specrt_fused_step *steps;
  uint64_t num_steps;
} specrt_fused_rows;

/* Bytes from which an input of the second loop was read early: in the program, this read comes
 * after the first loop. */
typedef struct specrt_fused_read {
  uint64_t address, bytes;
} specrt_fused_read;

/* Names of these functions in generated code. */
#define SPECRT_FUSED_ROWS_BEGIN "specrt_fused_rows_begin"
#define SPECRT_FUSED_ROWS_END "specrt_fused_rows_end"

typedef struct specrt_fused_rows_functions {
  /* Returns the plan for both loops, of which the first one begins now; null if there is none, and
   * then changes nothing. Any thread, signal handlers too; keeps errno. */
  const specrt_fused_rows *(*begin)(specrt_fused_loops *loops, const uint64_t *first_inputs,
                                    uint64_t first_rows, const uint64_t *second_inputs,
                                    uint64_t second_rows, const specrt_fused_read *reads,
                                    uint64_t num_reads);
  /* Called when both loops of the plan are done. */
  void (*end)(specrt_fused_loops *loops, const specrt_fused_rows *plan);
} specrt_fused_rows_functions;

#ifdef __cplusplus
}
#endif
#endif
