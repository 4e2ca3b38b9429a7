/* specrt/specrt.h - what a program may ask of libspecrt at run time.
 *
 * A program needs none of this: compiled with specrt-clang it is observed and specialised by
 * itself, steered by the SPECRT_* environment variables. These functions are for programs that
 * want to set options themselves, to start warm, or to look at what happened.
 *
 * All functions are thread-safe, return instead of failing loudly, and never throw. They are not
 * async-signal-safe. Strings are UTF-8 or whatever bytes the program's own names have.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_SPECRT_H
#define SPECRT_SPECRT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPECRT_VERSION_MAJOR 0
#define SPECRT_VERSION_MINOR 1
#define SPECRT_VERSION_PATCH 0

/* The version of the library in use, "0.1.0". Static. */
const char *specrt_version(void);

/* Sets one option as the environment would: name "SPECRT_HOT" or "hot", value as text. Overrides
 * the environment; takes effect for all regions when called before the first region runs.
 * Returns null on success, otherwise one sentence that says what is accepted; that text belongs
 * to the library and stays valid until the same thread calls specrt_configure again. */
const char *specrt_configure(const char *name, const char *value);

/* One option: all members are static text. */
typedef struct specrt_option {
  const char *name;          /* "SPECRT_HOT" */
  const char *default_value; /* as a user would write it */
  const char *accepted;      /* in words */
  const char *help;          /* one sentence */
} specrt_option;

/* The options in the order of the documentation. Fills *option and returns 1; returns 0 when index
 * is past the last. */
int specrt_get_option(size_t index, specrt_option *option);

/* 1 when regions are observed, 0 when SPECRT_DISABLE is set. */
int specrt_enabled(void);

/* Waits until there is nothing to compile and nothing to decide without further calls, at most
 * timeout_ms milliseconds. Returns 1 when that is so, 0 after the time. A region whose candidates
 * are on trial counts as idle: it needs more calls. */
int specrt_wait_idle(uint32_t timeout_ms);

/* Adds what was observed since the start, or since the last flush, to the stored profile, as the
 * end of the process does. For programs that end by _exit or by a signal. Returns 1 on success and
 * when profiles are not written, 0 after a warning otherwise. */
int specrt_flush_profile(void);

/* Writes the report as SPECRT_REPORT does at exit, complete or not at all: a page for a browser
 * when path ends in ".html", otherwise JSON. Returns 1, or 0 after a warning. */
int specrt_write_report(const char *path);

enum specrt_region_state {
  SPECRT_STATE_COLD = 0,        /* not called, or not for long enough */
  SPECRT_STATE_PROFILING = 1,   /* some calls are observed */
  SPECRT_STATE_COMPILING = 2,   /* hot; the first version is being compiled */
  SPECRT_STATE_TRIAL = 3,       /* candidates run on real calls in turn with the original */
  SPECRT_STATE_SPECIALISED = 4, /* at least one version is in use */
  SPECRT_STATE_RETIRED = 5,     /* no version was worth it; runs the original */
  SPECRT_STATE_BLOCKED = 6      /* cannot be specialised; runs the original */
};

/* What is known about one region. Times are nanoseconds per call, 0 when unknown. Counts of a
 * region that many threads call are approximate. */
typedef struct specrt_region_info {
  char name[128];     /* "function:line", cut to fit */
  char version[64];   /* candidate name of the first version in use, "" without */
  char reason[256];   /* why it is retired, blocked or deferred, "" otherwise; cut to fit */
  uint32_t state;     /* enum specrt_region_state */
  uint32_t versions;  /* in use */
  uint64_t calls;     /* seen; the calls of a retired or blocked region are not */
  uint64_t hits;      /* calls that ran a version */
  uint64_t misses;    /* calls whose guards all failed, so that the original ran */
  double original_ns; /* with a version: on the calls that best_ns is about */
  double best_ns;     /* of the version in use that is hit most */
  uint32_t compiles;  /* so far */
  uint32_t reserved;
} specrt_region_info;

/* Calls visit for every region of the loaded images, also for those never called, until it returns
 * a value other than 0, and returns that value; 0 at the end. info is valid during the call.
 * visit may call specrt functions. */
int specrt_for_each_region(int (*visit)(const specrt_region_info *info, void *context),
                           void *context);

/* The first region with this name. Returns 1 and fills *info, or 0. */
int specrt_find_region(const char *name, specrt_region_info *info);

/* Declares that these bytes have changed, or may have. No program has to call it. A program that
 * does makes a promise: from the first call on, each change of these bytes is followed by a call
 * that covers the changed bytes, before a loop compiled with specrt reads them. A version then
 * needs one load to know that its index arrays are unchanged. If bytes change without a call, loops
 * may compute results from the old ones. The promise holds until specrt_touch_end, which must be
 * called before the memory is freed or reused.
 *
 * Must be called by the thread that changed the bytes, or by one synchronised with it. Takes about
 * 30 ns. */
void specrt_touch(const void *address, size_t bytes);

/* Ends the promise for these bytes, whether or not there was one. They count as changed. */
void specrt_touch_end(const void *address, size_t bytes);

/* Number of compiles that this process has asked for, and whether it has asked a compile server for
 * anything (docs/server.md). */
uint64_t specrt_num_compiles(void);
int specrt_compiler_loaded(void);

#ifdef __cplusplus
}
#endif
#endif
