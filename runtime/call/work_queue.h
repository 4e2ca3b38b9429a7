//===- runtime/call/work_queue.h - requests to the worker -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queue is a lock-free stack of regions and a semaphore. Pushing is async-signal-safe; a region
// is on the stack at most once and collects its requests as bits.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CALL_WORK_QUEUE_H
#define SPECRT_RUNTIME_CALL_WORK_QUEUE_H

#include "runtime/call/region_state.h"

namespace specrt {

/// Adds Bits to the region's requests and wakes the worker, which is started when there is none.
/// Calls of regions use this: async-signal-safe, preserves errno.
void request(RegionState &S, uint32_t Bits);

/// Adds Bits to the region's requests, but starts no worker: the request can wait until a region is
/// called.
void requestLater(RegionState &S, uint32_t Bits);

/// Wakes the worker without a request; starts it when there is none.
void wakeWorker();

/// Starts the worker if requests wait and there is none; returns whether that was so. A request
/// from a signal handler cannot start it, because starting a thread allocates. For calls of
/// regions: async-signal-safe.
bool startMissingWorker();

/// A function that starts the worker. request and wakeWorker call it, on any thread and in signal
/// handlers. It decides itself whether there is a worker, and whether one can be started now.
using WorkerStarter = void (*)() noexcept;
void setWorkerStarter(WorkerStarter Start);

/// Returns whether this process has a worker that could serve a request. Async-signal-safe.
bool hasWorker();

/// Returns all queued regions in the order of their requests, linked by NextQueued; null when there
/// is none. Each leaves the queue when its requests are taken. Worker only.
RegionState *takeQueued();

/// Removes the next region from such a list: first requests of running calls, then decided trials
/// and requests that take no time, then the region in which the program has spent most time; the
/// first of equals. Once its requests are taken it may be queued again and its link change. Worker
/// only.
RegionState *takeNext(RegionState *&First);

/// Removes the region from the queue and returns its requests. Worker only.
uint32_t takeRequests(RegionState &S);

bool queueIsEmpty();

/// Sleeps until woken, at most TimeoutMs (0: without limit). Worker only.
void waitForWork(uint32_t TimeoutMs);

/// Resets the semaphore after fork in the child, where its waiter does not exist.
void resetQueueAfterFork();

/// Must be called after that, before a second thread exists: repeats requests for a region that the
/// parent's worker may have taken.
void requestAgainAfterFork(RegionState &S, uint32_t Bits);

/// Returns true on the thread that runs the worker, and on those for which it waits.
bool onWorkerThread();
/// Makes the calling thread the worker.
void becomeWorkerThread();
/// Sets whether there is a worker. The thread that starts it calls this before the worker runs.
void setHasWorker(bool Has);

} // namespace specrt

#endif
