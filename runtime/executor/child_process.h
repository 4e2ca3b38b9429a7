//===- runtime/executor/child_process.h - a forked process and a connection to it ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_EXECUTOR_CHILD_PROCESS_H
#define SPECRT_RUNTIME_EXECUTOR_CHILD_PROCESS_H

#include "profiler/store/store_file.h"
#include "support/process/parent_death.h"
#include <cerrno>
#include <csignal>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace specrt {

/// A process that is forked from this one. It is killed when this process ends. Not thread-safe.
class ChildProcess {
public:
  /// Calls \p Main with the process's end of a connection in a new process, and exits there with
  /// the result. good() is false if there is no process.
  template <class F> explicit ChildProcess(F Main) {
    int Ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Ends) != 0)
      return;
    Connection = Descriptor(Ends[0]);
    const Descriptor Theirs(Ends[1]);
    const pid_t Parent = getpid();
    Id = fork();
    if (Id != 0)
      return;
    _exit(endWith(Parent) ? Main(Theirs.get()) : 0);
  }
  ~ChildProcess() {
    kill();
    wait();
  }
  ChildProcess(const ChildProcess &) = delete;
  ChildProcess &operator=(const ChildProcess &) = delete;

  bool good() const { return Id > 0; }
  /// This process's end of the connection.
  int connection() const { return Connection.get(); }

  void kill() const {
    if (Id > 0)
      ::kill(Id, SIGKILL);
  }
  /// Waits for the end of the process. Returns its status as waitpid does; only once.
  int wait() {
    int Status = 0;
    while (Id > 0 && waitpid(Id, &Status, 0) < 0 && errno == EINTR) {
    }
    Id = 0;
    return Status;
  }

private:
  Descriptor Connection;
  pid_t Id = 0;
};

} // namespace specrt

#endif
