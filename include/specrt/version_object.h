/* specrt/version_object.h - what a compiled version looks like in a shared object of the cache.
 *
 * The jit links the bodies that it made for one plan, entries that check their guards, and
 * the description below into a small shared object. libspecrt.so loads it with dlopen in a later
 * run, compares the key, fills in the addresses, and publishes a body without any compiler.
 *
 * The object exports one function, SPECRT_VERSION_OBJECT_QUERY, and imports nothing: what its code
 * refers to it reads from tables that the loader fills, from the region's descriptor and from a
 * list of C library functions. The same code and tables run in the process that compiled them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_VERSION_OBJECT_H
#define SPECRT_VERSION_OBJECT_H

#include "specrt/fused_rows.h"
#include "specrt/guard.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPECRT_VERSION_OBJECT_FORMAT 21u
#define SPECRT_VERSION_OBJECT_QUERY "specrt_version_object_query"

enum { SPECRT_VERSION_SHARDS = 16 };

struct specrt_region;

/* Returns whether the guard holds for a call of the region with these packed arguments. */
typedef uint32_t specrt_guard_holds_fn(const specrt_guard *guard,
                                       const struct specrt_region *region, const uint64_t *packed);

/* Counters of a published version, one cache line per shard; a thread picks its shard from its
 * stack address ((frame address >> 16) mod SPECRT_VERSION_SHARDS) so that threads rarely share a
 * line. hits and misses are plain increments (approximate when two threads share a shard). inside
 * is exact: incremented and decremented with sequentially consistent atomics. */
typedef struct specrt_version_shard {
  uint64_t hits;
  uint64_t misses;
  uint64_t inside;
  uint64_t padding[5];
} specrt_version_shard;

/* The mutable part of a published version, never freed while its entry can be reached. The entry
 * code reads `next` when a guard fails and `body` when all hold (null body: a miss). As the masks
 * say, some hits and misses go to `sampler`, the region's thunk, instead, and are counted in
 * `sampled` before: so the thunk can tell calls that an entry has counted from others. Misses are
 * sampled where no later version of the chain could take the call, which lets each version see
 * what it admits. Guards without code of their own are checked by `holds`, with `region`. Aligned
 * to 64 bytes. */
typedef struct specrt_version_state {
  specrt_version_shard shards[SPECRT_VERSION_SHARDS];
  void *body;
  void *next;
  void *sampler;
  uint64_t sample_mask; /* sample when (hits & mask) == mask; ~0: never */
  uint64_t miss_mask;   /* the same for misses; ~0 for all versions but the last of a chain */
  specrt_guard_holds_fn *holds;
  const struct specrt_region *region;
  uint64_t reserved;
  uint64_t sampled; /* an atomic addition each; in a line that no other call reads */
} specrt_version_state;

/* Guards and the code that checks them. Bodies with equal guards share one; as it has one state,
 * one of them can be published from it. */
typedef struct specrt_object_entry {
  specrt_guards guards;
  void *entry;       /* checks the guards; tail-calls state->body; hands the record of abi.h on */
  void *exact_entry; /* the same, and counts calls inside the body exactly */
  specrt_version_state *state;
} specrt_object_entry;

/* One candidate. */
typedef struct specrt_object_body {
  const char *name; /* of the candidate; stable */
  void *body;       /* same signature as the region */
  const specrt_object_entry *entry;
  void **symbols;    /* [region's num_symbols], for the loader to fill; null: refers to none */
  uint32_t parallel; /* 1: uses the parallel-loop entry points */
  uint32_t reserved;
  double compile_ms;
  specrt_sparse_loop *rows; /* the first of its row loops, or null */
} specrt_object_body;

typedef struct specrt_version_object {
  uint32_t format;      /* SPECRT_VERSION_OBJECT_FORMAT */
  uint32_t size;        /* sizeof(specrt_version_object) of the writer */
  uint32_t abi_version; /* SPECRT_ABI_VERSION */
  uint32_t line;        /* of the region in file; 0: unknown */
  const char *key;      /* text that identifies what was compiled, for what, and by what */
  const char *region;   /* the region's name */
  const char *file;     /* "" when unknown */
  const specrt_object_body *bodies;
  const char *const *helper_names; /* functions of the C library and of libspecrt-parallel.so */
  void **helpers;                  /* [num_helpers], for the loader to fill */
  void **symbols; /* [region's num_symbols], for the entries' guards; null: refer to none */
  uint32_t num_bodies;
  uint32_t num_helpers;
  uint32_t num_symbols;
  uint32_t reserved;
} specrt_version_object;

/* SPECRT_VERSION_OBJECT_QUERY. The result is valid until dlclose; never null. */
typedef const specrt_version_object *specrt_version_object_query_fn(void);

#ifdef __cplusplus
}
#endif
#endif
