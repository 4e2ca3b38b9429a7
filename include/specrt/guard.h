/* specrt/guard.h - guards as plain data: predicates on one call's actual arguments and memory.
 *
 * The specializer creates guards, the jit turns them into machine code, the runtime evaluates them
 * for trial calls and explains them in reports. All three read the same structures, so that there
 * is one meaning of a guard. Everything is plain C data without ownership: copying is assignment.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_GUARD_H
#define SPECRT_GUARD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  SPECRT_MAX_FACTORS = 4,
  SPECRT_MAX_TERMS = 8,
  /* A factor's argument is read as unsigned (zero-extended) instead of signed. */
  SPECRT_FACTOR_UNSIGNED = 0x8000,
  /* Value of num_terms of a polynomial that could not be computed. */
  SPECRT_UNKNOWN = 0xffff
};

/* coefficient * product of the region's integer arguments factors[0 .. num_factors-1]. */
typedef struct specrt_term {
  int64_t coefficient;
  uint16_t num_factors;
  uint16_t factors[SPECRT_MAX_FACTORS]; /* argument number, or'ed with SPECRT_FACTOR_UNSIGNED */
} specrt_term;

/* The sum of its terms; zero terms are the constant 0. Evaluated with overflow checks: a value
 * outside int64_t counts as unknown. */
typedef struct specrt_polynomial {
  uint16_t num_terms; /* SPECRT_UNKNOWN: not expressible */
  specrt_term terms[SPECRT_MAX_TERMS];
} specrt_polynomial;

/* Where an address comes from. */
enum specrt_base_kind {
  SPECRT_BASE_ARGUMENT = 0, /* the pointer argument `index` */
  SPECRT_BASE_SYMBOL = 1,   /* the address of the descriptor's symbol `index` */
  SPECRT_BASE_LOADED = 2    /* the pointer stored at (argument `index`) + offset */
};

typedef struct specrt_base {
  uint16_t kind; /* enum specrt_base_kind */
  uint16_t index;
  int32_t offset; /* bytes; SPECRT_BASE_LOADED only */
} specrt_base;

/* The bytes [base + begin, base + end). Empty when end <= begin. */
typedef struct specrt_range {
  specrt_base base;
  specrt_polynomial begin;
  specrt_polynomial end;
} specrt_range;

enum specrt_guard_kind {
  SPECRT_GUARD_EQUAL = 1,      /* packed argument == value (all 64 bits of the packed slot) */
  SPECRT_GUARD_IN_RANGE = 2,   /* low <= signed value of the integer argument <= high */
  SPECRT_GUARD_ALIGNED = 3,    /* address of base is a multiple of value (a power of two) */
  SPECRT_GUARD_DISJOINT = 4,   /* ranges a and b share no byte */
  SPECRT_GUARD_LOAD_EQUAL = 5, /* the `width` bytes at a.base + a.begin, zero-extended, == value */
  /* The calling thread's MXCSR has the bits `value` as at the start of a program, and its x87
   * control word the bits `low` (0: not looked at). */
  SPECRT_GUARD_FP_ENVIRONMENT = 6
};

enum {
  /* MXCSR at the start of a program: rounds to nearest, keeps denormals, masks all exceptions. */
  SPECRT_MXCSR_DEFAULT = 0x1f80,
  SPECRT_MXCSR_CONTROL = 0xffc0,   /* all but the sticky flags and reserved bits */
  SPECRT_MXCSR_DENORMALS = 0x8040, /* flush to zero, denormals are zero */
  SPECRT_X87_DEFAULT = 0x037f,
  SPECRT_X87_CONTROL = 0x0f3f /* rounding, precision, exception masks */
};

typedef struct specrt_guard {
  uint16_t kind;  /* enum specrt_guard_kind */
  uint16_t arg;   /* EQUAL, IN_RANGE: argument number */
  uint16_t width; /* LOAD_EQUAL: 1, 2, 4 or 8 bytes */
  uint16_t reserved;
  uint64_t value;    /* EQUAL, LOAD_EQUAL, ALIGNED, FP_ENVIRONMENT */
  int64_t low, high; /* IN_RANGE; FP_ENVIRONMENT: low */
  specrt_range a, b; /* DISJOINT: both; ALIGNED: a.base; LOAD_EQUAL: a.base and a.begin */
} specrt_guard;

#ifdef __cplusplus
}
#endif
#endif
