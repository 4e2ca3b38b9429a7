//===- runtime/process/worker.h - the background thread -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PROCESS_WORKER_H
#define SPECRT_RUNTIME_PROCESS_WORKER_H

#include <cstdint>

namespace specrt {

/// Makes the first request of a call start the background thread: when a region is hot, or a stored
/// version of an earlier run is wanted. A program without hot regions has no such thread. It blocks
/// all signals, has descriptors of its own, never preempts the program's threads, and sleeps while
/// there is nothing to do.
void startWorkerOnDemand();

/// Starts the thread unless it runs or has nothing to do (compiling is off and no profile is
/// written). Not in signal handlers.
void startWorker() noexcept;

/// Called in a forked child, where the thread does not exist: the first request starts a new one.
void forgetWorkerAfterFork();

/// Waits until the queue is empty and the worker sleeps, at most TimeoutMs. Returns whether it
/// does.
bool waitForIdleWorker(uint32_t TimeoutMs);

/// Makes the worker stop before its next piece of work, for ever. Does not wait. The thread is not
/// ended: during exit that would destroy its thread-local objects while static ones are destroyed.
void stopWorker();

/// Does what stopWorker does and waits until the thread has ended, but not for a compile. Called
/// when the main thread ends while the program continues: a process ends only after all its
/// threads.
void endWorker();

} // namespace specrt

#endif
