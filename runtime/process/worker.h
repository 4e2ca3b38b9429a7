//===- runtime/process/worker.h - the background thread -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PROCESS_WORKER_H
#define SPECRT_RUNTIME_PROCESS_WORKER_H

#include <cstdint>

namespace specrt {

/// From now on the first request of a call starts the one background thread: when a region is hot,
/// or a version that an earlier run left is wanted. A program without hot regions has none. The
/// thread blocks all signals, has descriptors of its own, never preempts the program's threads, and
/// sleeps while there is nothing to do.
void startWorkerOnDemand();

/// Starts the thread now unless it runs, or nothing could come of it (compiling is off and no
/// profile is written). Not in signal handlers.
void startWorker() noexcept;

/// In a forked child, where the thread does not exist: the first request starts a new one.
void forgetWorkerAfterFork();

/// Waits until the queue is empty and the worker sleeps, at most TimeoutMs. True when it does.
bool waitForIdleWorker(uint32_t TimeoutMs);

/// Makes the worker stop before its next piece of work, for ever. Does not wait. The thread stays:
/// ending it beside exit would destroy its thread-local objects beside the static ones.
void stopWorker();

/// The same, and waits until the thread has ended, which waits for no compile. For a main thread
/// that ends while the program goes on: a process has ended only when all its threads have.
void endWorker();

} // namespace specrt

#endif
