//===- tests/jit/recording.h - instrumented versions, called in a test ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_JIT_RECORDING_H
#define SPECRT_TESTS_JIT_RECORDING_H

#include "jit/compiler.h"
#include "profiler/streams/recorded_words.h"
#include "tests/jit/shared_compiler.h"
#include "tests/specializer/test_region.h"
#include "gtest/gtest.h"
#include <map>
#include <string>
#include <tuple>
#include <vector>

/// A recording with a plan of windows, made by hand.
struct TestRecording : specrt_recording {
  explicit TestRecording(size_t NumWords = size_t{1} << 20) : specrt_recording{}, Words(NumWords) {
    window = [](specrt_recording *R, uint32_t Loop, uint64_t Iteration, uint64_t Trips) {
      auto &Mine = *static_cast<TestRecording *>(R);
      Mine.Asked.emplace_back(Loop, Iteration, Trips);
      return Mine.plan(Iteration);
    };
    rows = [](specrt_recording *, uint32_t, const specrt_sparse_loop *, const uint64_t *,
              uint64_t) {};
    more = [](specrt_recording *R) {
      auto &Mine = *static_cast<TestRecording *>(R);
      ++Mine.NumFull;
      return uint32_t{0};
    };
  }

  /// Gives it room for so many words, once the version is known.
  void begin(const specrt_jit_instrumented &Version, size_t Room) {
    ASSERT_LE(Room + Version.words, Words.size());
    next = Words.data();
    end = next + Room;
  }

  uint64_t plan(uint64_t Iteration) {
    auto After = Windows.upper_bound(Iteration);
    auto Now = Windows.find(Iteration);
    if (Now != Windows.end())
      mode = Now->second;
    return After == Windows.end() ? UINT64_MAX : After->first;
  }

  std::vector<uint64_t> Words;
  /// From which iteration on, in which mode.
  std::map<uint64_t, uint32_t> Windows = {{0, SPECRT_RECORD_ALL}};
  std::vector<std::tuple<uint32_t, uint64_t, uint64_t>> Asked;
  unsigned NumFull = 0;
};

/// An access as it was recorded.
struct Event {
  unsigned Access; ///< in the table
  std::vector<int64_t> At;
  uint64_t Address;
  int64_t Value;
};

inline std::vector<Event> eventsOf(const TestRecording &R, const specrt_jit_instrumented &Version) {
  std::vector<Event> Events;
  specrt::RecordedWords Reader({R.Words.data(), R.next}, {Version.accesses, Version.num_accesses});
  for (specrt::RecordedPoint P{}; Reader.next(P);)
    Events.push_back({.Access = P.Access,
                      .At = {P.At, P.At + Version.accesses[P.Access].depth},
                      .Address = P.Address,
                      .Value = P.Value});
  return Events;
}

/// The instrumented version of a region.
struct Instrumented {
  explicit Instrumented(TestRegion &R, size_t Room = 1 << 19) {
    Version = sharedCompiler().instrument(R.request(), Into);
    EXPECT_TRUE(!Version->error || lacksStack()) << Version->error;
    if (!Version->error)
      Into.begin(*Version, Room);
  }
  /// Returns whether there is no version, because it would take too much stack. For some processors
  /// with vectors of 64 bytes LLVM spills kilobytes of them.
  bool lacksStack() const {
    return Version->error &&
           std::string(Version->error).find("bytes of stack") != std::string::npos;
  }
  ~Instrumented() {
    sharedCompiler().release(Version->handle);
    delete static_cast<const specrt::InstrumentedResult *>(Version);
  }
  template <typename Type> Type *as() const { return reinterpret_cast<Type *>(Version->body); }
  std::vector<Event> events() const { return eventsOf(Into, *Version); }

  TestRecording Into;
  const specrt_jit_instrumented *Version;
};

#endif
