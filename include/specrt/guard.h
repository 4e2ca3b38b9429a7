/* specrt/guard.h - polynomials and ranges of bytes as data, and how guards travel.
 *
 * A guard is a predicate on one call's actual arguments and memory: the specializer creates guards,
 * the jit makes machine code of them, the runtime evaluates and describes them. They travel as a
 * stream of records without pointers, so that copying and storing them is copying bytes. What kinds
 * there are and what their payloads mean stands in guards/, one file per kind.
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

/* The product of coefficient and the region's integer arguments factors[0 .. num_factors-1]. */
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

/* Sources of an address. */
enum specrt_base_kind {
  SPECRT_BASE_ARGUMENT = 0, /* the pointer argument `index` */
  SPECRT_BASE_SYMBOL = 1,   /* the address of the descriptor's symbol `index` */
  SPECRT_BASE_LOADED = 2,   /* the pointer stored at (argument `index`) + offset */
  /* In guards, not in descriptors. The pointer stored at (symbol `index`) + offset; and the
   * pointers stored at (the pointer stored at (argument or symbol `index`) + the low half of
   * offset) + the high half of offset, each half signed. */
  SPECRT_BASE_SYMBOL_LOADED = 3,
  SPECRT_BASE_LOADED_TWICE = 4,
  SPECRT_BASE_SYMBOL_LOADED_TWICE = 5,
  SPECRT_BASE_ERRNO = 6 /* errno of the calling thread, in DisjointGuard only; `index` is 0 */
};

typedef struct specrt_base {
  uint16_t kind; /* enum specrt_base_kind */
  uint16_t index;
  int32_t offset; /* bytes; 0 where nothing is loaded */
} specrt_base;

/* The bytes [base + begin, base + end). Empty when end <= begin. */
typedef struct specrt_range {
  specrt_base base;
  specrt_polynomial begin;
  specrt_polynomial end;
} specrt_range;

/* The head of a record. The payload of its kind follows; records begin at multiples of 8 bytes and
 * have lengths that are multiples of 8. */
typedef struct specrt_guard {
  uint32_t kind;
  uint32_t bytes; /* of the record, this head included */
} specrt_guard;

/* Consecutive records, in the order in which they must be checked. */
typedef struct specrt_guards {
  const specrt_guard *first;
  uint64_t bytes; /* of all of them; 0: no guards, `first` may be null */
} specrt_guards;

#ifdef __cplusplus
}
#endif
#endif
