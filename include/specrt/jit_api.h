/* specrt/jit_api.h - the narrow C interface of libspecrt-jit.so.
 *
 * specrt-server opens libspecrt-jit.so with dlopen, looks up specrt_jit_query, and has each request
 * served by a process of its own, which LLVM may end at any time. No LLVM or C++ type crosses this
 * line. All functions are called from one thread at a time, except those that say otherwise.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_JIT_API_H
#define SPECRT_JIT_API_H

#include "specrt/abi.h"
#include "specrt/facts.h"
#include "specrt/nest.h"
#include "specrt/recording.h"
#include "specrt/structure.h"
#include "specrt/version_object.h"
#include "specrt/zeros.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SPECRT_JIT_API_VERSION 23u

struct specrt_jit_candidate;

enum specrt_fp_mode { SPECRT_FP_STRICT = 0, SPECRT_FP_FINITE = 1, SPECRT_FP_FAST = 2 };

typedef struct specrt_jit_request {
  const specrt_region *region; /* a stable copy; slot, thunk and state are not used */
  const specrt_fact *facts;    /* [region->num_args] */
  /* [num_accesses * num_accesses] 1: accesses i and j were seen to overlap; 2: their arguments were
   * the same address in at least 95 % of the observed time; null: none seen */
  const uint8_t *overlaps;
  const specrt_cell_fact *cells; /* [num_cells] places in memory to take for constants */
  /* [num_sequences] what index arrays and arrays of pointers hold. Like all of the request, and the
   * pieces behind them too, these must stay as they are until compile returns. */
  const specrt_sequence_fact *sequences;
  /* [num_rows] classes of the rows of row loops; if there are any, only candidates for them are
   * built. */
  const specrt_rows_fact *rows;
  /* [region->num_accesses] 1: the accessed data was seen to be mostly zero; null: none was. */
  const uint8_t *zeros;
  /* Names of candidates, separated by commas: the first that can be built is built alone (a stored
   * winner, or what is most promising when there is no time for all); or null for all. */
  const char *only;
  uint32_t fp_mode; /* enum specrt_fp_mode */
  uint32_t threads; /* workers a parallel candidate may use; 1: no parallel candidates */
  uint32_t budget_ms;
  uint32_t num_cells;
  uint32_t num_sequences;
  uint32_t num_rows;
  double seconds_per_call;    /* of the original; 0: unknown */
  const char *dump_directory; /* or null */
  /* Iterations of the outermost loop that are done already: the candidates begin with this one. Not
   * 0 only for regions with SPECRT_REGION_POLLS. */
  uint64_t first_iteration;
  /* The candidates end before this iteration; 0: they go on to the nest's end. Not 0 only for
   * regions with SPECRT_REGION_CONTINUES. */
  uint64_t end_iteration;
  /* Names, separated by commas, or null: candidates that need not be built, because they exist
   * already, and such that are known not to exist. */
  const char *existing;
  const char *absent;
  uint32_t wants_nest;  /* 1: the result shall tell of the loops */
  uint32_t wants_zeros; /* 1: with `zeros`, it shall tell where values can be nonzero */
  /* Called on the compiling thread as soon as it is settled what becomes of a candidate: when its
   * code exists (it may be linked in this call; nothing else of the API may be called), or, with a
   * null candidate, when the region has none of this name. Candidates that were not asked for,
   * would be superfluous, or were not reached in time are not settled. May be null. */
  void (*settled)(void *context, const char *name, const struct specrt_jit_candidate *candidate);
  void *context;
} specrt_jit_request;

/* Kind of a cause: addresses, bounds or branches depend on values loaded inside the loops, each
 * time from another place. An instrumented version shows their structure. */
#define SPECRT_CAUSE_INDIRECTION "indirection"

/* Why something was refused, in plain words. */
typedef struct specrt_jit_cause {
  const char *kind; /* stable identifier, e.g. "alias", "non-affine access", "non-affine bound" */
  const char *message; /* one sentence */
  const char *file;    /* "" when unknown */
  uint32_t line;
  uint32_t speculative; /* 1: a guard can resolve it */
} specrt_jit_cause;

/* Subject of a compiler's note; runtime/report/advice.h says what users can do about it. */
enum specrt_note_code {
  SPECRT_NOTE_PLAIN = 0,            /* nothing to be done */
  SPECRT_NOTE_OVERLAP = 1,          /* arrays were seen to share bytes */
  SPECRT_NOTE_UNKNOWN_BYTES = 2,    /* arrays may overlap: what is touched is not known before */
  SPECRT_NOTE_TOO_MANY_ARRAYS = 3,  /* for guards that compare each with each */
  SPECRT_NOTE_MAY_CHANGE = 4,       /* a size in memory, while the loop runs */
  SPECRT_NOTE_FOLDED_NAN = 5,       /* the compiler's NaN is not the processor's */
  SPECRT_NOTE_BUDGET = 6,           /* not built, or not to the end, for lack of time */
  SPECRT_NOTE_STACK = 7,            /* needs more stack than a thread may have */
  SPECRT_NOTE_NOT_PARALLEL = 8,     /* no loop can run in parallel */
  SPECRT_NOTE_MANY_CALLERS = 9,     /* libspecrt.so's own: no parallel versions were asked for */
  SPECRT_NOTE_NOT_ALWAYS_READ = 10, /* row pointers or indices that a guard may not read before */
  SPECRT_NOTE_EXIT_DATA = 11,       /* a loop may write what decides about its end */
  SPECRT_NOTE_EXIT_WORK = 12,       /* a loop's end depends on what it computes */
  SPECRT_NOTE_ROWS_WRITE = 13,      /* a loop over rows writes what decides about them */
  SPECRT_NOTE_ROWS_EXIT = 14,       /* it, or a loop in it, is left in several places */
  SPECRT_NOTE_ROWS_POINTERS = 15,   /* it reads pointers to what it accesses */
  SPECRT_NOTE_ROWS_CARRY = 16,      /* it hands values on from row to row, or out */
  SPECRT_NOTE_ROWS_OTHER = 17,      /* it contains something else that rows may not */
  SPECRT_NUM_NOTE_CODES = 18
};

typedef struct specrt_jit_note {
  uint32_t code; /* enum specrt_note_code */
  uint32_t reserved;
  const char *text; /* one line, for people */
} specrt_jit_note;

typedef struct specrt_jit_candidate {
  const char *name;     /* stable: one of specializer/strategies/table/candidates.h */
  void *body;           /* same signature as the region */
  void *handle;         /* for release */
  specrt_guards guards; /* in the order in which they must be checked */
  uint32_t parallel;    /* 1: uses the parallel-loop entry points */
  uint32_t reserved;
  double compile_ms;
  uint64_t code_bytes;
  specrt_sparse_loop *rows; /* the first of its row loops, or null */
} specrt_jit_candidate;

/* Where values can be nonzero, as lines for people; empty if nothing is known, null if it was not
 * requested or there was no time. */
typedef struct specrt_jit_zeros {
  const char *equations; /* statements, equations, solutions, relations */
  const char *skips;     /* which element's zero lets which loop skip iterations */
  const char *program;   /* the loops as data (structure/program/program_text.h), or "" */
} specrt_jit_zeros;

typedef struct specrt_jit_result {
  const char *error; /* null: success. Otherwise one sentence, and no candidates */
  const specrt_jit_candidate *candidates;
  uint32_t num_candidates;
  uint32_t num_causes;
  const specrt_jit_cause *causes; /* rejections of the region as it was written */
  const specrt_jit_note *notes;   /* what was done, and what not */
  specrt_nest nest;               /* of the code that the candidates were made of */
  specrt_jit_zeros zeros;
  uint32_t num_notes;
  uint32_t reserved;
  double total_ms;
} specrt_jit_result;

/* The instrumented version of a region: it computes the same and records its accesses. It is not a
 * candidate. */
typedef struct specrt_jit_instrumented {
  const char *error;    /* null: success. Otherwise one sentence, and nothing else */
  void *body;           /* same signature as the region */
  void *handle;         /* for release */
  specrt_guards guards; /* in the order in which they must be checked */
  const specrt_recorded_access *accesses;
  const specrt_recorded_loop *loops;
  const specrt_carried_value *carried;
  uint32_t num_accesses;
  uint32_t num_loops;
  uint32_t num_carried;
  uint32_t num_row_loops;
  uint32_t words; /* room that must be behind specrt_recording.end, in words */
  uint32_t reserved;
  double compile_ms;
} specrt_jit_instrumented;

/* A shared object to write: bodies of one region. */
typedef struct specrt_jit_link {
  const specrt_region *region;
  /* From one result that is not yet released; or one candidate with the body, handle and guards of
   * an instrumented version. */
  const specrt_jit_candidate *candidates;
  uint32_t num_candidates;
  uint32_t reserved;
  const char *key; /* stored in the object */
  int file;        /* open for writing, empty; gets the object */
} specrt_jit_link;

/* A type in the C signature of a wrapped function, laid out as the System V ABI of x86-64 says. */
enum { SPECRT_C_STRUCT = 9 };
enum specrt_c_class { SPECRT_C_INTEGER = 1, SPECRT_C_SSE = 2 };
typedef struct specrt_c_type {
  uint8_t kind;          /* enum specrt_kind (I1: bool) or SPECRT_C_STRUCT */
  uint8_t is_signed;     /* of an integer */
  uint8_t in_memory;     /* a struct larger than 16 bytes: passed and returned in memory */
  uint8_t num_words;     /* other structs: eightbytes, 1 or 2 */
  uint8_t word_class[2]; /* enum specrt_c_class */
  uint8_t word_bytes[2]; /* of an eightbyte, up to the end of the last member in it */
  uint32_t size;         /* bytes */
  uint32_t alignment;    /* bytes */
  const char *text;      /* as in the signature: "{f64, i32}" */
} specrt_c_type;

/* What a function that is not instrumented looks like as a region, read from its bitcode.
 *
 * The region's arguments: one per C argument, in order, then, when the result is a struct, a
 * pointer to where it goes. Integers narrower than 32 bits are widened to I32 as their sign says; a
 * struct is a pointer to its bytes, which belong to this call. A bool result is an I8; a struct
 * result is none. So without structs a region is called like the function itself. */
typedef struct specrt_describe_request {
  const void *bitcode; /* of the user's module */
  uint64_t bitcode_size;
  const char *function; /* its name in the module */
  const specrt_c_type *result;
  const specrt_c_type *arguments; /* [num_arguments] */
  uint32_t num_arguments;
  uint32_t fp_mode; /* enum specrt_fp_mode */
  uint32_t budget_ms;
  uint32_t reserved;
  /* Returns the address of the function that the original calls `name`. has_one_meaning: a function
   * of the C library with exactly defined results, so that any definition will do. Returns null and
   * sets *why if the address is unknown; why is static text that continues the name: "is not
   * visible". */
  void *(*resolve)(void *context, const char *name, int has_one_meaning, const char **why);
  void *context;
} specrt_describe_request;

enum specrt_describe_status {
  SPECRT_DESCRIBE_OK = 0,
  SPECRT_DESCRIBE_BITCODE = 1,    /* cannot be read, or does not define the function */
  SPECRT_DESCRIBE_MISMATCH = 2,   /* the function has another type than the signature says */
  SPECRT_DESCRIBE_UNSUPPORTED = 3 /* no version of the function can be made */
};

typedef struct specrt_describe_result {
  uint32_t status; /* enum specrt_describe_status */
  uint32_t reserved;
  const char *error; /* one sentence; null when status is OK */
  /* All that code determines: kinds, names ("" where unknown), file, line, flags, bitcode, symbols,
   * accesses, loops. name, function, original, thunk, slot and state are null. */
  specrt_region region;
} specrt_describe_result;

/* One cause for which regions are rejected (specializer/polyhedral/scop_survey.h). */
typedef struct specrt_scop_cause {
  const char *name;     /* stable identifier */
  const char *meaning;  /* a few words */
  uint32_t speculative; /* 1: libspecrt answers it at run time */
  uint32_t reserved;
  uint64_t affected;   /* rejected regions that show it */
  uint64_t sole;       /* that show nothing else */
  uint64_t cumulative; /* that show only this one and those before it */
} specrt_scop_cause;

/* The regions of one module. */
typedef struct specrt_scop_counts {
  const char *error;    /* null: success. Otherwise what is wrong with the file, and no numbers */
  uint64_t scops;       /* maximal Scops of the code as it is */
  uint64_t checked;     /* with Polly's own run-time checks */
  uint64_t speculative; /* with everything answered that libspecrt can */
  uint64_t rejected;    /* candidates that are no Scops as they are */
  const specrt_scop_cause *causes;
  uint32_t num_causes;
  uint32_t reserved;
} specrt_scop_counts;

typedef void (*specrt_jit_log)(int level /* 0 error, 1 warning, 2 info, 3 debug */,
                               const char *message);

typedef struct specrt_jit_config {
  specrt_jit_log log;
  /* Where libspecrt-parallel.so lives; "": candidates are not run in this process, and parallel
   * ones find no loops in it. */
  const char *library_directory;
  /* The functions that versions with row loops call. */
  specrt_rows_begin_fn *rows_begin;
  specrt_rows_end_fn *rows_end;
  const specrt_entry_runs_functions *entry_runs;
  const specrt_fused_rows_functions *fused_rows;
  const specrt_zeros_functions *zeros; /* what those call that skip zeros, or null */
} specrt_jit_config;

typedef struct specrt_jit_api {
  uint32_t version;
  uint32_t size;
  /* Returns 1; or 0, with *error set, if the compiler cannot work here. Called once, before all
   * others but count_scops and propagate. */
  int (*start)(const specrt_jit_config *config, const char **error);
  /* Owned by the caller until free_result; bodies stay. */
  const specrt_jit_result *(*compile)(const specrt_jit_request *request);
  void (*free_result)(const specrt_jit_result *result);
  /* Links candidates into a shared object that describes itself (specrt/version_object.h). Returns
   * null, or one sentence that is valid until the next call. */
  const char *(*link)(const specrt_jit_link *request);
  /* A result, owned by the caller until free_description. */
  const specrt_describe_result *(*describe)(const specrt_describe_request *request);
  void (*free_description)(const specrt_describe_result *result);
  /* Returns whether compile or instrument, running in another thread, has used up its budget and
   * some more; it may still run for long. Any thread. */
  int (*is_overdue)(void);
  /* Compiles the instrumented version of request->region, which writes to `into`: the code contains
   * its address and does not access what follows it. Reads only region, fp_mode, budget_ms and
   * dump_directory of the request. Always returns a result, owned by the caller until
   * free_instrumented; the body stays. */
  const specrt_jit_instrumented *(*instrument)(const specrt_jit_request *request,
                                               specrt_recording *into);
  void (*free_instrumented)(const specrt_jit_instrumented *result);
  /* Counts Scops in bitcode, or an object that embeds it, for `specrt scops`. The result is valid
   * until the next call. */
  const specrt_scop_counts *(*count_scops)(const void *file, uint64_t size, uint32_t budget_ms);
  /* As specrt_propagate and specrt_free_structures. */
  const specrt_structures *(*propagate)(const specrt_structure_request *request);
  void (*free_structures)(const specrt_structures *structures);
} specrt_jit_api;

/* The only symbol that is looked up. Null when the version is not supported. */
const specrt_jit_api *specrt_jit_query(uint32_t api_version);

#ifdef __cplusplus
}
#endif
#endif
