//===- tests/runtime/stories/host.h - the program in which the scenarios play -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_RUNTIME_STORIES_HOST_H
#define SPECRT_TESTS_RUNTIME_STORIES_HOST_H

#include "specrt/specrt.h"
#include "tests/runtime/stories/test_region.h"
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>

namespace host {

/// What this process shares with the fake compiler.
FakeControl &control();

/// Ends the program when the condition does not hold.
#define CHECK(Condition)                                                                           \
  do {                                                                                             \
    if (!(Condition)) {                                                                            \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #Condition);                         \
      host::dump();                                                                                \
      std::_Exit(1);                                                                               \
    }                                                                                              \
  } while (false)

/// Prints what libspecrt knows, to understand a failed check.
void dump();

/// The original and four candidates. All return the same for the same arguments. The original
/// works for `Work` microseconds, half for half of it, fast for a quarter, slow for twice, and
/// fading for a quarter until FadeNow is set, then for twice.
int64_t original(int64_t N, int64_t Work, int64_t *Data);
int64_t fast(int64_t N, int64_t Work, int64_t *Data);
int64_t half(int64_t N, int64_t Work, int64_t *Data);
int64_t slow(int64_t N, int64_t Work, int64_t *Data);
int64_t fading(int64_t N, int64_t Work, int64_t *Data);
extern std::atomic<uint64_t> OriginalRuns, FastRuns, SlowRuns, FadingRuns;
extern std::atomic<bool> FadeNow;

// What single scenarios have candidates do.
int64_t costly(int64_t N, int64_t Work, int64_t *Data);
int64_t farSlower(int64_t N, int64_t Work, int64_t *Data);
int64_t jumping(int64_t N, int64_t Work, int64_t *Data);
int64_t recursiveFast(int64_t N, int64_t Work, int64_t *Data);
int64_t rest(int64_t N, int64_t Work, int64_t *Data);
int64_t slowRest(int64_t N, int64_t Work, int64_t *Data);
int64_t fastAsRest(int64_t N, int64_t Work, int64_t *Data);

struct Offer {
  const char *Name;
  RegionFn Body; ///< one of the functions above
  uint32_t MoreGuards = 0;
};
/// Candidates that the next compiles offer.
void offer(std::initializer_list<Offer> Candidates);

/// Number of versions that are mapped into this process.
unsigned mappedVersions();

/// Has a further region get its version, which must be possible whatever became of the others.
void compileAnotherRegion();

/// The region of most scenarios, registered at start.
using Main = TestRegion<0>;
specrt_region_info info(const char *Name = "main:7");

/// Calls the main region and checks the result.
void call(int64_t N, int64_t Work);

/// Calls until the region's state is State or a second times SecondsLeft is over.
bool callUntil(uint32_t State, int64_t N, int64_t Work, double Seconds = 10);

/// Waits until Condition() holds, at most 20 s.
template <typename F> bool eventually(F Condition) {
  for (int Ms = 0; Ms < 20000; ++Ms) {
    if (Condition())
      return true;
    struct timespec Pause = {0, 1000000};
    nanosleep(&Pause, nullptr);
  }
  return Condition();
}

struct Scenario {
  const char *Name;
  int (*Run)(int Argc, char **Argv);
};
extern const Scenario SteadyScenarios[], CompileScenarios[], ProcessScenarios[], StoreScenarios[],
    OsrScenarios[];

} // namespace host

#endif
