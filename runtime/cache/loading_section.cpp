//===- runtime/cache/loading_section.cpp - the worker in the dynamic loader ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/loading_section.h"
#include "runtime/call/work_queue.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <new>

namespace specrt {
namespace {

std::timed_mutex Mutex;
unsigned Depth = 0; ///< of the worker's sections
std::atomic<bool> Occupied{false};
thread_local bool HeldByFork __attribute__((tls_model("initial-exec"))) = false;

} // namespace

LoadingSection::LoadingSection() : Holds(onWorkerThread()) {
  if (!Holds || Depth++ > 0)
    return;
  Mutex.lock();
  Occupied.store(true, std::memory_order_relaxed);
}

LoadingSection::~LoadingSection() {
  if (!Holds || --Depth > 0)
    return;
  Occupied.store(false, std::memory_order_relaxed);
  Mutex.unlock();
}

bool LoadingSection::isOccupied() { return Occupied.load(std::memory_order_relaxed); }

void suspendLoading() { HeldByFork = Mutex.try_lock_for(std::chrono::seconds(1)); }

void resumeLoading() {
  if (HeldByFork)
    Mutex.unlock();
  HeldByFork = false;
}

void forgetLoading() {
  new (&Mutex) std::timed_mutex();
  Depth = 0;
  Occupied.store(false, std::memory_order_relaxed);
  HeldByFork = false;
}

} // namespace specrt
