//===- tests/fuzz/programs/driver.c - calls generated kernels ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver.h"
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REFILL_EVERY = 6 };

static const size_t bytes_of[] = {4, 8, 1, 2, 4, 8};
static uint64_t pool[POOL];
static int with_nan_bits, with_dump, with_finite;

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
  return x ^ (x >> 29);
}

static double special(uint64_t random) {
  static const double choices[] = {0.0,    -0.0,    1.0,   -1.0,       __builtin_inf(),
                                   5e-324, -1e-310, 0.1,   2.225e-308, -__builtin_inf(),
                                   1e308,  -3.0,    1e-45, 0.5,        2.0};
  // A NaN now and then: what it meets is one from then on.
  return random % 61 == 0 ? __builtin_nan("") : choices[random % 15];
}

static double floating(enum values values, uint64_t random) {
  return values == SPECIAL ? special(random) : ((double)(random % 61) - 30) * 0.37;
}

static void fill(void *to, enum element element, size_t count, enum values values, uint64_t seed) {
  for (size_t i = 0; i < count; ++i) {
    uint64_t random = mix(seed + i);
    switch (element) {
    case F32:
      ((float *)to)[i] = (float)floating(values, random);
      continue;
    case F64:
      ((double *)to)[i] = floating(values, random);
      continue;
    default:
      if (values == BOUNDED)
        random = random % 97;
      memcpy((char *)to + i * bytes_of[element], &random, bytes_of[element]);
    }
  }
}

static int is_nan(const void *at, enum element element, size_t i) {
  if (element == F32)
    return ((const float *)at)[i] != ((const float *)at)[i];
  return element == F64 && ((const double *)at)[i] != ((const double *)at)[i];
}

static int is_finite(const void *from, enum element element, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (element == F32 && !__builtin_isfinite(((const float *)from)[i]))
      return 0;
    if (element == F64 && !__builtin_isfinite(((const double *)from)[i]))
      return 0;
  }
  return 1;
}

// What LLVM leaves open, sign and payload of a NaN, does not count.
static uint64_t hash(uint64_t seed, const void *from, enum element element, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    if (is_nan(from, element, i) && !with_nan_bits)
      bits = 0x7ff8000000000000u;
    else
      memcpy(&bits, (const char *)from + i * bytes_of[element], bytes_of[element]);
    seed = (seed ^ bits) * 1099511628211u;
    seed ^= seed >> 32;
  }
  return seed;
}

static void dump(const void *from, enum element element, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    memcpy(&bits, (const char *)from + i * bytes_of[element], bytes_of[element]);
    if (is_nan(from, element, i) && !with_nan_bits)
      printf(" nan");
    else
      printf(" %llx", (unsigned long long)bits);
  }
  printf("\n");
}

// Subscripts for indirect accesses: rows in order, rows permuted, rows that repeat.
static void fill_index(int *index, int table) {
  for (int i = 0; i < INDICES; ++i)
    index[i] = table == 0 ? i * 4 : table == 1 ? (i * 37 % 128) * 8 : (i % 5) * PITCH + i % 3;
}

static void fill_rows(void **rows, char *first, size_t bytes, int table) {
  for (int i = 0; i < ROWS; ++i) {
    int row = table == 0 ? i : table == 1 ? i * 7 % ROWS : i / 2;
    rows[i] = first + (size_t)row * PITCH * bytes;
  }
}

void set_mode(int mode) {
  static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  fesetround(mode <= TOWARD_ZERO ? roundings[mode] : FE_TONEAREST);
  unsigned control = __builtin_ia32_stmxcsr() & ~0x8040u;
  if (mode >= FLUSH)
    control |= mode == FLUSH ? 0x8000u : 0x8040u;
  __builtin_ia32_ldmxcsr(control);
}

static uint64_t run_series(const struct kernel *k, const struct series *s, uint64_t seed) {
  static int index[INDICES];
  static void *rows[3][ROWS];
  uint64_t result = 14695981039346656037u;
  size_t bytes = bytes_of[k->element];
  fill_index(index, s->table);
  for (int a = 0; a < 3; ++a)
    fill_rows(rows[a], (char *)pool + (size_t)(MARGIN + s->place[a]) * bytes, bytes, s->table);
  for (int call = 0; call < s->calls; ++call) {
    if (call % REFILL_EVERY == 0) {
      fill(pool, k->element, POOL, s->values, seed + call * 7919);
      if (k->globals)
        fill(k->globals, k->element, ELEMENTS, s->values, seed + call * 104729);
    }
    struct call c = {pool, s->place, s->size[call % 2], index, {rows[0], rows[1], rows[2]}};
    set_mode(s->mode);
    k->run(&c);
    set_mode(NEAREST);
    if (call % REFILL_EVERY == REFILL_EVERY - 1 || call == s->calls - 1) {
      result = hash(result, pool, k->element, POOL);
      if (k->globals)
        result = hash(result, k->globals, k->element, ELEMENTS);
    }
  }
  return result;
}

// Whether no value was infinite or a NaN, in between or at the end, since the last call. What makes one
// of finite values raises one of the exceptions.
static int stayed_finite(const struct kernel *k) {
  int raised = fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
  feclearexcept(FE_ALL_EXCEPT);
  return !raised && is_finite(pool, k->element, POOL) &&
         (!k->globals || is_finite(k->globals, k->element, ELEMENTS));
}

int drive(const struct kernel *kernels, int num_kernels) {
  with_nan_bits = getenv("FUZZ_NAN_BITS") != NULL;
  with_dump = getenv("FUZZ_DUMP") != NULL;
  with_finite = getenv("FUZZ_FINITE") != NULL;
  for (int i = 0; i < num_kernels; ++i)
    for (int s = 0; s < kernels[i].num_series; ++s) {
      const struct kernel *k = &kernels[i];
      uint64_t result = run_series(k, &k->series[s], (uint64_t)i * 1000003 + s * 101);
      if (with_finite && !stayed_finite(k))
        return NOT_FINITE;
      printf("%s series %d %016llx\n", k->name, s, (unsigned long long)result);
      if (with_dump) {
        dump(pool, k->element, POOL);
        if (k->globals)
          dump(k->globals, k->element, ELEMENTS);
      }
    }
  return 0;
}
