/* specrt/abi.h - the contract between instrumented programs and libspecrt.
 *
 * The instrumentation pass puts a stub in front of a loop nest, which stays where it is: the
 * original. The stub loads a pointer from the region's slot; if there is one, it calls it with the
 * nest's live-in values. The call does the nest's work, or asks the stub to let the nest run. The
 * pass also emits the record below, with the slot and a description that libspecrt unpacks.
 * Programs are compiled once and may meet a newer libspecrt, so this file only grows; every change
 * of meaning raises SPECRT_ABI_VERSION, and libspecrt leaves regions of another version on their
 * original code.
 *
 * How a call travels. All that a slot holds is called with the address of the region's record in
 * the register of the static chain (r10 on x86-64), beside the arguments:
 *   stub:   f = load *slot, before all that f does; null: the nest runs
 *           left = f(args...), see specrt_left; if it is not positive, the nest runs
 *   slot:   null; the thunk while libspecrt observes; null again, or the first version's entry
 *   thunk:  a function of libspecrt for calls of all signatures. It counts record.pass_by down to
 *           0, returning SPECRT_UNDONE each time; then it
 *           packs the arguments, target = specrt_enter(region, packed, &call)
 *           null: returns the first word of call, SPECRT_UNDONE or a token
 *           else left = target(args...), specrt_leave(region, &call), returns left
 *   entry:  checks the guards of a version, then returns body(args...) or next(args...)
 *   behind the nest, if the call returned a token: specrt_end_nest(token)
 *
 * How a running call changes over (regions with SPECRT_REGION_POLLS): the nest compares the number
 * of each iteration of its outermost loop, from 0, with the record's poll_at. When they are equal,
 * and before that iteration does anything:
 *   target, token = specrt_poll_nest(args..., iteration), with the record as above;
 *   if target is null, the iteration goes on;
 *   otherwise left = target(args...); with SPECRT_REGION_CONTINUES target = specrt_continue(token)
 *   and, if that is not null, again left = target(args...); then specrt_end_handed_over(token, the
 *   call's own token or SPECRT_UNDONE), and the nest is done.
 *
 * Packed arguments: one uint64_t each; integers zero-extended, floating point as its bits
 * zero-extended, pointers as addresses.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_ABI_H
#define SPECRT_ABI_H

#include "specrt/facts.h"
#include "specrt/guard.h"
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPECRT_ABI_VERSION 6u

/* ELF section that holds one `specrt_record *` per region of an image. Up to version 5 a section
 * "specrt_regions" held pointers to regions. */
#define SPECRT_RECORD_SECTION "specrt_records"

/* ELF section that holds the records of functions, see specrt_function. */
#define SPECRT_FUNCTION_SECTION "specrt_functions"

/* Kinds of arguments and return values. */
enum specrt_kind {
  SPECRT_KIND_VOID = 0,
  SPECRT_KIND_I1 = 1,
  SPECRT_KIND_I8 = 2,
  SPECRT_KIND_I16 = 3,
  SPECRT_KIND_I32 = 4,
  SPECRT_KIND_I64 = 5,
  SPECRT_KIND_F32 = 6,
  SPECRT_KIND_F64 = 7,
  SPECRT_KIND_POINTER = 8
};

/* A global variable or function, possibly static, that the region's bitcode refers to. */
typedef struct specrt_symbol {
  const char *name; /* as declared in the bitcode */
  void *address;
} specrt_symbol;

enum { SPECRT_MAX_CELLS = 8, SPECRT_MAX_ARGUMENTS = 64 };

enum specrt_access_flags { SPECRT_ACCESS_READ = 1, SPECRT_ACCESS_WRITE = 2 };

/* The bytes that the region accesses through one base. Unknown bounds have begin.num_terms or
 * end.num_terms == SPECRT_UNKNOWN. Only for profiles: the bounds assume that index arithmetic does
 * not wrap. */
typedef struct specrt_access {
  specrt_range range;
  uint32_t flags;        /* enum specrt_access_flags */
  uint32_t element_size; /* bytes of the largest single access */
} specrt_access;

typedef struct specrt_loop {
  uint32_t line;                /* 0: unknown */
  uint32_t depth;               /* 1: outermost */
  specrt_polynomial trip_count; /* or SPECRT_UNKNOWN */
} specrt_loop;

enum specrt_region_flags {
  SPECRT_REGION_PACKED = 4, /* tables are packed, see below */
  SPECRT_REGION_POLLS = 8,  /* the original reads poll_at */
  SPECRT_REGION_CALLS = 16, /* calls functions of other files: the packed stream names them first */
  SPECRT_REGION_WORDS = 32, /* the packed stream ends with what people read, see specrt_place */
  /* Beside 64, which specrt/packed_region.h defines: a call that was handed over asks
   * specrt_continue, and its outermost loop can end anywhere. */
  SPECRT_REGION_CONTINUES = 128
};

/* A range of source lines of one function that a region's code comes from. */
typedef struct specrt_place {
  const char *function; /* readable name, without arguments */
  const char *file;     /* "" when unknown */
  uint32_t first_line, last_line;
} specrt_place;

/* The source's name for the number or pointer that is stored at base + begin. */
typedef struct specrt_memory_name {
  specrt_base base;
  int32_t begin;    /* bytes */
  const char *text; /* "this->nx" */
} specrt_memory_name;

/* The bitcode of one file's functions, which their records share. */
typedef struct specrt_function_file {
  uint64_t bitcode_hash[2]; /* XXH3-128 of the bitcode: low, high */
  uint64_t bitcode_size;    /* bytes, which follow */
} specrt_function_file;

/* A function that nests in other files may call, and whose code may then become part of their
 * versions. Records follow each other in their section, with zeroed words between them at most. All
 * pointers are valid until the image's specrt_unregister_functions. Read-only to libspecrt. */
typedef struct specrt_function {
  uint32_t abi_version;
  uint32_t size;    /* bytes of this record with its symbols */
  const char *name; /* in the bitcode; also the symbol that callers refer to */
  void *address;    /* of this very definition, whichever one the name is bound to */
  const specrt_function_file *file;
  uint32_t num_symbols;
  uint32_t num_calls; /* the first symbols: functions of other files again */
} specrt_function;    /* then specrt_symbol[num_symbols], which its code refers to */

/* Code of another file that a region calls. Created by libspecrt; null in programs. */
typedef struct specrt_callee {
  const char *name;                 /* in the region's bitcode, and in its symbol table */
  const char *function;             /* in the callee's own bitcode */
  const specrt_function_file *file; /* with the bitcode behind it */
  /* [num_symbols] names of symbols in the callee's bitcode, and their positions in the region's
   * table. */
  const char *const *symbols;
  const uint32_t *positions;
  uint64_t num_symbols;
} specrt_callee;

struct specrt_region;

/* The part of a region that lies in the program's writable memory: the words that its code reads,
 * and the way to its description. libspecrt writes the first four members. */
typedef struct specrt_record {
  void *slot;                   /* null: the nest runs in place; written with release order */
  struct specrt_region *region; /* libspecrt's; null until registered */
  uint64_t poll_at;  /* the iteration that calls specrt_poll_nest; initially UINT64_MAX: none */
  uint64_t pass_by;  /* number of calls that shall still run unobserved; counted down */
  int64_t constants; /* from here to the description, see specrt/packed_region.h: bytes */
} specrt_record;     /* then void *addresses[num_symbols] */

/* The description of a region, which libspecrt unpacks from its record. The texts and tables lie in
 * the image; all pointers are valid until the image is unregistered.
 *
 * Members that are only needed once a region is hot may be packed, because unpacked they would take
 * several times the space of the code: with SPECRT_REGION_PACKED, the stream of
 * specrt/packed_region.h follows arg_kinds, and arg_names, entry_symbol, pipeline, accesses and
 * loops are null. */
typedef struct specrt_region {
  uint32_t abi_version;
  uint32_t size;        /* bytes */
  const char *name;     /* "function:line" or "function#2" without line; demangled function */
  const char *function; /* mangled name of the enclosing function */
  const char *file;     /* "" when unknown */
  uint32_t line;        /* 0 when unknown */
  uint32_t flags;       /* enum specrt_region_flags */
  uint32_t num_args;
  uint32_t return_kind;          /* enum specrt_kind; I32 in programs, see specrt_left */
  const uint8_t *arg_kinds;      /* [num_args] enum specrt_kind */
  const char *const *arg_names;  /* [num_args] as the source writes them, or "" */
  void *original;                /* null: the nest behind the stub */
  void *thunk;                   /* see above */
  void **slot;                   /* see specrt_record */
  const void *bitcode;           /* module with the region and the callees it can see */
  uint64_t bitcode_size;         /* bytes */
  uint64_t bitcode_hash[2];      /* XXH3-128 of the bitcode: low, high */
  const char *entry_symbol;      /* name of the region's function in the bitcode */
  const char *pipeline;          /* "O1", "O2", "O3", "Os", "Oz" */
  const specrt_symbol *symbols;  /* [num_symbols] */
  const specrt_access *accesses; /* [num_accesses] */
  const specrt_loop *loops;      /* [num_loops], pre-order */
  uint32_t num_symbols;
  uint32_t num_accesses;
  uint32_t num_loops;
  uint32_t num_cells;       /* at most SPECRT_MAX_CELLS */
  const specrt_cell *cells; /* [num_cells], never packed: sampled calls read them */
  void *state;              /* libspecrt's; null until registered */
  uint64_t *poll_at;        /* see specrt_record; null: the nest does not read it */
  uint64_t *pass_by;        /* see specrt_record; null: all calls are observed */
  /* Only in copies that libspecrt made; descriptions in programs end before these members. */
  const specrt_callee *callees; /* [num_callees] */
  uint64_t num_callees;
  /* Only for people; null and 0 unless the compiler knew them (SPECRT_REGION_WORDS). */
  const char *title;          /* "Heat::step:10, inlined into main" */
  const specrt_place *places; /* [num_places] the outermost loop's first, then what it inlined */
  const specrt_memory_name *memory_names; /* [num_memory_names] */
  uint64_t num_places, num_memory_names;
} specrt_region;

/* Size in bytes of a description in a program, which ends before callees. */
#define SPECRT_REGION_BYTES offsetof(specrt_region, callees)

/* Result of a region's code: the number of the exit by which it left the nest, counted from
 * SPECRT_DONE; SPECRT_UNDONE if the nest is to run; or a negative token for specrt_end_nest, which
 * also means that the nest is to run. */
enum specrt_left { SPECRT_UNDONE = 0, SPECRT_DONE = 1 };

/* Scratch memory of one observed call, on the thunk's stack; its contents belong to libspecrt. If
 * specrt_enter returns null, the first word is the thunk's result. */
typedef struct specrt_call {
  uint64_t words[8];
} specrt_call;

/* Called from a constructor and a destructor of each instrumented image, with the image's part of
 * the section above. Thread-safe. Unregistering waits until libspecrt no longer reads the image. */
void specrt_register_records(specrt_record **begin, specrt_record **end);
void specrt_unregister_records(specrt_record **begin, specrt_record **end);

/* Register and unregister regions that already have descriptions. Images of ABI versions before 6
 * call these functions. */
void specrt_register(specrt_region **begin, specrt_region **end);
void specrt_unregister(specrt_region **begin, specrt_region **end);

/* Register and unregister the image's functions, before its regions are registered and after they
 * are unregistered. */
void specrt_register_functions(const specrt_function *begin, const specrt_function *end);
void specrt_unregister_functions(const specrt_function *begin, const specrt_function *end);

/* Thunks call it. Returns the code to run for this call, the region's `original` among others;
 * async-signal-safe; never allocates. A call of a region that is not registered runs the original.
 * Unless null is returned, specrt_leave must follow on the same thread, if the call returns;
 * `packed` and `call` are valid until then. */
void *specrt_enter(specrt_region *region, const uint64_t *packed, specrt_call *call);
void specrt_leave(specrt_region *region, specrt_call *call);

/* Ends the call that has this token: the nest, or what took over from it, is done. Does nothing for
 * a token that libspecrt has forgotten. Async-signal-safe; never allocates. The second function
 * ends a call that was handed over and then, if its token is negative, the call around it. */
void specrt_end_nest(int32_t token);
void specrt_end_handed_over(int32_t token, int32_t outer);

/* specrt_poll_nest calls it where a nest can hand over to other code, see above. Returns null, or
 * code that does iterations from this one on, and a token. Async-signal-safe; never allocates;
 * waits only for a compilation that is under way, and only for a small part of the time that the
 * call has already taken. Reads no memory that the region writes. */
void *specrt_poll(specrt_region *region, const uint64_t *packed, uint64_t iteration,
                  int32_t *token);

/* Called once the code that specrt_poll returned with `token` has returned. Returns code that does
 * all iterations behind those, or null: all have been done. Async-signal-safe; never allocates or
 * waits. */
void *specrt_continue(int32_t token);

/* Takes the region's arguments and then the iteration, with the record in the register of the
 * static chain: compilers declare it as they call it. Returns specrt_poll's result, and the token
 * in the second register of results. Preserves all other general registers but r11, as LLVM's
 * preserve_most says. */
void specrt_poll_nest(void);

#ifdef __cplusplus
}
#endif
#endif
