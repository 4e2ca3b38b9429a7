//===- runtime/process/worker.h - the background thread -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PROCESS_WORKER_H
#define SPECRT_RUNTIME_PROCESS_WORKER_H

#include "runtime/decide/registry_lock.h"
#include <cstdint>

namespace specrt {

/// Starts the one background thread unless it runs, or nothing could come of it (compiling is off
/// and no profile is written). The thread blocks all signals, never preempts the program's
/// threads, and sleeps while there is nothing to do.
void startWorker(const RegistryLock &Guard);

/// In a forked child, where the thread does not exist: starts a new one if the parent had one.
void restartWorkerAfterFork();

/// Waits until the queue is empty and the worker sleeps, at most TimeoutMs. True when it does.
bool waitForIdleWorker(uint32_t TimeoutMs);

/// Makes the worker end before its next piece of work. Does not wait.
void stopWorker();

/// Is there a worker in this process?
bool workerRuns();

} // namespace specrt

#endif
