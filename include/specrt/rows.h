/* specrt/rows.h - what versions for sparse rows and libspecrt.so tell each other.
 *
 * A sparse loop is a loop in which integers in memory determine what its iterations, the rows,
 * access and do: bounds of inner loops, subscripts, branches. Its versions have code for classes of
 * rows that look alike. A table says which rows are of which class, and in which order rows may run
 * that read what others write. libspecrt.so builds the table when the loop begins: it lets the
 * version's inspector walk the rows of the running call without side effects, and keeps the table
 * as long as the data that the inspector has read stays unchanged.
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
  SPECRT_ROW_SOURCE = 3 /* source of a loaded note: the number, from 1, of a store among the row's
                           stores of notes; 0: no row has changed the note */
};

/* How the code of a class knows an entry of the trace. */
enum specrt_row_entry_mode {
  SPECRT_ROW_CONTROL = 0, /* all but values: equal in all rows of the class */
  SPECRT_ROW_AFFINE = 1,  /* a value that grows by `delta` from row to row of a segment */
  SPECRT_ROW_LOADED = 2   /* a value that the code reads from memory */
};

/* Relations of a value to other values that held in all rows of the class seen so far. A table puts
 * rows into lanes only where they hold. */
enum specrt_row_ties {
  SPECRT_ROW_FOLLOWS = 1, /* its distance from the row's number is equal in all lanes */
  SPECRT_ROW_BESIDE = 2,  /* that distance is `beside` */
  SPECRT_ROW_APART = 4,   /* it grows by `apart` from row to row of a block */
  SPECRT_ROW_GIVEN = 8    /* next to a pattern, each row stores it; only set for code */
};

typedef struct specrt_row_entry {
  uint32_t kind;  /* enum specrt_row_entry_kind */
  uint32_t mode;  /* enum specrt_row_entry_mode */
  int64_t number; /* a control entry itself; the delta of an affine value; otherwise 0 */
  uint32_t ties;  /* enum specrt_row_ties */
  int32_t beside;
  int64_t apart;
} specrt_row_entry;

/* A class of rows that look alike. */
typedef struct specrt_row_class {
  const specrt_row_entry *entries; /* [num_entries] */
  uint32_t num_entries;
  uint32_t step;          /* distance of a segment's rows; 0: the class has no rows */
  uint32_t min_rows;      /* segments with fewer rows do not pay */
  uint32_t segment_kinds; /* SPECRT_SEGMENT_BITs of the kinds for which there is code (see below) */
} specrt_row_class;

/* Why an inspector's result cannot be used. */
enum specrt_rows_trouble {
  SPECRT_ROWS_SCATTERED = 1,   /* deciding data is read from places far apart */
  SPECRT_ROWS_OVERWRITTEN = 2, /* it is written before it is read; the inspector stopped */
  SPECRT_ROWS_CIRCULAR = 3,    /* only circular accesses read some of it */
  SPECRT_ROWS_NOTED = 4        /* a row leaves notes, or has too many; the inspector stopped */
};

/* Largest number of entries of a row for which its trace is examined. */
#define SPECRT_ROWS_MAX_TRACE 600u
/* Capacity for entries of a row; entries beyond it are counted, and overwrite the last one. */
#define SPECRT_ROWS_ROOM (SPECRT_ROWS_MAX_TRACE + 1u)
/* Largest gap between reads of deciding data. It is less than a page, so no page between two reads
 * is unknown. */
#define SPECRT_ROWS_NEAR_BYTES 2048u

/* A row's read or write through a base through which the loop writes. */
typedef struct specrt_row_access {
  uint64_t address;
  uint32_t bytes;
  uint32_t base; /* its number, doubled; 1 more: written */
} specrt_row_access;

/* When the data that a load of a later row is predicted to read may be checked. */
enum specrt_row_turn {
  SPECRT_ROW_FIRST = 0,    /* in all rows: each executes the load, at an address that follows from
                              the row's number */
  SPECRT_ROW_IN_ORDER = 1, /* in rows in which all loads of the first turn, and those of this turn
                              that precede it in the trace, are as predicted */
  SPECRT_ROW_LAST = 2      /* in rows in which all loads of the other turns are as predicted */
};

/* The low 8 bits of the word that says where a value of a linear loop's trace was read; the other
 * bits are the address, or 0 for a value that the loop carries. */
#define SPECRT_ROW_PLACE(log2_bytes, turn, base) ((log2_bytes) | (turn) << 2 | (base) << 4)

/* Buffer for the traces of rows phase, phase + n, phase + 2 n ..., where there are n phases; each
 * trace overwrites the one before it. An inspector needs one register to address all members. */
typedef struct specrt_row_phase {
  uint64_t num_entries; /* predicted for a row, or SPECRT_ROWS_NOT_PREDICTED */
  struct specrt_row_phase *next;
  int64_t values[SPECRT_ROWS_ROOM];
  int64_t deltas[SPECRT_ROWS_ROOM]; /* predicted growth of each value from row to row */
  /* Only in linear loops. For a value, where it was read (see SPECRT_ROW_PLACE). For a branch, and
   * for the one that leaves a loop with a trip count, the first of the two numbers that it compares
   * by order or for equality; both are 0 if the result is the same in all rows. */
  uint64_t places[SPECRT_ROWS_ROOM];
  int64_t others[SPECRT_ROWS_ROOM]; /* the second number */
} specrt_row_phase;

#define SPECRT_ROWS_NOT_PREDICTED UINT64_MAX

/* The interface through which an inspector reports rows. `low` and `high` are the first byte and
 * the byte after the last of the accesses through each base; low > high: there were none. A row's
 * own extents cover all its accesses through written bases, and its reads of deciding data that lie
 * apart from all reads before them; other accesses may be added to all_low and all_high directly.
 * The pointers do not change until the inspector returns.
 *
 * While `silent` is not 0, the inspector only decrements it for a row that is as its phase
 * predicts, provided that the row's accesses through written bases lie behind all earlier ones, and
 * the deciding data that it reads lies near that of earlier rows. It reports all other rows. */
typedef struct specrt_row_trace {
  specrt_row_phase *phase;      /* of the reported row; row() sets that of the next one */
  uint64_t *low, *high;         /* [num_bases] of the row */
  uint64_t *all_low, *all_high; /* [num_bases] of all rows until now */
  specrt_row_access *accesses;  /* [access_capacity], at least 1; only where rows may wait */
  uint64_t access_capacity;     /* further accesses are counted, and overwrite the last one */
  uint64_t num_accesses;
  uint64_t silent;  /* number of further rows that need no report */
  uint64_t trouble; /* 0 or enum specrt_rows_trouble */
  /* Reports the end of a row. Returns by how many rows to advance: 0 stops the inspector; n > 1,
   * only in linear loops, skips the n - 1 rows after this one, which are known. */
  uint32_t (*row)(struct specrt_row_trace *trace, uint64_t num_entries);
  /* For deciding bases whose pointers rows load themselves: reports that the next read through the
   * base begins at `from` instead of at `end`, where the last one ended (0: there was none). At the
   * end all_high has where the last read of all ended. */
  void (*jump)(struct specrt_row_trace *trace, uint32_t base, uint64_t end, uint64_t from);
  /* Only in linear loops: the number of rows, and room for the values that the next row carries. */
  uint64_t num_rows;
  int64_t *next_carried;           /* [num_carried], written if row() returns more than 1 */
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
enum specrt_rows_dependence {
  SPECRT_ROWS_INDEPENDENT = 0,
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

/* One sparse loop in a version. */
typedef struct specrt_sparse_loop {
  void *state; /* libspecrt.so's, null at first */
  specrt_rows_inspector *inspect;
  const specrt_rows_base *bases;
  const specrt_row_class *classes;
  const uint8_t *deciding; /* [num_inputs] enum specrt_rows_deciding */
  uint32_t num_inputs, num_bases, num_classes;
  /* Threads share segments, which are small then. Code that supports both reads this member each
   * time; the loader sets it before the first call. */
  uint32_t is_parallel;
  uint32_t may_depend;    /* enum specrt_rows_dependence: rows may depend on each other */
  uint32_t num_carried;   /* values at the beginning of each trace that one row gives to the next */
  uint32_t may_share;     /* 0: the code has nothing for threads, and is_parallel stays 0 */
  uint32_t is_linear;     /* 1: the loop is linear, and its inspector skips rows */
  uint32_t has_addresses; /* 1: traces contain addresses, which differ from run to run */
  uint32_t places;        /* enum specrt_rows_places */
  /* Null, or the only rows that the code can run: in this order, regardless of the table. */
  const specrt_row_traces *unrolled;
  struct specrt_sparse_loop *next; /* in the same version, or null */
  /* Null, or the pair of consecutive loops that includes this one (specrt/fused_rows.h). */
  struct specrt_fused_loops *fused;
  /* Digest of the inspector's code and of all else here that determines tables: knowledge about one
   * loop holds for each with the same digest. 0, 0: unknown, so only for this loop. */
  uint64_t digest[2];
} specrt_sparse_loop;

/* Number of rows that code runs together in lanes. */
#define SPECRT_ROWS_LANES 8u

/* Tests whether the values of an entry follow from a pattern: such a value is the pattern's number
 * for the entry plus `number` times the row's number. */
#define SPECRT_ROW_FOLLOWS_PATTERN(entry)                                                          \
  ((entry).mode == SPECRT_ROW_AFFINE && (entry).number >= -1 && (entry).number <= 1)

/* Which code runs a segment, and what the members of specrt_rows_segment mean then. The class is
 * that of class_index; kinds for rows of no class have class_index 0.
 *
 *  kind               class  rows, in this order           first      count    origins
 *  AS_WRITTEN         -      first, first + 1, ...         row        rows     carried values
 *  AFFINE             yes    first, first + step, ...      row        rows     trace
 *  REGISTER_BLOCKS    yes    `step` rows together          row        blocks   trace
 *  STREAMED_BLOCKS    yes    first, first + 1, ...         row        blocks   trace
 *  LISTED_AS_WRITTEN  -      as listed                     row        rows     row, carried values
 *  LISTED             yes    as listed                     row        rows     row, carried values
 *  WAVEFRONT          yes    one row of each lane          row        steps    row, trace
 *  PATTERN_GROUPS     yes    SPECRT_ROWS_LANES as listed   pattern    groups   row, given values
 *  PATTERN_ROWS       yes    as listed                     pattern    rows     row, given values
 *
 * `first` is the number of the segment's first row, or the address of the pattern: one number for
 * each entry of the class.
 *
 * `origins` of the first four kinds are numbers of the first row: the values that the loop carries
 * into it, or its whole trace. Otherwise they are records, one after the other, that begin with a
 * row's number: one for each row, or, in a wavefront, one for the first row of each lane. Records
 * of listed rows have the width that may_depend gives. Given values are those of the entries with
 * SPECRT_ROW_GIVEN. */
enum specrt_segment_kind {
  /* Rows of any control: the loop as the program has it. */
  SPECRT_SEGMENT_AS_WRITTEN = 0,
  /* Rows of the class, whose affine values grow by `number` from one to the next. */
  SPECRT_SEGMENT_AFFINE = 1,
  /* Blocks of `step` consecutive rows, whose values grow by `apart` from row to row, and from block
   * to block as affine values do from row to row. The rows of a block are in lanes. */
  SPECRT_SEGMENT_REGISTER_BLOCKS = 2,
  /* The same blocks, whose rows run one after the other, which suits memory that is read once. */
  SPECRT_SEGMENT_STREAMED_BLOCKS = 3,
  /* Any rows. This kind and those below are only for loops whose rows may depend on each other. */
  SPECRT_SEGMENT_LISTED_AS_WRITTEN = 4,
  /* Rows with the trip counts and branches of the class, which is the first such class. */
  SPECRT_SEGMENT_LISTED = 5,
  /* A skewed wavefront. SPECRT_ROWS_LANES lanes have `count` consecutive rows of the class each. A
   * step runs one row of each lane at the same time. A row may depend on earlier rows of its own
   * lane. */
  SPECRT_SEGMENT_WAVEFRONT = 6,
  /* Groups of SPECRT_ROWS_LANES rows with the trip counts and branches of the class that do not
   * depend on each other. */
  SPECRT_SEGMENT_PATTERN_GROUPS = 7,
  /* Such rows one after the other. */
  SPECRT_SEGMENT_PATTERN_ROWS = 8 /* the last kind */
};

/* The bit of a kind in specrt_row_class.segment_kinds. */
#define SPECRT_SEGMENT_BIT(kind) (1u << (kind))

/* Tests whether segments of a kind refer to a class. */
#define SPECRT_SEGMENT_HAS_CLASS(kind)                                                             \
  ((kind) != SPECRT_SEGMENT_AS_WRITTEN && (kind) != SPECRT_SEGMENT_LISTED_AS_WRITTEN)

/* Rows that the same code runs; see the table above. */
typedef struct specrt_rows_segment {
  const int64_t *origins;
  int64_t first;
  int64_t count;
  uint32_t kind;        /* enum specrt_segment_kind */
  uint32_t class_index; /* in specrt_sparse_loop.classes; 0 for kinds without a class */
} specrt_rows_segment;

/* Runs the segments from begin to end with the values in `words`. */
typedef void specrt_rows_segments(void *words, uint64_t begin, uint64_t end);

/* Every row is in one segment. Accesses through different bases do not overlap where one of them is
 * a write. Neither do those of different rows, unless rows are listed: then the order of the
 * segments and of the rows within them satisfies all dependences. */
typedef struct specrt_rows_table {
  const specrt_rows_segment *segments;
  uint64_t num_segments;
  /* Number of parts into which threads may divide the work. */
  uint64_t num_parts;
  /* Null: the parts are the segments, which run in any order. Otherwise each thread with a part
   * calls this function, which calls `segments`, and returns when no work is left to begin.
   * `segments` may not throw. */
  void (*share)(const struct specrt_rows_table *table, specrt_rows_segments *segments, void *words);
  /* Lends a thread that shares rows with notes its own memory for notes, and writes its words to
   * `into`. Returns the number to pass to give_back at the end; 0: other threads do the work. */
  uint32_t (*lend)(const struct specrt_rows_table *table, const uint64_t *words, uint64_t *into);
  void (*give_back)(const struct specrt_rows_table *table, uint32_t lent);
} specrt_rows_table;

/* Names of these functions in generated code. */
#define SPECRT_ROWS_BEGIN "specrt_rows_begin"
#define SPECRT_ROWS_END "specrt_rows_end"

/* Returns the table for a loop over `rows` rows that begins now with these inputs; null if there is
 * none, so that the loop runs as written. Any thread, signal handlers too; keeps errno. */
typedef const specrt_rows_table *specrt_rows_begin_fn(specrt_sparse_loop *loop,
                                                      const uint64_t *inputs, uint64_t rows);
/* Called when the loop that got the table is done. */
typedef void specrt_rows_end_fn(specrt_sparse_loop *loop, const specrt_rows_table *table);

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
