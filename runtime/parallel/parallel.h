/* runtime/parallel/parallel.h - what parallel versions call to run their loops on TBB.
 *
 * Polly's GNU OpenMP back end turns a parallel loop into
 *     start(fn, data, threads, begin, end, step); fn(data); end();
 * where fn asks for chunks: while (next(&lb, &ub)) { iterations lb, lb + step, ... < ub }
 * end_nowait(). The jit binds those calls to the functions below, which have names of their own, so
 * that an OpenMP runtime in the host program is never involved.
 *
 * All functions may be called from any thread. None throws, and none fails: whatever prevents
 * parallel execution makes the loop run on the calling thread.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_RUNTIME_PARALLEL_PARALLEL_H
#define SPECRT_RUNTIME_PARALLEL_PARALLEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Limits later loops to this many threads, the caller included; 0: as many as the affinity mask
 * allows, which is a limit in any case. Until the first call the limit is the environment's
 * SPECRT_THREADS. Starts TBB without threads, which cannot be done any more once exit has run its
 * destructors. */
void specrt_parallel_configure(unsigned threads);

/* Makes all loops from now on serial, whatever is configured later. Waits for the one that threads
 * share and until TBB's threads have ended, unless the program uses TBB, too. Not from a loop. */
void specrt_parallel_end_threads(void);

/* Threads that a loop started here and now would use at most; 1: it would run serially. */
unsigned specrt_parallel_threads(void);

/* Nonzero once TBB had no memory or no threads: all loops run on their callers' threads from then
 * on. */
int specrt_parallel_failed(void);

/* Another number whenever threads of this process begin to share a loop of ours, or have done it;
 * odd while they do. */
uint64_t specrt_parallel_loops(void);

/* Runs the iterations begin, begin + step, ... on the near side of end (below it for a positive
 * step, above it for a negative one) by calling fn(data) on several threads, each of which takes
 * chunks with next until none is left. All iterations are complete on return; the caller's own
 * fn(data) that follows finds nothing to do. threads: at most that many; 0: the limit.
 *
 * Serial, by one fn(data) on this thread, where parallelism exists already: inside another loop of
 * ours, while another thread runs one and for some milliseconds after two threads have met like
 * that, in a TBB task or an OpenMP parallel region of the host; and in a forked child, where TBB's
 * threads do not exist. Workers have the caller's floating-point environment during the loop;
 * exceptions that they flag are flagged in the caller. */
void specrt_parallel_loop_runtime_start(void (*fn)(void *), void *data, unsigned threads,
                                        long begin, long end, long step);

/* The same, for a body that asks for memory of each thread with specrt_loop_private: bytes of it.
 */
void specrt_parallel_private_loop_start(void (*fn)(void *), void *data, unsigned threads,
                                        long begin, long end, long step, uint64_t bytes);

/* The same for a pipeline: each thread takes one range of the iterations, with next, and executes
 * all steps of another loop on it. Serial, there is one range. */
void specrt_parallel_pipeline_start(void (*fn)(void *), void *data, unsigned threads, long begin,
                                    long end, long step);

/* Loops inside each other. A loop has constant + factors[0] * i + factors[1] * j iterations, where
 * i and j are the numbers, from 0 on, of the iterations of the loops around it. The numbers of all
 * loops but the outermost one only serve to balance threads: wrong ones cost time and change no
 * result. */
struct specrt_ranked_nest {
  uint64_t loops;   /* from the outermost one, at most 3 */
  uint64_t cuts;    /* the innermost loop that may be cut; 1 is the outermost one */
  uint64_t threads; /* the number of threads for which the compiler has chosen cuts; 0: none */
  double point_ns;  /* nanoseconds of an innermost iteration */
  struct {
    int64_t constant;
    int64_t factors[2];
  } extents[3];
};

/* Runs the nest like the functions above, by calling fn(data) on several threads, each of which
 * takes runs of iterations with specrt_loop_nest_next until none is left. Decides by a model how
 * threads share it (support/ranking/nest_cuts.h). Each thread may ask for bytes bytes of memory.
 * nest is read before fn is called. */
void specrt_parallel_nest_start(void (*fn)(void *), void *data, unsigned threads,
                                const struct specrt_ranked_nest *nest, uint64_t bytes);

/* Inside fn of a nest: takes the next run, iterations of one loop within an iteration of each loop
 * around it. Returns the loop, 1: the outermost one, or 0 if no run is left. Sets run[0] to the
 * first iteration, run[1] to the one before which the run ends, INT64_MAX for the end of the loop,
 * and run[2] and run[3] to the iterations of the outermost loop and the one in it, unless those are
 * in the run. An iteration of an inner loop that is not there is skipped. */
unsigned specrt_loop_nest_next(int64_t *run);

/* Inside fn of a pipeline, before step 0, 1, ... on the range of this thread: waits until the step
 * is complete on the range before. */
void specrt_loop_step(long number);

/* Inside fn: the memory of this thread for the innermost loop. Null if the loop is serial: then its
 * iterations run in their order. */
void *specrt_loop_private(void);

/* Inside fn: takes the next chunk of the innermost loop of this thread. False: none is left. */
bool specrt_loop_runtime_next(long *begin, long *end);

/* Inside fn, when next returned false. */
void specrt_loop_end_nowait(void);

/* Ends what start began. */
void specrt_parallel_end(void);

#ifdef __cplusplus
}
#endif
#endif
