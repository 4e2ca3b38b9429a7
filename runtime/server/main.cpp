//===- runtime/server/main.cpp - specrt-server, which compiles for programs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Started by libspecrt.so when a program needs it first, never by people:
//
//   specrt-server LIBRARY listen|serve CACHE_DIRECTORY
//
// LIBRARY is the libspecrt.so of that program, CACHE_DIRECTORY, if it is not "", where it keeps
// what it makes, and where it listens for others. The connection to the program is the descriptor
// InheritedConnection.
//
//===----------------------------------------------------------------------===//
#include "runtime/cache/provided_functions.h"
#include "runtime/compile/library_path.h"
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

/// Who started the server may have blocked or ignored signals.
void resetSignals() {
  for (int Signal = 1; Signal < NSIG; ++Signal)
    signal(Signal, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  sigset_t None;
  sigemptyset(&None);
  sigprocmask(SIG_SETMASK, &None, nullptr);
}

/// Nor are the processors that it may use, and its priority, those of one program.
void resetProcessors() {
  cpu_set_t All;
  CPU_ZERO(&All);
  for (int Processor = 0; Processor < CPU_SETSIZE; ++Processor)
    CPU_SET(Processor, &All);
  sched_setaffinity(0, sizeof(All), &All); // the kernel leaves out what there is not
  sched_param Parameters{};
  sched_setscheduler(0, SCHED_OTHER, &Parameters);
}

/// Nor are its limits, as far as they can be raised.
void resetLimits() {
  for (const auto Resource : {RLIMIT_AS, RLIMIT_CPU, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NOFILE,
                              RLIMIT_NPROC, RLIMIT_STACK})
    if (rlimit Limit{}; getrlimit(Resource, &Limit) == 0) {
      Limit.rlim_cur = Limit.rlim_max;
      setrlimit(Resource, &Limit);
    }
}

/// Has who started the server less than others? Then it is no server for them.
bool isConfined() {
  constexpr rlim_t Enough = 64; // descriptors, processes
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
  // Where the kernel could not do it for who started the server.
  constexpr int MostFiles = 1024;
  for (int File = InheritedConnection + 1; File < MostFiles; ++File)
    close(File);
  fcntl(InheritedConnection, F_SETFD, FD_CLOEXEC);
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
    return 1; // lack of memory; programs start another one
  }
  return 0;
}
