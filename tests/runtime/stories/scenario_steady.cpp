//===- tests/runtime/stories/scenario_steady.cpp - from cold to specialised and back ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/runtime/stories/host.h"

#include <ctime>

namespace host {
namespace {

int cold(int, char **) {
  call(5, 1);
  CHECK(info().state == SPECRT_STATE_PROFILING);
  CHECK(specrt_wait_idle(1000));
  CHECK(specrt_num_compiles() == 0 && !specrt_compiler_loaded());
  CHECK(OriginalRuns == 1);
  return 0;
}

int winner(int, char **) {
  offer({{"constants", slow}, {"source-order", fast}});
  CHECK(callUntil(SPECRT_STATE_SPECIALISED, 5, 40));
  specrt_region_info Now = info();
  CHECK(std::string(Now.version) == "source-order" && Now.versions == 1);
  CHECK(Now.original_ns > 2 * Now.best_ns);
  uint64_t Before = FastRuns;
  for (int I = 0; I < 200; ++I)
    call(5, 40);
  CHECK(FastRuns >= Before + 150);
  CHECK(info().hits >= 150);
  CHECK(specrt_num_compiles() == 1 && specrt_compiler_loaded());
  // The loser is unmapped though the region goes on being called.
  CHECK(eventually([] { return mappedVersions() == 1; }));
  return 0;
}

int loser(int, char **) {
  offer({{"constants", slow}});
  CHECK(callUntil(SPECRT_STATE_RETIRED, 5, 40));
  CHECK(std::string(info().reason).find("does not pay") == 0);
  CHECK(std::string(info().reason).find("constants") != std::string::npos);
  uint64_t Before = SlowRuns;
  for (int I = 0; I < 50; ++I)
    call(5, 40);
  CHECK(SlowRuns == Before);
  CHECK(!Main::Slot);
  CHECK(eventually([] { return mappedVersions() == 0; }));
  return 0;
}

int guardMiss(int, char **) {
  offer({{"constants", fast}});
  CHECK(callUntil(SPECRT_STATE_SPECIALISED, 5, 40));
  uint64_t Before = OriginalRuns;
  for (int I = 0; I < 10; ++I)
    call(6, 1);
  CHECK(OriginalRuns == Before + 10);
  CHECK(info().misses >= 10);
  return 0;
}

int newValues(int, char **) {
  offer({{"constants", fast}});
  CHECK(callUntil(SPECRT_STATE_SPECIALISED, 5, 40));
  // Another value recurs: a second version comes, and the first stays.
  for (int I = 0; I < 4000 && info().versions < 2; ++I)
    call(6, 40);
  CHECK(info().versions == 2);
  uint64_t Before = FastRuns;
  for (int I = 0; I < 50; ++I)
    call(5, 40), call(6, 40);
  CHECK(FastRuns >= Before + 80);
  return 0;
}

/// Calls with N until its version runs them, rather than one for values before.
bool callUntilFast(int64_t N) {
  return eventually([N] {
    uint64_t Before = FastRuns;
    for (int I = 0; I < 50; ++I)
      call(N, 40);
    return FastRuns >= Before + 40;
  });
}

int replacement(int, char **) {
  offer({{"constants", fast}});
  for (int64_t N = 5; N < 9; ++N) {
    for (int I = 0; I < 20000 && info().compiles < N - 4; ++I)
      call(N, 40);
    CHECK(callUntilFast(N));
    CHECK(info().versions <= 2);
  }
  CHECK(info().versions == 2 && info().compiles >= 4);
  uint64_t Before = FastRuns;
  for (int I = 0; I < 50; ++I)
    call(8, 40);
  CHECK(FastRuns >= Before + 40);
  return 0;
}

int retire(int, char **) {
  offer({{"constants", fading}});
  CHECK(callUntil(SPECRT_STATE_SPECIALISED, 5, 40));
  FadeNow = true;
  for (int I = 0; I < 30000 && info().state != SPECRT_STATE_RETIRED; ++I)
    call(5, 40);
  CHECK(info().state == SPECRT_STATE_RETIRED);
  CHECK(std::string(info().reason) == "stopped paying");
  uint64_t Before = FadingRuns;
  call(5, 40);
  CHECK(FadingRuns == Before);
  return 0;
}

std::atomic<bool> LeavesCost{false};

} // namespace

/// Takes two thirds of the original's time, and makes what comes after it slower.
int64_t costly(int64_t N, int64_t Work, int64_t *Data) {
  LeavesCost = true;
  return half(N, Work * 4 / 3, Data);
}

namespace {

/// A version that is faster while the program is not. Prints why the region was retired, if it was,
/// after "tried: " if a version ran.
int costsOthers(int, char **) {
  offer({{"constants", costly}});
  bool Ran = false, Retired = false;
  for (int I = 0; I < 4000 && !Retired; ++I) {
    call(5, 300);
    if (LeavesCost.exchange(false)) {
      Ran = true;
      half(5, 600, nullptr);
    }
    Retired = info().state == SPECRT_STATE_RETIRED;
  }
  std::printf("%s%s\n", Ran ? "tried: " : "", Retired ? info().reason : "");
  return 0;
}

/// Each candidate has guards of its own.
int ownGuards(int, char **) {
  offer({{"constants", slow}, {"source-order", fast, 2}});
  CHECK(callUntil(SPECRT_STATE_SPECIALISED, 5, 40));
  CHECK(std::string(info().version) == "source-order");
  return 0;
}

/// Fast behind guards that take longer than the original.
int slowGuards(int, char **) {
  offer({{"constants", fast, 400'000}});
  CHECK(callUntil(SPECRT_STATE_RETIRED, 5, 20));
  CHECK(std::string(info().reason).find("does not pay") == 0);
  CHECK(FastRuns > 0);
  return 0;
}

/// Evaluating so many guards as data takes as long as the original; as code they would not.
int manyGuards(int, char **) {
  offer({{"constants", fast, 12'000}});
  CHECK(callUntil(SPECRT_STATE_SPECIALISED, 5, 20));
  return 0;
}

int impossibleGuards(int, char **) {
  offer({{"constants", fast}});
  control().ImpossibleGuards = true;
  CHECK(callUntil(SPECRT_STATE_RETIRED, 5, 20));
  CHECK(std::string(info().reason).find("no call met the guards") == 0);
  CHECK(std::string(info().reason).find("n == 5") != std::string::npos);
  CHECK(FastRuns == 0);
  return 0;
}

/// A program that starts with other values than it goes on with.
int movedOn(int, char **) {
  offer({{"constants", fast}});
  control().CompileMs = 50;
  call(4, 5000); // hot with values that never come back
  CHECK(callUntil(SPECRT_STATE_SPECIALISED, 5, 40));
  return 0;
}

/// Long calls, of which the first has a value of its own. The others come while a candidate for it
/// is compiled.
int firstIsSpecial(int, char **) {
  offer({{"constants", fast}});
  control().CompileMs = 300;
  call(4, 30000);
  CHECK(eventually([] {
    call(5, 10000);
    return info().state == SPECRT_STATE_SPECIALISED;
  }));
  return 0;
}

/// The same if calls wait for the compile, so that the others find the trial of its candidate.
int firstIsTried(int, char **) {
  offer({{"constants", fast}});
  call(4, 30000);
  int Calls = 0;
  CHECK(eventually([&] {
    call(5, 10000);
    ++Calls;
    return FastRuns > 0;
  }));
  CHECK(Calls <= 40);
  return 0;
}

/// Varying sizes: the plan leaves n open, and candidates are compared over many calls.
int varying(int, char **) {
  offer({{"constants", fast}});
  // By time, not by calls: on a busy machine the worker gets its turn late.
  bool Specialised = false;
  int Call = 0;
  for (time_t End = time(nullptr) + 20; !Specialised && time(nullptr) < End;) {
    call(Call++ % 997, 40);
    Specialised = info().state == SPECRT_STATE_SPECIALISED;
  }
  CHECK(Specialised);
  CHECK(FastRuns > 0);
  return 0;
}

/// Calls of four sizes, of which two have versions. Reports before the last 400 to a file, and
/// prints what ran.
int figures(int, char **Files) {
  offer({{"constants", fast}});
  CHECK(callUntil(SPECRT_STATE_SPECIALISED, 5, 40));
  for (int I = 0; I < 4000 && info().versions < 2; ++I)
    call(5, 40), call(6, 40);
  CHECK(info().versions == 2);
  CHECK(specrt_write_report(Files[0]) == 1);
  for (int64_t I = 0; I < 100; ++I)
    for (int64_t N = 5; N < 9; ++N)
      call(N, N < 7 ? 40 : 1);
  std::printf("%llu %llu\n", (unsigned long long)FastRuns.load(),
              (unsigned long long)OriginalRuns.load());
  return 0;
}

} // namespace

const Scenario SteadyScenarios[] = {{"cold", cold},
                                    {"winner", winner},
                                    {"loser", loser},
                                    {"guard-miss", guardMiss},
                                    {"new-values", newValues},
                                    {"replacement", replacement},
                                    {"retire", retire},
                                    {"costs-others", costsOthers},
                                    {"own-guards", ownGuards},
                                    {"slow-guards", slowGuards},
                                    {"many-guards", manyGuards},
                                    {"impossible-guards", impossibleGuards},
                                    {"moved-on", movedOn},
                                    {"first-is-special", firstIsSpecial},
                                    {"first-is-tried", firstIsTried},
                                    {"varying", varying},
                                    {"figures", figures},
                                    {nullptr, nullptr}};

} // namespace host
