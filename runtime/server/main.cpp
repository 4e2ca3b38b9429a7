//===- runtime/server/main.cpp - the program specrt-server ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libspecrt.so starts this program; users do not:
//
//   specrt-server LIBRARY listen|serve|replay CACHE_DIRECTORY
//
// LIBRARY is the libspecrt.so of the program that starts it. The server stores compiled versions in
// CACHE_DIRECTORY, unless that is "", and with "listen" accepts other programs there. Descriptor
// InheritedConnection is the connection to the program. With "replay" it is the executor of a
// compiling process (runtime/executor/replay.h).
//
//===----------------------------------------------------------------------===//
#include "runtime/cache/provided_functions.h"
#include "runtime/compile/library_path.h"
#include "runtime/executor/replay.h"
#include "runtime/server/server.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <sched.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

/// Resets the signals that the starting program has blocked or ignored. The server ignores SIGPIPE
/// and, because it outlives terminals, SIGHUP.
void resetSignals() {
  for (int Signal = 1; Signal < NSIG; ++Signal)
    signal(Signal, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  sigset_t None;
  sigemptyset(&None);
  sigprocmask(SIG_SETMASK, &None, nullptr);
}

/// Resets the affinity, the scheduling class and, as far as that is allowed, the nice value of the
/// starting program.
void resetProcessors() {
  cpu_set_t All;
  CPU_ZERO(&All);
  for (int Processor = 0; Processor < CPU_SETSIZE; ++Processor)
    CPU_SET(Processor, &All);
  sched_setaffinity(0, sizeof(All), &All); // the kernel ignores absent processors
  sched_param Parameters{};
  sched_setscheduler(0, SCHED_OTHER, &Parameters);
  setpriority(PRIO_PROCESS, 0, 0);
}

/// Raises the limits of the starting program as far as possible.
void resetLimits() {
  for (const auto Resource : {RLIMIT_AS, RLIMIT_CPU, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NOFILE,
                              RLIMIT_NPROC, RLIMIT_STACK})
    if (rlimit Limit{}; getrlimit(Resource, &Limit) == 0) {
      Limit.rlim_cur = Limit.rlim_max;
      setrlimit(Resource, &Limit);
    }
}

/// Returns whether hard limits of the starting program remain that would fail the requests of other
/// programs.
bool isConfined() {
  // Descriptors: two for each of some dozen clients and processes. Processes: one per processor.
  constexpr rlim_t Enough = 64;
  for (const auto Resource : {RLIMIT_AS, RLIMIT_CPU, RLIMIT_DATA, RLIMIT_FSIZE})
    if (rlimit Limit{}; getrlimit(Resource, &Limit) == 0 && Limit.rlim_max != RLIM_INFINITY)
      return true;
  for (const auto Resource : {RLIMIT_NOFILE, RLIMIT_NPROC})
    if (rlimit Limit{}; getrlimit(Resource, &Limit) == 0 && Limit.rlim_max < Enough)
      return true;
  return false;
}

bool isConnection(int File) {
  int Type = 0;
  socklen_t Size = sizeof(Type);
  return getsockopt(File, SOL_SOCKET, SO_TYPE, &Type, &Size) == 0 && Type == SOCK_STREAM;
}

} // namespace

int main(int Argc, char **Argv) {
  using namespace specrt;
  if (Argc != 4 || !isConnection(InheritedConnection)) {
    std::fprintf(stderr, "specrt-server is started by programs that use libspecrt, not by hand\n");
    return 2;
  }
  fcntl(InheritedConnection, F_SETFD, FD_CLOEXEC);
  if (std::string_view(Argv[2]) == "replay") {
    setLibraryPath(Argv[1]);
    try {
      provideFunctions();
      return runExecutor();
    } catch (const std::exception &) {
      return 1;
    }
  }
  prctl(PR_SET_NAME, "specrt-server");
  resetSignals();
  resetProcessors();
  resetLimits();
  umask(S_IRWXG | S_IRWXO);
  setLibraryPath(Argv[1]);
  try {
    provideFunctions();
    const bool Listens = std::string_view(Argv[2]) == "listen" && !isConfined();
    Server(Descriptor(InheritedConnection), Argv[3], Listens).run();
  } catch (const std::exception &) {
    return 1; // without memory; programs start another server
  }
  return 0;
}
