/* specrt/recording.h - what an instrumented version of a region writes down.
 *
 * An instrumented version computes what the region computes. In some iterations of its outermost
 * loops, the windows, it also writes down which memory the region accesses, into a buffer of words:
 *
 *   bits 63..48          bits 47..0
 *   SPECRT_LOOP_MARK|l   n           iteration n, from 0, of loop l of the table begins
 *   a                    address     access a of the table; with SPECRT_RECORDED_VALUE one more
 * word follows: the value, sign-extended
 *
 * Its code holds the address of one specrt_recording, so one call runs it, on one thread.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_RECORDING_H
#define SPECRT_RECORDING_H

#include "specrt/rows.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  SPECRT_LOOP_MARK = 0xff00,
  SPECRT_MAX_RECORDED_LOOPS = 64,
  SPECRT_MAX_RECORDED_ACCESSES = 1024,
  SPECRT_MAX_RECORDED_DEPTH = 8,
  SPECRT_RECORDED_ADDRESS_BITS = 48
};

/* What an outermost loop records until its next call of `window`. */
enum specrt_recording_mode {
  SPECRT_RECORD_NOT = 0,
  SPECRT_RECORD_ALL = 1,
  SPECRT_RECORD_OVER = 2 /* nothing is recorded any more; it does not ask again */
};

/* Destination of the words, and callbacks of the code. No callback may allocate, take a lock or
 * change errno: a region may run in a signal handler. */
typedef struct specrt_recording {
  uint64_t *next; /* where the next word goes */
  /* When next >= end at the beginning of an iteration of any loop, the code calls `more`. Behind
   * end there must be room for specrt_instrumented.words words. */
  uint64_t *end;
  /* Called before iteration `iteration` of outermost loop `loop`, which is expected to have `trips`
   * iterations (UINT64_MAX: unknown); first with iteration 0. Sets mode, and returns the later
   * iteration before which it is to be called again, UINT64_MAX for none. */
  uint64_t (*window)(struct specrt_recording *recording, uint32_t loop, uint64_t iteration,
                     uint64_t trips);
  /* Makes room behind next and returns 1; or returns 0, and this call records nothing any more. */
  uint32_t (*more)(struct specrt_recording *recording);
  /* Called before row loop `loop`, which has `rows` rows, begins: inspects them by
   * sparse_loop->inspect. */
  void (*rows)(struct specrt_recording *recording, uint32_t loop,
               const specrt_sparse_loop *sparse_loop, const uint64_t *inputs, uint64_t rows);
  uint32_t mode; /* enum specrt_recording_mode */
  uint32_t reserved;
} specrt_recording;

enum specrt_recorded_flags {
  SPECRT_RECORDED_WRITE = 1,
  SPECRT_RECORDED_VALUE = 2,  /* its value is written down: it decides addresses or branches */
  SPECRT_RECORDED_POINTER = 4 /* the value is a pointer */
};

typedef struct specrt_recorded_loop {
  uint32_t line;  /* 0: unknown */
  uint32_t depth; /* 1: outermost */
} specrt_recorded_loop;

/* Role of a value that one iteration of a loop passes to the next. */
enum specrt_carried_role {
  SPECRT_CARRIED_OTHER = 0,
  SPECRT_CARRIED_COUNTER = 1, /* an affine function of the iteration's number */
  SPECRT_CARRIED_SUM = 2,     /* from here on: could be computed in another order */
  SPECRT_CARRIED_PRODUCT = 3,
  SPECRT_CARRIED_MINIMUM = 4,
  SPECRT_CARRIED_MAXIMUM = 5,
  SPECRT_CARRIED_BITS = 6, /* and, or, exclusive or */
  SPECRT_NUM_CARRIED_ROLES = 7
};

enum { SPECRT_RECORDED_NAME_SIZE = 24 };

/* A value that a loop keeps in a register from iteration to iteration. */
typedef struct specrt_carried_value {
  uint32_t loop;     /* in the table of loops */
  uint32_t role;     /* enum specrt_carried_role */
  uint32_t is_float; /* 1: another order may have another result */
  uint32_t line;     /* where the next one is computed; 0: unknown */
  /* Counters only: the value in iteration n, counted from 0, is first + n * step. step 0: first and
   * step are not constant. */
  int64_t first, step;
  char name[SPECRT_RECORDED_NAME_SIZE]; /* "" when unknown; may be cut off */
} specrt_carried_value;

typedef struct specrt_recorded_access {
  uint32_t number; /* of the load or store in the region, see specrt/facts.h */
  uint32_t flags;  /* enum specrt_recorded_flags */
  uint32_t width;  /* bytes */
  uint32_t line;   /* 0: unknown */
  uint32_t column;
  uint32_t depth;                           /* enclosing loops */
  uint8_t loops[SPECRT_MAX_RECORDED_DEPTH]; /* [depth] in the table, outermost first */
  /* For a store of `load op something`, with op given by role: 1 + the load's index in the table;
   * both access the same address. 0: no such store. */
  uint32_t updates;
  uint32_t role;                         /* enum specrt_carried_role, of an update */
  uint32_t is_float;                     /* of an update */
  char array[SPECRT_RECORDED_NAME_SIZE]; /* what it accesses; "" when unknown; may be cut off */
} specrt_recorded_access;

#ifdef __cplusplus
}
#endif
#endif
