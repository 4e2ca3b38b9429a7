//===- runtime/parallel/surroundings.cpp - determines whether a loop may run in parallel ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/parallel/surroundings.h"
#include "support/process/marked_process.h"

#include <atomic>
#include <climits>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <oneapi/tbb/task.h>
#include <oneapi/tbb/task_arena.h>
#include <pthread.h>
#include <sched.h>

namespace specrt {
namespace {

std::atomic<bool> Forked{false};

/// Whether this thread can throw exceptions. The model is initial-exec: a region may run in a
/// signal handler, where the loader must not allocate memory.
thread_local __attribute__((tls_model("initial-exec"))) bool MayThrow = false;

bool inTbbTask() {
  // The first call does not register the thread with TBB, the second one would.
  return tbb::this_task_arena::current_thread_index() != tbb::task_arena::not_initialized &&
         tbb::task::current_context() != nullptr;
}

/// Returns whether the thread is in an OpenMP region. A runtime may be loaded at any time, so a
/// missing one is looked up again now and then.
bool inOpenMpRegion() {
  using InParallel = int (*)();
  static std::atomic<InParallel> Known{nullptr};
  static std::atomic<unsigned> Asked{0};
  InParallel Function = Known.load(std::memory_order_relaxed);
  if (!Function && Asked.fetch_add(1, std::memory_order_relaxed) % 256 == 0) {
    Function = reinterpret_cast<InParallel>(dlsym(RTLD_DEFAULT, "omp_in_parallel"));
    Known.store(Function, std::memory_order_relaxed);
  }
  return Function && Function() != 0;
}

/// The bounds of the calling thread's stack; 0 while they are unknown.
struct StackBounds {
  uintptr_t Low = 0, High = 0;
};
thread_local StackBounds OwnStack __attribute__((tls_model("initial-exec")));

/// Determines the bounds. The main thread's stack is as large as its limit allows, whatever its
/// current size.
StackBounds findStack() {
  StackBounds Found;
  pthread_attr_t Attributes;
  if (pthread_getattr_np(pthread_self(), &Attributes) != 0)
    return Found;
  void *Low = nullptr;
  size_t Bytes = 0;
  if (pthread_attr_getstack(&Attributes, &Low, &Bytes) == 0)
    Found = {reinterpret_cast<uintptr_t>(Low), reinterpret_cast<uintptr_t>(Low) + Bytes};
  pthread_attr_destroy(&Attributes);
  return Found;
}

} // namespace

bool hasStackForTbb() {
  // TBB needed 2 KB in measurements, and a version's own part another 3 KB.
  constexpr uintptr_t Enough = 16 * 1024;
  if (OwnStack.High == 0)
    OwnStack = findStack();
  auto Here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return OwnStack.Low < Here && Here < OwnStack.High && Here - OwnStack.Low >= Enough;
}

bool hostIsParallel() { return inTbbTask() || inOpenMpRegion(); }

bool isForkedChild() { return Forked.load(std::memory_order_relaxed) || !isMarkedProcess(); }

void noteForkedChild() { Forked.store(true, std::memory_order_relaxed); }

bool watchForks(void (*Before)(), void (*InParent)(), void (*InChild)()) {
  markProcess();
  // std::call_once is not used: in a child of _Fork it would wait for ever for a thread of the
  // parent that was registering.
  static std::atomic<bool> IsWatching{false};
  if (IsWatching.exchange(true, std::memory_order_relaxed))
    return true;
  const bool IsRegistered = pthread_atfork(Before, InParent, InChild) == 0;
  if (!IsRegistered)
    IsWatching.store(false, std::memory_order_relaxed);
  return IsRegistered;
}

bool canThrow() noexcept {
  if (MayThrow)
    return true;
  // for variables of libstdc++ and the thread's table of modules (dtv)
  constexpr size_t Enough = 4096;
  void *volatile Probe = std::malloc(Enough); // the compiler must not drop it
  const bool HasMemory = Probe;
  std::free(Probe);
  return MayThrow = HasMemory && abi::__cxa_get_globals();
}

unsigned allowedProcessors() {
  // Machines with more processors than a fixed cpu_set_t holds make the call fail.
  for (int Processors = CPU_SETSIZE; Processors <= (1 << 20); Processors *= 4) {
    size_t Size = CPU_ALLOC_SIZE(Processors);
    cpu_set_t Fixed;
    cpu_set_t *Set = Processors == CPU_SETSIZE ? &Fixed : CPU_ALLOC(Processors);
    if (!Set)
      break;
    bool Known = sched_getaffinity(0, Size, Set) == 0;
    int Count = Known ? CPU_COUNT_S(Size, Set) : 0;
    if (Set != &Fixed)
      CPU_FREE(Set);
    if (Known)
      return Count > 0 ? static_cast<unsigned>(Count) : 1;
  }
  return 1;
}

unsigned limitFromEnvironment() {
  const char *Text = secure_getenv("SPECRT_THREADS");
  char *End = nullptr;
  unsigned long Value = Text ? std::strtoul(Text, &End, 10) : 0;
  return Value == 0 || *End != '\0' || Value > UINT_MAX ? UINT_MAX : static_cast<unsigned>(Value);
}

} // namespace specrt
