//===- tests/runtime/stories/fake_control.h - what the host tells the fake compiler ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host exports one FakeControl; the fake compiler, loaded by libspecrt.so, finds it with dlsym.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_RUNTIME_STORIES_FAKE_CONTROL_H
#define SPECRT_TESTS_RUNTIME_STORIES_FAKE_CONTROL_H

#include <atomic>
#include <cstdint>

/// Every test region: `Work` microseconds of it, on behalf of the value `N`.
using RegionFn = int64_t (*)(int64_t N, int64_t Work, int64_t *Data);

struct FakeCandidate {
  const char *Name;
  RegionFn Body;
  uint32_t MoreGuards = 0; ///< that always hold, beside those that all candidates have
};

struct FakeControl {
  FakeCandidate Candidates[4] = {};
  std::atomic<uint32_t> NumCandidates{0};
  std::atomic<uint32_t> CompileMs{0};       ///< how long a compile takes
  std::atomic<uint32_t> ProcessorMs{0};     ///< what it takes of the processor, before that
  std::atomic<bool> NeverReturns{false};    ///< a compile takes for ever, without a checkpoint
  std::atomic<uint32_t> Watches{0};         ///< calls of watch
  std::atomic<const char *> Error{nullptr}; ///< what compile answers
  std::atomic<const char *> StartError{nullptr};
  std::atomic<bool> ImpossibleGuards{false}; ///< guards that never hold
  std::atomic<bool> NoEntry{false};

  std::atomic<uint32_t> EntryMs{0}; ///< how long an entry takes

  std::atomic<uint32_t> OpenMs{0}; ///< how long dlopen takes

  std::atomic<uint32_t> LastFpMode{~0u}; ///< of the last request

  std::atomic<uint32_t> Opening{0};
  std::atomic<uint32_t> InsideEntry{0};
  std::atomic<uint32_t> Compiles{0};
  std::atomic<uint64_t> FirstIteration{0}; ///< of the latest compile
  std::atomic<uint32_t> Compiling{0};      ///< inside compile now
  std::atomic<uint32_t> Released{0};
  std::atomic<uint32_t> Parked{0};
  std::atomic<uint32_t> Threads{0}; ///< that the last request allows
  std::atomic<int> Nice{-1};        ///< of the thread that compiled last
};

#endif
