//===- tests/runtime/stories/host.cpp - the program in which the scenarios play ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: runtime_test_host SCENARIO [arguments]. One process per scenario, because libspecrt is
// configured once per process. Exit code 0: all checks hold.
//
//===----------------------------------------------------------------------===//
#include "tests/runtime/stories/host.h"

#include <cstring>
#include <ctime>

extern "C" __attribute__((visibility("default"))) FakeControl FakeJitControl;
FakeControl FakeJitControl;

namespace host {

std::atomic<uint64_t> OriginalRuns, FastRuns, SlowRuns, FadingRuns;
std::atomic<bool> FadeNow;

static int64_t work(int64_t N, int64_t Nanoseconds, int64_t *Data) {
  timespec Begin, Now;
  clock_gettime(CLOCK_MONOTONIC, &Begin);
  do
    clock_gettime(CLOCK_MONOTONIC, &Now);
  while ((Now.tv_sec - Begin.tv_sec) * 1000000000 + (Now.tv_nsec - Begin.tv_nsec) < Nanoseconds);
  if (Data)
    *Data = N;
  return N * 3 + 1;
}

int64_t original(int64_t N, int64_t Work, int64_t *Data) {
  OriginalRuns.fetch_add(1, std::memory_order_relaxed);
  return work(N, Work * 1000, Data);
}
int64_t fast(int64_t N, int64_t Work, int64_t *Data) {
  FastRuns.fetch_add(1, std::memory_order_relaxed);
  return work(N, Work * 250, Data);
}
int64_t half(int64_t N, int64_t Work, int64_t *Data) { return work(N, Work * 500, Data); }
int64_t slow(int64_t N, int64_t Work, int64_t *Data) {
  SlowRuns.fetch_add(1, std::memory_order_relaxed);
  return work(N, Work * 2000, Data);
}
int64_t fading(int64_t N, int64_t Work, int64_t *Data) {
  FadingRuns.fetch_add(1, std::memory_order_relaxed);
  return work(N, FadeNow ? Work * 2000 : Work * 250, Data);
}

void offer(std::initializer_list<FakeCandidate> Candidates) {
  uint32_t Count = 0;
  for (const FakeCandidate &C : Candidates)
    FakeJitControl.Candidates[Count++] = C;
  FakeJitControl.NumCandidates = Count;
}

specrt_region_info info(const char *Name) {
  specrt_region_info Info{};
  specrt_find_region(Name, &Info);
  return Info;
}

void call(int64_t N, int64_t Work) {
  int64_t Data = 0;
  CHECK(Main::call(N, Work, &Data) == N * 3 + 1);
  CHECK(Data == N);
}

bool callUntil(uint32_t State, int64_t N, int64_t Work, double Seconds) {
  timespec Begin, Now;
  clock_gettime(CLOCK_MONOTONIC, &Begin);
  do {
    for (int I = 0; I < 20; ++I)
      call(N, Work);
    if (info().state == State)
      return true;
    clock_gettime(CLOCK_MONOTONIC, &Now);
  } while (static_cast<double>(Now.tv_sec - Begin.tv_sec) < Seconds);
  return false;
}

void dump() {
  specrt_write_report("/dev/stderr");
  specrt_region_info I = info();
  std::fprintf(stderr,
               "state %u versions %u hits %llu misses %llu compiles %u runs: original %llu fast "
               "%llu slow %llu; reason: %s\n",
               I.state, I.versions, (unsigned long long)I.hits, (unsigned long long)I.misses,
               I.compiles, (unsigned long long)OriginalRuns.load(),
               (unsigned long long)FastRuns.load(), (unsigned long long)SlowRuns.load(), I.reason);
}

static specrt_region *Regions[1];

// As the instrumentation emits them for an image.
[[gnu::constructor]] static void registerImage() {
  Regions[0] = Main::make("main:7", original);
  specrt_register(Regions, Regions + 1);
}
[[gnu::destructor]] static void unregisterImage() { specrt_unregister(Regions, Regions + 1); }

} // namespace host

int main(int Argc, char **Argv) {
  using namespace host;
  if (Argc < 2)
    return 2;
  for (const Scenario *List :
       {SteadyScenarios, CompileScenarios, ProcessScenarios, StoreScenarios, OsrScenarios})
    for (const Scenario *S = List; S->Name; ++S)
      if (std::strcmp(S->Name, Argv[1]) == 0)
        return S->Run(Argc - 2, Argv + 2);
  std::fprintf(stderr, "unknown scenario %s\n", Argv[1]);
  return 2;
}
