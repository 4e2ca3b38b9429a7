//===- runtime/call/work_queue.h - what the program asks of the worker ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lock-free stack of regions and a semaphore. Pushing is async-signal-safe; a region is on the
// stack at most once and collects its requests as bits.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CALL_WORK_QUEUE_H
#define SPECRT_RUNTIME_CALL_WORK_QUEUE_H

#include "runtime/call/region_state.h"

namespace specrt {

/// Adds Bits to the region's requests and wakes the worker, which is started when there is none.
/// For calls of regions: async-signal-safe, preserves errno.
void request(RegionState &S, uint32_t Bits);

/// The same for what can wait until a region is called: starts no worker.
void requestLater(RegionState &S, uint32_t Bits);

/// Wakes the worker without a request; starts it when there is none.
void wakeWorker();

/// A request that comes from a signal handler cannot start the worker, because starting a thread
/// allocates. Tries it again where requests wait and there is no worker; returns whether that was
/// so. For calls of regions: async-signal-safe.
bool startMissingWorker();

/// What starts the worker: called by request and wakeWorker, on any thread, in signal handlers too.
/// It decides by itself whether there is one, and whether one can be started now.
using WorkerStarter = void (*)() noexcept;
void setWorkerStarter(WorkerStarter Start);

/// Is there a worker in this process that could serve a request? Async-signal-safe.
bool hasWorker();

/// All queued regions in the order of their requests, linked by NextQueued; null when empty. Each
/// is off the queue once its requests were taken. Worker only.
RegionState *takeQueued();

/// Takes the region whose turn it is out of such a list: calls that run cannot wait, what a trial
/// has shown and what takes no time need only be done, and of the others that one comes first in
/// which the program has spent most. Of equals the first. Once its requests are taken it may be
/// queued again and its link change. Worker only.
RegionState *takeNext(RegionState *&First);

/// Takes the region off the queue and returns its requests. Worker only.
uint32_t takeRequests(RegionState &S);

bool queueIsEmpty();

/// Sleeps until woken, at most TimeoutMs (0: without limit). Worker only.
void waitForWork(uint32_t TimeoutMs);

/// After fork in the child: the semaphore's waiter does not exist here.
void resetQueueAfterFork();

/// After that, before a second thread exists: request for a region that the parent's worker may
/// have had in hand.
void requestAgainAfterFork(RegionState &S, uint32_t Bits);

/// True on the thread that runs the worker, and on those for which it waits.
bool onWorkerThread();
/// The calling thread is the worker from now on.
void becomeWorkerThread();
/// There is a worker, or there is none: told by who starts it, before it runs.
void setHasWorker(bool Has);

} // namespace specrt

#endif
