//===- tests/runtime/stories/scenario_osr.cpp - calls that change over -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/runtime/stories/host.h"

#include <chrono>
#include <ctime>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace host {
namespace {

/// A region of N iterations, each of which counts in Data and computes for Work microseconds.
using Rows = TestRegion<7>;
std::atomic<uint64_t> RestRuns{0}, LastFirst{0};
std::atomic<uint64_t> WholeRuns{0};      ///< calls that the original did to their end
std::atomic<uint64_t> CompilesInCall{0}; ///< before the last of them ended

uint64_t PollAt = UINT64_MAX;

int64_t processorUs() {
  timespec Now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  return Now.tv_sec * 1000000 + Now.tv_nsec / 1000;
}

void row(int64_t Work, int64_t *Data, uint64_t I) {
  __atomic_fetch_add(&Data[I], 1, __ATOMIC_RELAXED);
  if (Work == 0)
    return;
  for (const int64_t Begin = processorUs(); processorUs() - Begin < Work;) {
  }
}

int64_t rows(int64_t N, int64_t Work, int64_t *Data) {
  for (uint64_t I = 0; I < static_cast<uint64_t>(N); ++I) {
    if (I == __atomic_load_n(&PollAt, __ATOMIC_RELAXED)) {
      uint64_t Packed[3] = {static_cast<uint64_t>(N), static_cast<uint64_t>(Work),
                            reinterpret_cast<uint64_t>(Data)};
      int32_t Token;
      if (void *Target = specrt_poll(&Rows::Region, Packed, I, &Token)) {
        int64_t Result = reinterpret_cast<RegionFn>(Target)(N, Work, Data);
        if (void *Next = specrt_continue(Token))
          Result = reinterpret_cast<RegionFn>(Next)(N, Work, Data);
        specrt_end_nest(Token);
        return Result;
      }
    }
    row(Work, Data, I);
  }
  CompilesInCall = specrt_num_compiles();
  WholeRuns.fetch_add(1);
  return N;
}

/// Where a version begins: compilers know, this one looks.
uint64_t firstOf(int64_t N, const int64_t *Data) {
  uint64_t I = 0;
  while (I < static_cast<uint64_t>(N) && Data[I])
    ++I;
  return I;
}

/// Where a version that begins with iteration First ends.
uint64_t endOf(int64_t N, uint64_t First) {
  const uint64_t Probe = control().ProbeEnd;
  return First < Probe ? Probe : static_cast<uint64_t>(N);
}

std::atomic<uint64_t> SlowRestRuns{0};

} // namespace

/// What a compiler would make of the rest, and of the whole for first_iteration 0.
int64_t rest(int64_t N, int64_t, int64_t *Data) {
  RestRuns.fetch_add(1);
  LastFirst = firstOf(N, Data);
  for (uint64_t I = LastFirst, End = endOf(N, I); I < End; ++I)
    row(0, Data, I);
  return N;
}

/// As rest, but four times slower than the original.
int64_t slowRest(int64_t N, int64_t Work, int64_t *Data) {
  SlowRestRuns.fetch_add(1);
  for (uint64_t I = firstOf(N, Data), End = endOf(N, I); I < End; ++I)
    row(4 * Work, Data, I);
  return N;
}

/// Fast when it takes over, slow when it does a whole call.
int64_t fastAsRest(int64_t N, int64_t Work, int64_t *Data) {
  return firstOf(N, Data) > 0 ? rest(N, Work, Data) : slowRest(N, Work, Data);
}

namespace {

void setUp(uint32_t Flags = SPECRT_REGION_POLLS) {
  static specrt_region *Entries[1] = {Rows::make("rows:7", rows)};
  static specrt_loop Loops[1] = {};
  Loops[0].depth = 1;
  Loops[0].trip_count.num_terms = 1;
  Loops[0].trip_count.terms[0] = {1, 1, {0}};
  Rows::Region.flags = Flags;
  PollAt = UINT64_MAX;
  Rows::Region.poll_at = &PollAt;
  Rows::Region.loops = Loops;
  Rows::Region.num_loops = 1;
  specrt_register(Entries, Entries + 1);
}

/// Each iteration is done exactly once, whoever does it.
void callRows(int64_t N, int64_t Work) {
  std::vector<int64_t> Data(static_cast<size_t>(N), 0);
  CHECK(Rows::call(N, Work, Data.data()) == N);
  for (int64_t Count : Data)
    CHECK(Count == 1);
}

/// One call that changes over to a version of its rest.
void takeOver(int CompileMs, long Rows) {
  setUp();
  control().CompileMs = CompileMs;
  offer({{"contraction", rest}});
  callRows(Rows, 100);
  CHECK(RestRuns == 1);
}

int taken(int, char **) {
  takeOver(/*CompileMs=*/20, /*Rows=*/10000);
  CHECK(LastFirst > 0);
  // The first compile is for whole calls of the next run, which this call may end too soon for.
  CHECK(specrt_num_compiles() >= 2);
  CHECK(control().FirstIteration == LastFirst);
  return 0;
}

/// A version for whole calls is being compiled since the program's start: the call goes on in the
/// original, waits for nothing, and hands over later.
int takenAfterAnother(int, char **) {
  takeOver(/*CompileMs=*/300, /*Rows=*/20000);
  CHECK(control().FirstIteration == LastFirst);
  return 0;
}

/// A call of six seconds, which is long enough for a probe if a compilation is expected to take as
/// long as the first one is. The candidate is faster or slower.
void probe(RegionFn Candidate) {
  setUp(SPECRT_REGION_POLLS | SPECRT_REGION_CONTINUES);
  offer({{"contraction", Candidate}, {"constants", rest}});
  callRows(60000, 100);
  CHECK(control().ProbeEnd > 0);
}

int fastProbe(int, char **) {
  probe(rest);
  CHECK(RestRuns == 2 && LastFirst == control().ProbeEnd);
  return 0;
}

int slowProbe(int, char **) {
  probe(slowRest);
  CHECK(SlowRestRuns == 1 && RestRuns == 1 && LastFirst == control().ProbeEnd);
  return 0;
}

int late(int, char **) {
  takeOver(/*CompileMs=*/900, /*Rows=*/80000);
  CHECK(specrt_num_compiles() >= 2);
  return 0;
}

int guarded(int, char **) {
  setUp();
  control().ImpossibleGuards = true;
  offer({{"contraction", rest}});
  callRows(10000, 100);
  CHECK(RestRuns == 0);
  return 0;
}

/// Nothing promising: no other candidate is worth the risk.
int unpromising(int, char **) {
  setUp();
  offer({{"isl-schedule", rest}, {"constants", rest}});
  callRows(5000, 100);
  CHECK(RestRuns == 0);
  return 0;
}

int tooShort(int, char **) {
  setUp();
  control().CompileMs = 100;
  offer({{"contraction", rest}});
  auto Begin = std::chrono::steady_clock::now();
  callRows(300, 100);
  auto Taken = std::chrono::steady_clock::now() - Begin;
  // On a busy machine the rows take longer, and then the call does not end soon.
  CHECK(RestRuns == 0 || Taken > 300 * std::chrono::microseconds(300));
  return 0;
}

/// Too short for a version of its rest, and long enough to make one for the next run.
int tooShortToChange(int, char **) {
  setUp();
  offer({{"contraction", rest}});
  callRows(3000, 100);
  CHECK(RestRuns == 1 || CompilesInCall >= 1);
  return 0;
}

/// The run ends before the version for the next one is there. Prints the process that compiles it.
int endedTooSoon(int, char **) {
  setUp();
  offer({{"contraction", rest}});
  control().CompileMs = 4000;
  callRows(9000, 100);
  CHECK(RestRuns == 0 && control().Compiling == 1);
  std::printf("%d\n", control().Compiler.load());
  return 0;
}

/// The version from the run before does the whole call.
int wholeCall(int, char **) {
  setUp();
  offer({{"contraction", rest}});
  specrt_wait_idle(5000);
  callRows(9000, 100);
  CHECK(RestRuns == 1 && LastFirst == 0 && WholeRuns == 0);
  CHECK(control().Built == 0);
  return 0;
}

/// Only one size has a version; the others go on.
int severalThreads(int, char **) {
  setUp();
  offer({{"contraction", rest}});
  std::vector<std::thread> Workers;
  for (int64_t T = 0; T < 4; ++T)
    Workers.emplace_back([T] { callRows(9000 + T % 2, 100); });
  for (std::thread &W : Workers)
    W.join();
  CHECK(RestRuns <= 2);
  return 0;
}

/// A region that goes on being called gets versions for whole calls. When one of them is published,
/// the version of the rest is unmapped.
int calledAgain(int, char **) {
  setUp();
  offer({{"contraction", rest}});
  callRows(10000, 100);
  CHECK(RestRuns == 1);
  CHECK(mappedVersions() >= 1);
  const auto IsDecided = [] { return info("rows:7").state == SPECRT_STATE_SPECIALISED; };
  for (time_t End = time(nullptr) + 20; !IsDecided() && time(nullptr) < End;)
    callRows(10000, 100);
  CHECK(IsDecided());
  CHECK(specrt_num_compiles() >= 2);
  CHECK(eventually([] { return mappedVersions() == 1; }));
  return 0;
}

/// The candidate seems to lose against what the original is known to need, so the original is
/// timed. What took over from the first call is still there, but all rows are the original's.
int timedInATrial(int, char **) {
  setUp();
  offer({{"contraction", fastAsRest}});
  callRows(40, 1000);
  CHECK(RestRuns == 1 && WholeRuns == 0);
  bool WasOnTrial = false;
  for (int I = 0; I < 20 && info("rows:7").state != SPECRT_STATE_RETIRED; ++I) {
    bool IsOnTrial = info("rows:7").state == SPECRT_STATE_TRIAL;
    WasOnTrial |= IsOnTrial;
    uint64_t Before = RestRuns;
    callRows(40, 1000);
    CHECK(!IsOnTrial || RestRuns == Before);
  }
  CHECK(WasOnTrial && WholeRuns > 0);
  CHECK(info("rows:7").state == SPECRT_STATE_RETIRED);
  return 0;
}

/// What took over was slower. The next run, below, must not begin with it.
int slower(int, char **) {
  setUp();
  control().CompileMs = 50;
  offer({{"contraction", slowRest}, {"source-order", rest}});
  callRows(5000, 150);
  CHECK(SlowRestRuns == 1 && RestRuns == 0);
  return 0;
}

int afterSlower(int, char **) {
  setUp();
  control().CompileMs = 50;
  offer({{"contraction", slowRest}, {"source-order", rest}});
  callRows(5000, 150);
  CHECK(SlowRestRuns == 0);
  return 0;
}

/// The child's compile would come too late, so its call does all rows in the original.
int forkedDuring(int, char **) {
  setUp();
  control().CompileMs = 1000;
  offer({{"contraction", rest}});
  std::thread Forker([] {
    usleep(100000);
    pid_t Child = fork();
    if (Child == 0) {
      auto Begin = std::chrono::steady_clock::now();
      callRows(3000, 100);
      auto Taken = std::chrono::steady_clock::now() - Begin;
      // On a busy machine the rows take longer, and then it may come in time.
      _exit(RestRuns == 0 || Taken > std::chrono::milliseconds(900) ? 0 : 1);
    }
    int Status = 0;
    waitpid(Child, &Status, 0);
    CHECK(WIFEXITED(Status) && WEXITSTATUS(Status) == 0);
  });
  callRows(10000, 100);
  Forker.join();
  return 0;
}

} // namespace

const Scenario OsrScenarios[] = {{"osr", taken},
                                 {"osr-after-another", takenAfterAnother},
                                 {"osr-fast-probe", fastProbe},
                                 {"osr-slow-probe", slowProbe},
                                 {"osr-late", late},
                                 {"osr-guarded", guarded},
                                 {"osr-unpromising", unpromising},
                                 {"osr-too-short", tooShort},
                                 {"osr-next-run", tooShortToChange},
                                 {"osr-too-soon", endedTooSoon},
                                 {"osr-whole-call", wholeCall},
                                 {"osr-threads", severalThreads},
                                 {"osr-again", calledAgain},
                                 {"osr-in-trial", timedInATrial},
                                 {"osr-slower", slower},
                                 {"osr-after-slower", afterSlower},
                                 {"osr-fork", forkedDuring},
                                 {nullptr, nullptr}};

} // namespace host
