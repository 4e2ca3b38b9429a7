//===- tests/runtime/stories/scenario_compile.cpp - with and without a compiler ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/runtime/stories/host.h"

#include <atomic>
#include <cstring>
#include <dirent.h>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace host {
namespace {

std::vector<pid_t> threads() {
  std::vector<pid_t> Found;
  DIR *Directory = opendir("/proc/self/task");
  while (dirent *Entry = readdir(Directory))
    if (Entry->d_name[0] != '.')
      Found.push_back(std::atoi(Entry->d_name));
  closedir(Directory);
  return Found;
}

std::string nameOf(pid_t Thread) {
  std::ifstream File("/proc/self/task/" + std::to_string(Thread) + "/comm");
  std::string Name;
  std::getline(File, Name);
  return Name;
}

/// SPECRT_COMPILE=sync: after the call that makes it hot, the region is on trial.
int sync(int, char **) {
  offer({{"constants", fast}});
  FakeJitControl.CompileMs = 100;
  call(5, 30000);
  CHECK(info().state == SPECRT_STATE_TRIAL || info().state == SPECRT_STATE_SPECIALISED);
  CHECK(specrt_num_compiles() == 1);
  return 0;
}

/// SPECRT_COMPILE=background: the same call returns at once.
int background(int, char **) {
  offer({{"constants", fast}});
  FakeJitControl.CompileMs = 300;
  call(5, 30000);
  CHECK(info().state == SPECRT_STATE_COMPILING);
  uint64_t Before = OriginalRuns;
  call(5, 10);
  CHECK(OriginalRuns == Before + 1);
  CHECK(eventually([] { return info().state == SPECRT_STATE_TRIAL; }));
  return 0;
}

/// What nobody waits for gets what nobody else wants of the processor. The others are the worker's
/// and the program's own threads, which take locks.
int idlePriority(int, char **) {
  // Of a single thread that runs the compile would take a share.
  std::atomic<bool> Stop{false};
  std::thread Other([&] {
    while (!Stop) {
    }
  });
  offer({{"constants", fast}});
  FakeJitControl.CompileMs = 100;
  CHECK(callUntil(SPECRT_STATE_SPECIALISED, 5, 40));
  CHECK(FakeJitControl.Nice == 19);
  for (pid_t Thread : threads())
    CHECK((getpriority(PRIO_PROCESS, static_cast<id_t>(Thread)) == 19) ==
          (nameOf(Thread) == "specrt-compile"));
  Stop = true;
  Other.join();
  return 0;
}

int awaited(int, char **) {
  offer({{"constants", fast}});
  call(5, 30000);
  CHECK(FakeJitControl.Nice == 0);
  return 0;
}

/// A program that uses all its processors, which is one, while this exists.
class BusyProgram {
public:
  BusyProgram() {
    cpu_set_t One;
    CPU_ZERO(&One);
    CPU_SET(static_cast<size_t>(sched_getcpu()), &One);
    // The worker runs already; it starts the thread that compiles.
    for (pid_t Thread : threads())
      CHECK(sched_setaffinity(Thread, sizeof(One), &One) == 0);
    // Two that run: of a single one the compile would take a share.
    Other = std::thread([this] {
      while (!Stop) {
      }
    });
  }
  void rest() {
    Stop = true;
    Other.join();
  }

private:
  std::atomic<bool> Stop{false};
  std::thread Other;
};

/// The compile gets its turn when the program rests, however long that takes, and is neither over
/// its budget then nor given up.
int starved(int, char **) {
  BusyProgram Busy;
  offer({{"constants", fast}});
  FakeJitControl.ProcessorMs = 250;
  call(5, 90000); // of processor time, for which it is worth a compile
  CHECK(eventually([] { return FakeJitControl.Compiling == 1; }));
  for (int I = 0; I < 250; ++I)
    call(5, 10000);
  CHECK(info().state == SPECRT_STATE_COMPILING);
  Busy.rest();
  CHECK(eventually([] { return info().state == SPECRT_STATE_TRIAL; }));
  return 0;
}

bool isTooSmall() { return std::strstr(info().reason, "too little of the run"); }

/// A busy program calls the region for some milliseconds.
void callALittle() {
  offer({{"constants", fast}});
  for (int I = 0; I < 16 && !isTooSmall(); ++I) {
    call(5, 1000);
    usleep(20000);
  }
  CHECK(isTooSmall());
  CHECK(info().state == SPECRT_STATE_PROFILING);
  CHECK(specrt_num_compiles() == 0);
}

int tooSmall(int, char **) {
  BusyProgram Busy;
  callALittle();
  Busy.rest();
  return 0;
}

/// ... and then for more, or rests.
int grown(int, char **) {
  BusyProgram Busy;
  callALittle();
  CHECK(callUntil(SPECRT_STATE_COMPILING, 5, 30000));
  Busy.rest();
  CHECK(eventually([] { return info().state == SPECRT_STATE_TRIAL; }));
  return 0;
}

int off(int, char **) {
  offer({{"constants", fast}});
  for (int I = 0; I < 3000; ++I)
    call(5, 10);
  CHECK(!specrt_compiler_loaded() && specrt_num_compiles() == 0);
  CHECK(OriginalRuns == 3000);
  return 0;
}

int disabled(int, char **) {
  CHECK(!specrt_enabled());
  CHECK(!Main::Slot);
  CHECK(Main::Region.state == nullptr);
  for (int I = 0; I < 100; ++I)
    call(5, 100);
  CHECK(OriginalRuns == 100);
  CHECK(threads().size() == 1 || getenv("TSAN_OPTIONS"));
  return 0;
}

int blocked(int, char **) {
  offer({{"constants", fast}});
  CHECK(callUntil(SPECRT_STATE_BLOCKED, 5, 20));
  std::fprintf(stdout, "%s\n", info().reason);
  CHECK(!Main::Slot);
  uint64_t Before = OriginalRuns;
  call(5, 20);
  CHECK(OriginalRuns == Before + 1);
  return 0;
}

int jitError(int Argc, char **Argv) {
  FakeJitControl.Error = "the bitcode is damaged";
  return blocked(Argc, Argv);
}

int startError(int Argc, char **Argv) {
  FakeJitControl.StartError = "this processor is not supported";
  return blocked(Argc, Argv);
}

/// A compile that neither ends nor passes a checkpoint.
int neverReturns(int, char **) {
  offer({{"constants", fast}});
  FakeJitControl.NeverReturns = true;
  CHECK(callUntil(SPECRT_STATE_BLOCKED, 5, 20));
  std::fprintf(stdout, "%s\n", info().reason);
  CHECK(FakeJitControl.Compiles == 1 && FakeJitControl.Watches > 5);
  CHECK(FakeJitControl.Compiling == 1); // it goes on
  CHECK(!Main::Slot);
  CHECK(!specrt_compiler_loaded());
  // The worker goes on, and so do children.
  CHECK(specrt_flush_profile());
  pid_t Child = fork();
  if (Child == 0) {
    call(5, 20);
    std::_Exit(7);
  }
  int Status = 0;
  CHECK(waitpid(Child, &Status, 0) == Child && WIFEXITED(Status) && WEXITSTATUS(Status) == 7);
  uint64_t Before = OriginalRuns;
  call(5, 20);
  CHECK(OriginalRuns == Before + 1);
  return 0;
}

/// After a run of that: the region is not compiled again, whatever its values.
int neverAgain(int, char **) {
  offer({{"constants", fast}});
  CHECK(callUntil(SPECRT_STATE_BLOCKED, 6, 20));
  std::fprintf(stdout, "%s\n", info().reason);
  CHECK(FakeJitControl.Compiles == 0);
  return 0;
}

int noEntry(int, char **) {
  offer({{"constants", fast}});
  FakeJitControl.NoEntry = true;
  CHECK(callUntil(SPECRT_STATE_RETIRED, 5, 40));
  CHECK(eventually([] { return FakeJitControl.Released == 1; }));
  return 0;
}

int configure(int, char **) {
  CHECK(specrt_configure("no_such_thing", "1") != nullptr);
  CHECK(std::string(specrt_configure("hot", "soon")).find("accepted") != std::string::npos);
  CHECK(specrt_configure("SPECRT_REGIONS", "other*") == nullptr);
  CHECK(info().state == SPECRT_STATE_BLOCKED);
  CHECK(std::string(info().reason) == "excluded by SPECRT_REGIONS");
  CHECK(!Main::Slot);
  CHECK(specrt_configure("regions", "main*,x") == nullptr);
  CHECK(info().state == SPECRT_STATE_COLD);
  CHECK(specrt_configure("disable", "1") == nullptr);
  CHECK(!Main::Slot && !specrt_enabled());
  CHECK(specrt_configure("disable", "0") == nullptr);
  call(5, 1);
  CHECK(info().state == SPECRT_STATE_PROFILING);
  CHECK(specrt_configure("hot", "1") != nullptr); // too late
  return 0;
}

int options(int, char **) {
  specrt_option Option;
  size_t Count = 0;
  while (specrt_get_option(Count, &Option)) {
    CHECK(Option.name && Option.default_value && Option.accepted && Option.help);
    ++Count;
  }
  CHECK(Count >= 13);
  call(5, 1);
  return 0;
}

} // namespace

const Scenario CompileScenarios[] = {{"sync", sync},
                                     {"background", background},
                                     {"idle-priority", idlePriority},
                                     {"awaited", awaited},
                                     {"starved", starved},
                                     {"too-small", tooSmall},
                                     {"grown", grown},
                                     {"off", off},
                                     {"disabled", disabled},
                                     {"blocked", blocked},
                                     {"jit-error", jitError},
                                     {"start-error", startError},
                                     {"no-entry", noEntry},
                                     {"never-returns", neverReturns},
                                     {"never-again", neverAgain},
                                     {"configure", configure},
                                     {"options", options},
                                     {nullptr, nullptr}};

} // namespace host
