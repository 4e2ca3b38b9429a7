//===- tests/runtime/stories/fake_control.h - what host and fake compiler share ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host creates a file that holds one FakeControl and maps it before it registers a region. The
// fake compiler, which runs in the worker processes of specrt-server, finds the file's path in the
// entry_symbol of each region and maps it, too. So the structure contains no pointers.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_RUNTIME_STORIES_FAKE_CONTROL_H
#define SPECRT_TESTS_RUNTIME_STORIES_FAKE_CONTROL_H

#include <atomic>
#include <cstdint>

/// Every test region: `Work` microseconds of it, on behalf of the value `N`.
using RegionFn = int64_t (*)(int64_t N, int64_t Work, int64_t *Data);

/// The functions of the host that candidates can stand for are the symbols of every test region.
constexpr uint32_t NumFakeBodies = 12;

struct FakeCandidate {
  char Name[32];
  uint32_t Which;      ///< the position of its body among the region's symbols
  uint32_t MoreGuards; ///< that always hold, beside those that all candidates have
};

struct FakeControl {
  // Written by the host.
  FakeCandidate Candidates[4] = {};
  std::atomic<uint32_t> NumCandidates{0};
  std::atomic<uint32_t> CompileMs{0};        ///< how long a compile sleeps
  std::atomic<uint32_t> ProcessorMs{0};      ///< how long it computes before that
  std::atomic<bool> NeverReturns{false};     ///< a compile takes for ever
  std::atomic<bool> Crashes{false};          ///< a compile aborts its process
  char Error[64] = {};                       ///< what compile answers, if HasError
  std::atomic<bool> HasError{false};         ///< set after Error
  std::atomic<bool> ImpossibleGuards{false}; ///< guards that never hold

  // Written by the fake compiler, about the latest compile where nothing else is said.
  std::atomic<uint32_t> LastFpMode{~0u};
  std::atomic<uint32_t> Compiles{0}; ///< that have begun
  std::atomic<uint32_t> Built{0};    ///< candidates of all compiles
  std::atomic<uint64_t> FirstIteration{0};
  std::atomic<uint64_t> ProbeEnd{0};  ///< end_iteration of the latest compile that had one
  std::atomic<uint32_t> Compiling{0}; ///< inside compile now, or killed there
  std::atomic<uint32_t> Threads{0};   ///< that the request allows
  std::atomic<int> Policy{-1};        ///< sched_getscheduler of the compiling process
  std::atomic<int> Compiler{0};       ///< process id of the compiling process
  std::atomic<int> Server{0};         ///< process id of the process that started the compiler
};
static_assert(std::atomic<uint64_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free,
              "the atomics work between processes");

#endif
