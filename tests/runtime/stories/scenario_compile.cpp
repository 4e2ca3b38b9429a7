//===- tests/runtime/stories/scenario_compile.cpp - with and without a compiler ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/runtime/stories/host.h"
#include "tests/runtime/stories/processes.h"

#include <atomic>
#include <csignal>
#include <cstring>
#include <dirent.h>
#include <sched.h>
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

/// SPECRT_COMPILE=sync: after the call that makes it hot, the region is on trial.
int sync(int, char **) {
  offer({{"constants", fast}});
  control().CompileMs = 100;
  call(5, 30000);
  CHECK(info().state == SPECRT_STATE_TRIAL || info().state == SPECRT_STATE_SPECIALISED);
  CHECK(specrt_num_compiles() == 1);
  return 0;
}

/// SPECRT_COMPILE=background: the same call returns at once.
int background(int, char **) {
  offer({{"constants", fast}});
  control().CompileMs = 300;
  call(5, 30000);
  CHECK(info().state == SPECRT_STATE_COMPILING);
  uint64_t Before = OriginalRuns;
  call(5, 10);
  CHECK(OriginalRuns == Before + 1);
  CHECK(eventually([] { return info().state == SPECRT_STATE_TRIAL; }));
  return 0;
}

/// What nobody waits for gets what nobody else wants of the processor. The threads of this process,
/// which take locks, keep their priority.
int idlePriority(int, char **) {
  offer({{"constants", fast}});
  control().CompileMs = 100;
  CHECK(callUntil(SPECRT_STATE_SPECIALISED, 5, 40));
  CHECK(control().Policy == SCHED_IDLE);
  CHECK(control().Compiler != getpid());
  for (pid_t Thread : threads()) {
    CHECK(sched_getscheduler(Thread) != SCHED_IDLE);
    CHECK(getpriority(PRIO_PROCESS, static_cast<id_t>(Thread)) == getpriority(PRIO_PROCESS, 0));
  }
  return 0;
}

int awaited(int, char **) {
  offer({{"constants", fast}});
  call(5, 30000);
  CHECK(control().Compiles == 1);
  CHECK(control().Policy == SCHED_OTHER);
  return 0;
}

/// A program that uses all processors of the machine, until it rests.
class BusyProgram {
public:
  BusyProgram() {
    for (long I = 0; I < sysconf(_SC_NPROCESSORS_ONLN); ++I)
      Threads.emplace_back([this] {
        while (!Stop) {
        }
      });
  }
  void rest() {
    Stop = true;
    for (std::thread &T : Threads)
      T.join();
  }

private:
  std::atomic<bool> Stop{false};
  std::vector<std::thread> Threads;
};

/// The compile gets its turn when the program rests, however long that takes, and is neither over
/// its budget then nor given up.
int starved(int, char **) {
  BusyProgram Busy;
  offer({{"constants", fast}});
  control().ProcessorMs = 100;
  call(5, 300000); // gets some processor time, for which it is worth a compile
  CHECK(eventually([] { return specrt_num_compiles() == 1; }));
  for (int I = 0; I < 250; ++I)
    call(5, 10000);
  CHECK(info().state == SPECRT_STATE_COMPILING);
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
  std::strcpy(control().Error, "the bitcode is damaged");
  control().HasError = true;
  return blocked(Argc, Argv);
}

/// The process that compiles comes to a sudden end, and none is started again for the same.
int crash(int Argc, char **Argv) {
  control().Crashes = true;
  blocked(Argc, Argv);
  CHECK(control().Compiles == 1);
  CHECK(endsSoon(control().Compiler));
  control().Crashes = false;
  compileAnotherRegion();
  CHECK(control().Compiles == 2);
  CHECK(info().state == SPECRT_STATE_BLOCKED);
  return 0;
}

/// The server comes to a sudden end, and what it had begun with it. Another server is asked for the
/// same.
int serverKilled(int, char **) {
  offer({{"constants", fast}});
  control().CompileMs = 60000;
  call(5, 30000);
  CHECK(eventually([] { return control().Compiling == 1; }));
  const pid_t Server = control().Server, Compiler = control().Compiler;
  CHECK(Server != getpid() && Server != Compiler);
  control().CompileMs = 0;
  CHECK(kill(Server, SIGKILL) == 0);
  CHECK(callUntil(SPECRT_STATE_SPECIALISED, 5, 30000));
  CHECK(control().Compiles == 2);
  CHECK(control().Server != Server);
  CHECK(endsSoon(Compiler));
  compileAnotherRegion();
  return 0;
}

/// A compile that does not end is ended, with its process.
int neverReturns(int, char **) {
  offer({{"constants", fast}});
  control().NeverReturns = true;
  CHECK(callUntil(SPECRT_STATE_BLOCKED, 5, 20));
  std::fprintf(stdout, "%s\n", info().reason);
  CHECK(control().Compiles == 1);
  CHECK(endsSoon(control().Compiler));
  CHECK(!Main::Slot);
  // Other regions are compiled all the same.
  control().NeverReturns = false;
  compileAnotherRegion();
  CHECK(control().Compiles == 2);
  CHECK(info().state == SPECRT_STATE_BLOCKED);
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
  CHECK(control().Compiles == 0);
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
                                     {"off", off},
                                     {"disabled", disabled},
                                     {"blocked", blocked},
                                     {"jit-error", jitError},
                                     {"crash", crash},
                                     {"server-killed", serverKilled},
                                     {"never-returns", neverReturns},
                                     {"never-again", neverAgain},
                                     {"configure", configure},
                                     {"options", options},
                                     {nullptr, nullptr}};

} // namespace host
