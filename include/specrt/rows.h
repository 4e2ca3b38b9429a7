/* specrt/rows.h - what versions for sparse rows and libspecrt.so tell each other.
 *
 * A row loop is a loop in which integers in memory determine what its iterations, the rows, access
 * and do: bounds of inner loops, subscripts, branches. Its versions have code for classes of rows
 * that look alike. A table says which rows are of which class, and in which order rows may run that
 * read what others write. libspecrt.so builds the table when the loop begins: it lets the version's
 * inspector walk the rows of the running call without side effects, and keeps the table as long as
 * the data that the inspector has read stays unchanged.
 *
 * The trace of a row is what the inspector records of it, in the order of execution: the value of
 * each load that determines addresses, bounds or branches; the trip count of each inner loop with
 * such loads, at the place where the loop is entered; 0 or 1 for each other branch. Rows whose
 * traces have equal trip counts and branches execute the same instructions. A trace begins with the
 * values that the loop carries from row to row.
 *
 * In some arrays rows make notes: the position of a column in a row, or the sums of a row of a
 * product. Each row restores the notes' memory, so for other rows it is constant. The inspector
 * makes its notes in memory of its own. For each load of a note, the trace says which store of the
 * same row it reads from, and the code of a class keeps the stored values in registers.
 *
 * A loop is linear if its addresses, and the numbers that its branches compare, are linear
 * functions of the trace's values with loop-invariant coefficients. Then consecutive rows of a
 * class predict where the next rows read the data that determines them, and what they have to find
 * there. libspecrt.so may check that for many rows at once and let the inspector skip the rows that
 * are as predicted.
 *
 * Stored objects contain these structures: a change is one of SPECRT_VERSION_OBJECT_FORMAT.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_ROWS_H
#define SPECRT_ROWS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum specrt_row_entry_kind {
  SPECRT_ROW_VALUE = 0,
  SPECRT_ROW_TRIPS = 1,
  SPECRT_ROW_BRANCH = 2,
  SPECRT_ROW_SOURCE = 3 /* of a note that is loaded: the number, from 1, of the store among those of
                           notes in this row; 0: no row has changed it */
};

/* How the code of a class knows an entry of the trace. */
enum specrt_row_entry_mode {
  SPECRT_ROW_CONTROL = 0, /* all but values: equal in all rows of the class */
  SPECRT_ROW_AFFINE = 1,  /* a value that grows by `delta` from row to row of a segment */
  SPECRT_ROW_LOADED = 2   /* a value that the code reads from memory */
};

/* Relations of a value to others that held wherever rows of the class were seen. A table puts rows
 * side by side only where they hold. */
enum specrt_row_ties {
  SPECRT_ROW_FOLLOWS = 1, /* it is as far from the row's number in all lanes */
  SPECRT_ROW_BESIDE = 2,  /* so far as `beside` says */
  SPECRT_ROW_APART = 4,   /* from each row of a block to its next it grows by `apart` */
  SPECRT_ROW_GIVEN = 8    /* beside a pattern it is given for each row; said by code only */
};

typedef struct specrt_row_entry {
  uint32_t kind;  /* enum specrt_row_entry_kind */
  uint32_t mode;  /* enum specrt_row_entry_mode */
  int64_t number; /* of what is no value, itself; the delta of an affine value; otherwise 0 */
  uint32_t ties;  /* enum specrt_row_ties */
  int32_t beside;
  int64_t apart;
} specrt_row_entry;

/* A class of rows that look alike. */
typedef struct specrt_row_class {
  const specrt_row_entry *entries; /* [num_entries] */
  uint32_t num_entries;
  uint32_t step;      /* rows from one of a segment to the next; 0: no row is of this class */
  uint32_t min_rows;  /* fewer are not worth a segment */
  uint32_t in_lanes;  /* 1: the code has it side by side, too (see below) */
  uint32_t in_blocks; /* 1: it has whole blocks of `step` rows (see below) */
  uint32_t in_groups; /* 1: it has rows told by patterns (see below) */
  uint32_t reserved;
} specrt_row_class;

/* Why an inspector's result cannot be used. */
enum specrt_rows_trouble {
  SPECRT_ROWS_SCATTERED = 1,   /* what decides is read from places far apart */
  SPECRT_ROWS_OVERWRITTEN = 2, /* it is written before it is read: the inspector has left */
  SPECRT_ROWS_CIRCULAR = 3,    /* some of it is read only where it says so itself */
  SPECRT_ROWS_NOTED = 4        /* a row leaves notes behind, or too many: the inspector has left */
};

/* Largest number of entries of a row for which its trace is examined. */
#define SPECRT_ROWS_MAX_TRACE 600u
/* Capacity for entries of a row; entries beyond it are counted, and overwrite the last one. */
#define SPECRT_ROWS_ROOM (SPECRT_ROWS_MAX_TRACE + 1u)
/* So far apart may be what decides: between two bytes that are nearer there is no page of which
 * nothing is known. */
#define SPECRT_ROWS_NEAR_BYTES 2048u

/* A row's read or write through a base through which the loop writes. */
typedef struct specrt_row_access {
  uint64_t address;
  uint32_t bytes;
  uint32_t base; /* its number, doubled; 1 more: written */
} specrt_row_access;

/* When the data that a load of a later row is predicted to read may be checked. */
enum specrt_row_turn {
  SPECRT_ROW_FIRST = 0,    /* in all rows: each executes it, at an address that follows from the
                              row's number */
  SPECRT_ROW_IN_ORDER = 1, /* in rows in which all of the first turn, and of this one those before
                              it in the trace, are as foreseen */
  SPECRT_ROW_LAST = 2      /* in rows in which all of other turns are as foreseen */
};

/* Where a value of a trace was read, in a linear loop: the address times 256, and this. The address
 * 0: nowhere, it is carried. */
#define SPECRT_ROW_PLACE(log2_bytes, turn, base) ((log2_bytes) | (turn) << 2 | (base) << 4)

/* Where the traces of rows phase, phase + n, phase + 2 n ... are written, one over the other, where
 * there are n phases. All is in one place, so that an inspector needs one register for it. */
typedef struct specrt_row_phase {
  uint64_t num_entries; /* that a row is foreseen to have, or SPECRT_ROWS_NOT_FORESEEN */
  struct specrt_row_phase *next;
  int64_t values[SPECRT_ROWS_ROOM];
  int64_t deltas[SPECRT_ROWS_ROOM]; /* what each value is foreseen to grow by from row to row */
  /* Of linear loops. Of a value, SPECRT_ROW_PLACE. Of a branch, and of the one that leaves a loop
   * with a trip count, the first of two numbers of which it depends which is the lesser one, or
   * whether they are equal; both are 0 where that is the same in all rows. */
  uint64_t places[SPECRT_ROWS_ROOM];
  int64_t others[SPECRT_ROWS_ROOM]; /* the second number */
} specrt_row_phase;

#define SPECRT_ROWS_NOT_FORESEEN UINT64_MAX

/* What the inspector writes of rows. `low` and `high` are the first byte and the byte after the
 * last of accesses through each base; low > high: none. Those of the row are all that it accesses
 * through bases that are written, and of those through which is read what decides what lies apart
 * from all before it; anything else may be in all_low and all_high at once. The pointers stay as
 * they are until the inspector returns.
 *
 * A row that is what its phase foresees need not be told: as long as `silent` says so it is only
 * counted down, if what it accesses through written bases lies behind all before it, and what it
 * reads that decides lies near that. */
typedef struct specrt_row_trace {
  specrt_row_phase *phase;      /* of the row that is told, then of the next one */
  uint64_t *low, *high;         /* [num_bases] of the row */
  uint64_t *all_low, *all_high; /* [num_bases] of all rows until now */
  specrt_row_access *accesses;  /* [access_capacity], not 0; only where rows may wait */
  uint64_t access_capacity;     /* accesses beyond are counted, and overwrite the last one */
  uint64_t num_accesses;
  uint64_t silent;  /* so many rows more need not be told */
  uint64_t trouble; /* 0 or enum specrt_rows_trouble */
  /* A row is over. 0: no more rows. In linear loops n > 1: the n - 1 rows after it are known, and
   * the next one is looked at again. */
  uint32_t (*row)(struct specrt_row_trace *trace, uint64_t num_entries);
  /* Of bases of pointers that rows read themselves, and through which is read what decides: the
   * next read begins at `from`, which is not `end`, where the last one through this base ended; 0:
   * there was none. After the walk all_high has where the last one of all ended. */
  void (*jump)(struct specrt_row_trace *trace, uint32_t base, uint64_t end, uint64_t from);
  /* Only where loops are linear: the number of rows, and room for what the next row carries. */
  uint64_t num_rows;
  int64_t *next_carried;           /* [num_carried] written where row() returns more than 1 */
  struct specrt_row_notes *notes;  /* only where rows make notes */
  uint8_t kinds[SPECRT_ROWS_ROOM]; /* of the row's entries: enum specrt_row_entry_kind */
} specrt_row_trace;

#define SPECRT_ROWS_NO_SOURCE UINT64_MAX

/* The notes of a row, kept apart from the loop's own memory. The inspector calls these
 * functions. */
typedef struct specrt_row_notes {
  /* Records a store of 1 to 8 bytes; is_known 0: the value is not known. */
  void (*store)(struct specrt_row_notes *notes, uint64_t address, uint32_t bytes, uint64_t value,
                uint32_t is_known);
  /* Returns the source of a loaded note, and leaves its value in `loaded`: for source 0, the value
   * in memory; for an unknown value, 0. SPECRT_ROWS_NO_SOURCE: the source is not known any more. */
  uint64_t (*load)(struct specrt_row_notes *notes, uint64_t address, uint32_t bytes);
  /* Ends the row and forgets its notes. Returns 0 if the loop would have left memory changed, or if
   * there was no room for the notes. */
  uint32_t (*end)(struct specrt_row_notes *notes);
  uint64_t loaded;
} specrt_row_notes;

/* Inspects all rows. Reads only notes and data that determines rows; writes only to *into. */
typedef void specrt_rows_inspector(const uint64_t *inputs, specrt_row_trace *into);

enum specrt_rows_base_flags {
  SPECRT_ROWS_DECIDES = 1, /* what is read through it decides */
  SPECRT_ROWS_READ = 2,
  SPECRT_ROWS_WRITTEN = 4, /* and stays so */
  SPECRT_ROWS_NOTES = 8    /* each row leaves it as it was; what is there is never another */
};

/* How traces, and the distances of accesses from their bases, depend on an input. */
enum specrt_rows_deciding {
  SPECRT_ROWS_NOT_DECIDING = 0,
  SPECRT_ROWS_DECIDING = 1,
  SPECRT_ROWS_DECIDING_BY_CONTENT = 2 /* a pointer: on what it points to, wherever that is */
};

/* Where the arrays of another run may lie so that tables made in this run are valid for it. */
enum specrt_rows_places {
  SPECRT_ROWS_ANYWHERE = 0,
  SPECRT_ROWS_ON_ANY_PAGE = 1, /* where they begin within a page counts */
  SPECRT_ROWS_HERE = 2         /* addresses decide, or rows have bases that are no inputs */
};

/* The input of a base whose pointer rows load themselves: an offset from it is an address. */
#define SPECRT_ROWS_NO_INPUT UINT32_MAX

/* A pointer through which rows access memory; or all pointers that rows load at one place. */
typedef struct specrt_rows_base {
  uint32_t input; /* which of the inputs it is, or SPECRT_ROWS_NO_INPUT */
  uint32_t flags; /* enum specrt_rows_base_flags */
} specrt_rows_base;

/* Whether the code has listed rows (see below), and the width of the numbers of a list. */
enum specrt_rows_waiting {
  SPECRT_ROWS_NEVER_WAIT = 0,
  SPECRT_ROWS_LISTED_IN_64_BITS = 1,
  SPECRT_ROWS_LISTED_IN_32_BITS = 2 /* no value that is carried is wider */
};

/* All rows of a loop as traces. */
typedef struct specrt_row_traces {
  uint64_t num_rows;
  const uint32_t *lengths; /* [num_rows] entries of each row */
  const uint8_t *kinds;    /* enum specrt_row_entry_kind of all rows, one after the other */
  const int64_t *values;   /* likewise */
} specrt_row_traces;

struct specrt_fused_loops;

/* One row loop in a version. */
typedef struct specrt_rows_site {
  void *state; /* libspecrt.so's, null at first */
  specrt_rows_inspector *inspect;
  const specrt_rows_base *bases;
  const specrt_row_class *classes;
  const uint8_t *deciding; /* [num_inputs] enum specrt_rows_deciding */
  uint32_t num_inputs, num_bases, num_classes;
  /* Threads share segments, which are small then. Code that supports both reads this member each
   * time; the loader sets it before the first call. */
  uint32_t is_parallel;
  uint32_t may_wait;      /* enum specrt_rows_waiting: rows may depend on each other */
  uint32_t num_carried;   /* values at the beginning of each trace that one row gives to the next */
  uint32_t may_share;     /* 0: the code has nothing for threads, and is_parallel stays 0 */
  uint32_t is_linear;     /* 1: the loop is, and its inspector leaps */
  uint32_t has_addresses; /* 1: traces do, so that they are others in each run */
  uint32_t places;        /* enum specrt_rows_places */
  /* Null, or the only rows that the code can run: in this order, regardless of the table. */
  const specrt_row_traces *unrolled;
  struct specrt_rows_site *next; /* in the same version, or null */
  /* Null, or the pair of consecutive loops that includes this one (specrt/fused_rows.h). */
  struct specrt_fused_loops *fused;
  /* Digest of the inspector's code and of all else here that determines tables: knowledge about one
   * loop holds for each with the same digest. 0, 0: unknown, so only for this loop. */
  uint64_t digest[2];
} specrt_rows_site;

/* Consecutive rows of any shape. */
#define SPECRT_ROWS_REST UINT32_MAX
/* Listed rows: any rows in any order. Those with the trip counts and branches of class c have the
 * class number num_classes + c, where c is the first class that has them. */
#define SPECRT_ROWS_LISTED_REST (UINT32_MAX - 1)
/* Rows of class c side by side, which wait for rows of their own lane, have the class number
 * 2 * num_classes + c: `count` times a row of each lane, one after the other, then their next ones.
 */
#define SPECRT_ROWS_LANES 8u
/* Blocks of class c have the class number 3 * num_classes + c: `count` times `step` rows that
 * follow each other, of which each has its values `apart` from those of the one before it. The
 * rows of a block are done side by side, or, with the number 4 * num_classes + c, one after the
 * other, which suits memory that is read once. */
/* Where in_groups says so, rows with the trip counts and branches of class c may also be told by a
 * pattern: a number for each entry, to which for those that follow from it `number` times the row's
 * number is added. One by one they have the class number 6 * num_classes + c. Groups have
 * 5 * num_classes + c: `count` times SPECRT_ROWS_LANES rows that do not wait for each other. */
/* Whether the values of an entry follow from a pattern. */
#define SPECRT_ROW_FOLLOWS_PATTERN(entry)                                                          \
  ((entry).mode == SPECRT_ROW_AFFINE && (entry).number >= -1 && (entry).number <= 1)

/* `count` rows: first, first + step, ... or those listed. */
typedef struct specrt_rows_segment {
  /* The trace of the first row; of the rest, the carried values only. Where rows are listed: for
   * each its number and its carried values, in the width that may_wait says. Of rows side by side:
   * for each lane the number of its first row and that row's trace. Of rows told by a
   * pattern: for each its number and the values that are SPECRT_ROW_GIVEN. */
  const int64_t *origins;
  int64_t first; /* or the address of the pattern */
  int64_t count;
  uint32_t class_number; /* or one of the numbers above */
  uint32_t reserved;
} specrt_rows_segment;

/* Runs the segments from begin to end with the values in `words`. */
typedef void specrt_rows_segments(void *words, uint64_t begin, uint64_t end);

/* Every row is in one segment. Accesses through different bases do not overlap where one of them is
 * a write. Neither do those of different rows, unless rows are listed: then the order of the
 * segments and of the rows within them is one that is right. */
typedef struct specrt_rows_table {
  const specrt_rows_segment *segments;
  uint64_t num_segments;
  /* Number of parts into which threads may divide the work. */
  uint64_t num_parts;
  /* Null: a part is a segment, in any order. Otherwise each thread that has got a part calls this,
   * and has it call `segments`, which may not throw; it returns when nothing is left to begin. */
  void (*share)(const struct specrt_rows_table *table, specrt_rows_segments *segments, void *words);
  /* Where threads share rows that make notes, each makes its own: the words for it come to `into`.
   * Returns what the thread has to give back when it is done; 0: others do the work. */
  uint32_t (*lend)(const struct specrt_rows_table *table, const uint64_t *words, uint64_t *into);
  void (*give_back)(const struct specrt_rows_table *table, uint32_t lent);
} specrt_rows_table;

/* Names of these functions in generated code. */
#define SPECRT_ROWS_BEGIN "specrt_rows_begin"
#define SPECRT_ROWS_END "specrt_rows_end"

/* Returns the table for a loop over `rows` rows that begins now with these inputs; null if there is
 * none, so that the loop runs as written. Any thread, signal handlers too; keeps errno. */
typedef const specrt_rows_table *specrt_rows_begin_fn(specrt_rows_site *site,
                                                      const uint64_t *inputs, uint64_t rows);
/* Called when the loop that got the table is done. */
typedef void specrt_rows_end_fn(specrt_rows_site *site, const specrt_rows_table *table);

/* A run consists of consecutive entries that name the same row. */
typedef struct specrt_entry_runs {
  uint64_t num_runs; /* at least one */
  /* [num_runs + 1] in ascending order, none of them empty: where each begins, then the number of
   * all entries. Here is room for one run. */
  uint64_t starts[2];
} specrt_entry_runs;

/* Names of these functions in generated code. */
#define SPECRT_ENTRY_RUNS_BEGIN "specrt_entry_runs_begin"
#define SPECRT_ENTRY_RUNS_END "specrt_entry_runs_end"

typedef struct specrt_entry_runs_functions {
  /* Returns the runs of `entries` entries, at least one, whose rows are in `names`: numbers of
   * name_bytes (4 or 8) bytes each, all of which may be read. Runs were found earlier and may be
   * outdated; they still cover all entries in their order. If nothing is known, makes `own` one run
   * of all entries and returns it. Any thread, signal handlers too; keeps errno. */
  const specrt_entry_runs *(*begin)(const void *names, uint64_t entries, uint32_t name_bytes,
                                    specrt_entry_runs *own);
  /* Called when the loop over `runs`, which begin returned for `own`, is done. */
  void (*end)(const specrt_entry_runs *runs, const specrt_entry_runs *own);
} specrt_entry_runs_functions;

#ifdef __cplusplus
}
#endif
#endif
