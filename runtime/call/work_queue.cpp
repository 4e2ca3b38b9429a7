//===- runtime/call/work_queue.cpp - requests to the worker ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/work_queue.h"
#include "support/process/marked_process.h"

#include <cerrno>
#include <ctime>
#include <pthread.h>
#include <semaphore.h>
#include <utility>

namespace specrt {
namespace {

std::atomic<RegionState *> Top{nullptr};
std::atomic<pthread_t> WorkerThread{};
std::atomic<bool> HasWorkerThread{false}; ///< WorkerThread is valid
std::atomic<bool> Exists{false};

sem_t Semaphore;

// Initialised before the constructors of instrumented code, which may already call regions.
[[gnu::constructor(101)]] void initSemaphore() { sem_init(&Semaphore, 0, 0); }

/// null: no worker is started
std::atomic<WorkerStarter> Starter{nullptr};

void post() {
  int SavedErrno = errno;
  sem_post(&Semaphore);
  errno = SavedErrno;
}

void callStarter() {
  if (WorkerStarter Start = Starter.load(std::memory_order_acquire))
    Start();
}

} // namespace

void setWorkerStarter(WorkerStarter Start) { Starter.store(Start, std::memory_order_release); }

void wakeWorker() {
  post();
  callStarter();
}

bool startMissingWorker() {
  if (hasWorker() || queueIsEmpty())
    return false;
  callStarter();
  return true;
}

void request(RegionState &S, uint32_t Bits) {
  requestLater(S, Bits);
  callStarter();
}

void requestLater(RegionState &S, uint32_t Bits) {
  S.Requests.fetch_or(Bits, std::memory_order_release);
  if (S.Queued.exchange(1, std::memory_order_acq_rel) == 0) {
    RegionState *Old = Top.load(std::memory_order_relaxed);
    do
      S.NextQueued.store(Old, std::memory_order_relaxed);
    while (!Top.compare_exchange_weak(Old, &S, std::memory_order_release));
  }
  post();
}

RegionState *takeQueued() {
  RegionState *Reversed = nullptr;
  RegionState *Next = Top.exchange(nullptr, std::memory_order_acquire);
  while (Next) {
    RegionState *S = Next;
    Next = S->NextQueued.load(std::memory_order_relaxed);
    S->NextQueued.store(Reversed, std::memory_order_relaxed);
    Reversed = S;
  }
  return Reversed;
}

static uint32_t urgencyOf(uint32_t Requests) {
  if (Requests & RequestOsr)
    return 3;
  if (Requests & RequestDecide)
    return 2;
  return (Requests & ~uint32_t{RequestProfile}) == 0;
}

RegionState *takeNext(RegionState *&First) {
  RegionState *Before = nullptr, *Found = nullptr;
  std::pair<uint32_t, uint64_t> Most;
  for (RegionState *Prior = nullptr, *S = First; S;
       Prior = S, S = S->NextQueued.load(std::memory_order_relaxed)) {
    const uint32_t Requests = S->Requests.load(std::memory_order_relaxed);
    const std::pair Wanted{urgencyOf(Requests), __atomic_load_n(&S->TotalTicks, __ATOMIC_RELAXED)};
    if (!Found || Wanted > Most) {
      Most = Wanted;
      Before = Prior;
      Found = S;
    }
  }
  RegionState *After = Found->NextQueued.load(std::memory_order_relaxed);
  if (Before)
    Before->NextQueued.store(After, std::memory_order_relaxed);
  else
    First = After;
  return Found;
}

uint32_t takeRequests(RegionState &S) {
  // The region leaves the queue first: a request that comes now is either seen here or queues the
  // region again.
  S.Queued.exchange(0, std::memory_order_acq_rel);
  return S.Requests.exchange(0, std::memory_order_acq_rel);
}

bool queueIsEmpty() { return Top.load(std::memory_order_acquire) == nullptr; }

void waitForWork(uint32_t TimeoutMs) {
  if (TimeoutMs == 0) {
    sem_wait(&Semaphore);
    return;
  }
  timespec Until;
  clock_gettime(CLOCK_MONOTONIC, &Until);
  Until.tv_sec += TimeoutMs / 1000;
  Until.tv_nsec += long{TimeoutMs % 1000} * 1000000;
  if (Until.tv_nsec >= 1000000000) {
    Until.tv_nsec -= 1000000000;
    ++Until.tv_sec;
  }
  sem_clockwait(&Semaphore, CLOCK_MONOTONIC, &Until);
}

void resetQueueAfterFork() {
  sem_init(&Semaphore, 0, queueIsEmpty() ? 0 : 1);
  setHasWorker(false);
}

void requestAgainAfterFork(RegionState &S, uint32_t Bits) {
  RegionState *Next = Top.load(std::memory_order_relaxed);
  while (Next && Next != &S)
    Next = Next->NextQueued.load(std::memory_order_relaxed);
  // The region may be marked as queued without being on the stack, because the parent's worker had
  // taken it.
  if (!Next)
    S.Queued.store(0, std::memory_order_relaxed);
  requestLater(S, Bits);
}

bool onWorkerThread() {
  return HasWorkerThread.load(std::memory_order_relaxed) &&
         pthread_equal(WorkerThread.load(std::memory_order_relaxed), pthread_self());
}

void becomeWorkerThread() {
  WorkerThread.store(pthread_self(), std::memory_order_relaxed);
  HasWorkerThread.store(true, std::memory_order_relaxed);
}

void setHasWorker(bool Has) {
  Exists.store(Has, std::memory_order_release);
  if (!Has)
    HasWorkerThread.store(false, std::memory_order_relaxed);
}

bool hasWorker() { return Exists.load(std::memory_order_acquire) && isMarkedProcess(); }

} // namespace specrt
