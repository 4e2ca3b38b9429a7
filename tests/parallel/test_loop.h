//===- tests/parallel/test_loop.h - a parallel loop as the compiler emits it ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_PARALLEL_TEST_LOOP_H
#define SPECRT_TESTS_PARALLEL_TEST_LOOP_H

#include "runtime/parallel/parallel.h"

#include <chrono>
#include <functional>
#include <mutex>
#include <sched.h>
#include <set>
#include <thread>

namespace specrt_test {

/// What Polly emits around a loop body: Body(begin, end) runs one chunk.
struct Loop {
  std::function<void(long, long)> Body;

  static void call(void *Data) {
    Loop &Self = *static_cast<Loop *>(Data);
    long Begin, End;
    while (specrt_loop_runtime_next(&Begin, &End))
      Self.Body(Begin, End);
    specrt_loop_end_nowait();
  }
  void run(unsigned Threads, long Begin, long End, long Step = 1) {
    specrt_parallel_loop_runtime_start(call, this, Threads, Begin, End, Step);
    call(this);
    specrt_parallel_end();
  }
};

/// Threads that took part in a loop with long iterations.
inline size_t threadsOf(unsigned Threads, long Iterations = 64) {
  std::mutex Lock;
  std::set<std::thread::id> Ids;
  Loop L{[&](long Begin, long End) {
    std::this_thread::sleep_for(std::chrono::milliseconds(End - Begin));
    std::lock_guard<std::mutex> Guard(Lock);
    Ids.insert(std::this_thread::get_id());
  }};
  L.run(Threads, 0, Iterations);
  return Ids.size();
}

inline bool hasTwoProcessors() {
  cpu_set_t Set;
  return sched_getaffinity(0, sizeof(Set), &Set) == 0 && CPU_COUNT(&Set) >= 2;
}

} // namespace specrt_test

#endif
