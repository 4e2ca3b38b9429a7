//===- tests/runtime/stories/scenario_process.cpp - fork, exit, threads, signals --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/runtime/stories/host.h"

#include <barrier>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace host {
namespace {

int exitCodeOf(pid_t Child) {
  int Status = 0;
  CHECK(waitpid(Child, &Status, 0) == Child);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status);
}

/// The child learns and compiles by itself.
int forkBefore(int, char **) {
  offer({{"constants", fast}});
  pid_t Child = fork();
  CHECK(callUntil(SPECRT_STATE_SPECIALISED, 5, 40));
  if (Child == 0)
    return 0;
  return exitCodeOf(Child);
}

/// The child uses what is published.
int forkAfter(int, char **) {
  offer({{"constants", fast}});
  CHECK(callUntil(SPECRT_STATE_SPECIALISED, 5, 40));
  CHECK(specrt_wait_idle(5000));
  pid_t Child = fork();
  uint64_t Before = FastRuns;
  for (int I = 0; I < 100; ++I)
    call(5, 40);
  CHECK(FastRuns >= Before + 80);
  if (Child == 0)
    return 0;
  return exitCodeOf(Child);
}

/// The child runs the original, and can have other regions compiled; the parent's compile is not
/// disturbed.
int forkDuring(int, char **) {
  offer({{"constants", fast}});
  control().CompileMs = 200;
  call(5, 30000);
  CHECK(eventually([] { return control().Compiling == 1; }));
  pid_t Child = fork();
  if (Child == 0) {
    for (int I = 0; I < 50; ++I)
      call(5, 40);
    CHECK(FastRuns == 0);
    CHECK(info().state == SPECRT_STATE_RETIRED);
    compileAnotherRegion();
    return 0;
  }
  CHECK(callUntil(SPECRT_STATE_SPECIALISED, 5, 40));
  return exitCodeOf(Child);
}

/// Exits as the first argument says, during a compile of as many milliseconds as the second one.
/// Prints the process that compiles.
int exitDuring(int Argc, char **Argv) {
  CHECK(Argc == 2);
  control().CompileMs = static_cast<uint32_t>(std::atoi(Argv[1]));
  offer({{"constants", fast}});
  CHECK(eventually([] {
    call(5, 1000);
    return control().Compiling == 1;
  }));
  std::printf("%d\n", control().Compiler.load());
  std::fflush(stdout);
  if (std::strcmp(Argv[0], "quick_exit") == 0)
    std::quick_exit(7);
  if (std::strcmp(Argv[0], "_exit") == 0)
    _exit(7);
  return 7;
}

/// What the compile of a run before has made is there.
int found(int, char **) {
  offer({{"constants", fast}});
  CHECK(callUntil(SPECRT_STATE_SPECIALISED, 5, 1000));
  CHECK(FastRuns > 0);
  CHECK(control().Built == 0);
  return 0;
}

/// Waiting for a compile ends with the budget, not with the compile.
int syncBudget(int, char **) {
  control().CompileMs = 60000;
  offer({{"constants", fast}});
  call(5, 30000);
  CHECK(info().state == SPECRT_STATE_COMPILING);
  return 0;
}

std::atomic<uint64_t> HandlerRuns;

int signals(int, char **) {
  offer({{"constants", fast}});
  struct sigaction Action = {};
  Action.sa_handler = [](int) {
    int64_t Data = 0;
    if (Main::call(5, 10, &Data) != 16 || Data != 5)
      _exit(3);
    HandlerRuns.fetch_add(1);
  };
  Action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &Action, nullptr);
  itimerval Every = {{0, 300}, {0, 300}};
  setitimer(ITIMER_REAL, &Every, nullptr);
  bool Reached = callUntil(SPECRT_STATE_SPECIALISED, 5, 40);
  for (int I = 0; I < 2000; ++I)
    call(I % 50 == 0 ? 6 : 5, 10);
  itimerval Never = {};
  setitimer(ITIMER_REAL, &Never, nullptr);
  CHECK(Reached && HandlerRuns > 10);
  return 0;
}

/// The request comes from a handler, where no thread can be started, and the calls are so short
/// that they would pass the thunk by.
int hotInHandler(int, char **) {
  offer({{"constants", fast}});
  struct sigaction Action = {};
  Action.sa_handler = [](int) {
    int64_t Data = 0;
    Main::call(5, 10, &Data);
  };
  sigaction(SIGUSR1, &Action, nullptr);
  CHECK(eventually([] {
    raise(SIGUSR1);
    return info().state == SPECRT_STATE_COMPILING;
  }));
  CHECK(callUntil(SPECRT_STATE_SPECIALISED, 5, 10));
  return 0;
}

using Recursive = TestRegion<1>;

int64_t recursiveOriginal(int64_t N, int64_t Work, int64_t *Data) {
  if (N > 0)
    Recursive::call(N - 1, Work, Data);
  return original(N, Work, Data);
}

} // namespace

int64_t recursiveFast(int64_t N, int64_t Work, int64_t *Data) {
  if (N > 0)
    Recursive::call(N - 1, Work, Data);
  return fast(N, Work, Data);
}

namespace {

int recursion(int, char **) {
  static specrt_region *Regions[] = {Recursive::make("recursive:7", recursiveOriginal)};
  specrt_register(Regions, Regions + 1);
  offer({{"constants", recursiveFast}});
  int64_t Data = 0;
  for (int I = 0; I < 3000 && info("recursive:7").state != SPECRT_STATE_SPECIALISED; ++I)
    CHECK(Recursive::call(6, 20, &Data) == 19);
  CHECK(info("recursive:7").state == SPECRT_STATE_SPECIALISED ||
        info("recursive:7").state == SPECRT_STATE_RETIRED);
  specrt_unregister(Regions, Regions + 1);
  CHECK(Recursive::call(6, 20, &Data) == 19);
  return 0;
}

int threads(int, char **) {
  offer({{"constants", fast}, {"source-order", slow}});
  std::vector<std::thread> Threads;
  for (int T = 0; T < 64; ++T)
    Threads.emplace_back([] {
      for (int I = 0; I < 150; ++I) {
        int64_t Data = 0, N = I % 10 == 9 ? 6 : 5;
        CHECK(Main::call(N, 5, &Data) == N * 3 + 1 && Data == N);
      }
    });
  for (std::thread &T : Threads)
    T.join();
  CHECK(callUntil(SPECRT_STATE_SPECIALISED, 5, 40) || info().state == SPECRT_STATE_RETIRED);
  return 0;
}

/// Calls that all run at the same time, long enough to be hot.
void callAtOnce(int NumThreads) {
  std::barrier Meeting(NumThreads);
  std::vector<std::thread> Threads;
  for (int T = 0; T < NumThreads; ++T)
    Threads.emplace_back([&] {
      Meeting.arrive_and_wait();
      int64_t Data = 0;
      CHECK(Main::call(5, 40000, &Data) == 5 * 3 + 1);
    });
  for (std::thread &T : Threads)
    T.join();
}

/// Such a program has shared its work out itself.
int calledAtOnce(int, char **) {
  offer({{"constants", fast}});
  callAtOnce(4);
  CHECK(eventually([] { return control().Compiles > 0; }));
  CHECK(control().Threads == 1);
  return 0;
}

/// After a run of that, whatever comes first.
int calledAtOnceBefore(int, char **) {
  offer({{"constants", fast}});
  for (int I = 0; I < 100 && control().Compiles == 0; ++I)
    call(5, 20000);
  CHECK(control().Threads == 1);
  // The report is to tell of it.
  CHECK(eventually([] { return info().state >= SPECRT_STATE_TRIAL; }));
  return 0;
}

/// The threads of this one take turns.
int calledInTurn(int, char **) {
  offer({{"constants", fast}});
  for (int I = 0; I < 100 && control().Compiles == 0; ++I)
    std::thread([] { call(5, 30000); }).join();
  CHECK(control().Threads == 2);
  return 0;
}

/// A call that never returns keeps its body, nothing else.
jmp_buf Escape;

} // namespace

int64_t jumping(int64_t, int64_t, int64_t *) { longjmp(Escape, 1); }

namespace {

int notReturning(int, char **) {
  offer({{"constants", jumping}, {"source-order", fast}});
  for (int I = 0; I < 2000 && FastRuns < 5; ++I)
    if (setjmp(Escape) == 0)
      call(5, 40);
  for (int I = 0; I < 100; ++I)
    if (setjmp(Escape) == 0)
      call(5, 40);
  return 0;
}

int unload(int, char **Argv) {
  offer({{"constants", fast}});
  control().CompileMs = 100;
  for (int Round = 0; Round < 5; ++Round) {
    void *Plugin = dlopen(Argv[0], RTLD_NOW);
    CHECK(Plugin);
    auto Call = reinterpret_cast<RegionFn>(dlsym(Plugin, "plugin_call"));
    int64_t Data = 0;
    uint32_t Before = control().Compiles;
    CHECK(eventually([&] {
      for (int I = 0; I < 100; ++I)
        CHECK(Call(5, 10, &Data) == 16);
      return control().Compiles > Before;
    }));
    dlclose(Plugin); // during the compile
  }
  CHECK(specrt_wait_idle(10000));
  // Nothing of the plugin's is left.
  CHECK(eventually([] { return mappedVersions() == 0; }));
  return 0;
}

specrt_region Many[10000];
void *ManySlots[10000];
specrt_region *ManyPointers[10000];

int manyRegions(int, char **) {
  for (size_t I = 0; I < 10000; ++I) {
    Many[I] = Main::Region;
    Many[I].slot = &ManySlots[I];
    Many[I].state = nullptr;
    ManyPointers[I] = &Many[I];
  }
  timespec Begin, End;
  clock_gettime(CLOCK_MONOTONIC, &Begin);
  specrt_register(ManyPointers, ManyPointers + 10000);
  clock_gettime(CLOCK_MONOTONIC, &End);
  double Ms = static_cast<double>(End.tv_sec - Begin.tv_sec) * 1e3 +
              static_cast<double>(End.tv_nsec - Begin.tv_nsec) * 1e-6;
  std::printf("%.3f ms\n", Ms);
  specrt_unregister(ManyPointers, ManyPointers + 10000);
  CHECK(!ManySlots[9999] && !Many[9999].state);
  return 0;
}

/// Before registration and for an unknown ABI version the original runs.
int unregistered(int, char **) {
  using Late = TestRegion<2>;
  static specrt_region *Regions[] = {Late::make("late:7", original)};
  int64_t Data = 0;
  CHECK(Late::call(5, 1, &Data) == 16 && OriginalRuns == 1);
  Late::Region.abi_version = SPECRT_ABI_VERSION + 1;
  specrt_register(Regions, Regions + 1);
  CHECK(!Late::Slot);
  CHECK(Late::call(5, 1, &Data) == 16 && OriginalRuns == 2);
  // Stubs of older versions call what the slot holds, and their compilers put the thunk there.
  using Early = TestRegion<3>;
  static specrt_region *Older[] = {Early::make("early:7", original)};
  Early::Slot = Early::Region.thunk;
  Early::Region.abi_version = SPECRT_ABI_VERSION - 1;
  specrt_register(Older, Older + 1);
  CHECK(Early::Slot == Early::Region.thunk);
  CHECK(Early::call(5, 1, &Data) == 16 && OriginalRuns == 3);
  specrt_unregister(Older, Older + 1);
  CHECK(Early::Slot == Early::Region.thunk);
  CHECK(Early::call(5, 1, &Data) == 16 && OriginalRuns == 4);
  return 0;
}

} // namespace

const Scenario ProcessScenarios[] = {{"fork-before", forkBefore},
                                     {"fork-after", forkAfter},
                                     {"fork-during", forkDuring},
                                     {"exit-during", exitDuring},
                                     {"found", found},
                                     {"sync-budget", syncBudget},
                                     {"signals", signals},
                                     {"hot-in-handler", hotInHandler},
                                     {"recursion", recursion},
                                     {"threads", threads},
                                     {"called-at-once", calledAtOnce},
                                     {"called-at-once-before", calledAtOnceBefore},
                                     {"called-in-turn", calledInTurn},
                                     {"not-returning", notReturning},
                                     {"unload", unload},
                                     {"many-regions", manyRegions},
                                     {"unregistered", unregistered},
                                     {nullptr, nullptr}};

} // namespace host
