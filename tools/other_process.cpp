//===- tools/other_process.cpp - does work in another process -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/other_process.h"
#include "tools/command_error.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace specrt::tools {
namespace {

bool writeAll(int To, const std::string &Text) {
  for (size_t Done = 0; Done < Text.size();) {
    const ssize_t Size = write(To, Text.data() + Done, Text.size() - Done);
    if (Size < 0 && errno == EINTR)
      continue;
    if (Size <= 0)
      return false;
    Done += static_cast<size_t>(Size);
  }
  return true;
}

/// Does the work in the child. Drops what LLVM and the C library write to standard error when they
/// fail: the caller reports each problem in one line.
[[noreturn]] void work(int To, unsigned Seconds, const std::function<std::string()> &Work) {
  if (const int Nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); Nowhere >= 0)
    dup2(Nowhere, STDERR_FILENO);
  signal(SIGALRM, SIG_DFL);
  sigset_t Alarm;
  sigemptyset(&Alarm);
  sigaddset(&Alarm, SIGALRM);
  sigprocmask(SIG_UNBLOCK, &Alarm, nullptr);
  alarm(Seconds);
  bool IsDone = false;
  try {
    IsDone = writeAll(To, Work());
  } catch (...) { // the exit status reports the failure
  }
  _exit(IsDone ? 0 : 1);
}

} // namespace

OtherProcess::OtherProcess(unsigned Seconds, const std::function<std::string()> &Work) {
  int Ends[2];
  if (pipe(Ends) != 0)
    throw CommandError(ExitUsage, std::string("no pipe: ") + std::strerror(errno));
  std::fflush(nullptr); // otherwise both processes would write the buffered output
  Process = fork();
  if (Process == 0)
    work(Ends[1], Seconds, Work);
  const int Error = errno;
  close(Ends[1]);
  From = Ends[0];
  if (Process < 0) {
    close(From);
    throw CommandError(ExitUsage, std::string("no process: ") + std::strerror(Error));
  }
}

OtherProcess::~OtherProcess() {
  if (From < 0)
    return;
  close(From);
  kill(Process, SIGKILL);
  waitpid(Process, nullptr, 0);
}

OtherProcess::Result OtherProcess::result() {
  Result R;
  char Part[1 << 16];
  ssize_t Size = 0;
  while ((Size = read(From, Part, sizeof Part)) > 0 || (Size < 0 && errno == EINTR))
    R.Text.append(Part, static_cast<size_t>(std::max<ssize_t>(Size, 0)));
  close(std::exchange(From, -1));
  int Status = 0;
  while (waitpid(Process, &Status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(Status))
    R.Death = WTERMSIG(Status) == SIGALRM
                  ? "it takes LLVM too long"
                  : fmt::format("LLVM did not survive it ({})", strsignal(WTERMSIG(Status)));
  else if (Status != 0)
    R.Death = "LLVM gave up on it";
  return R;
}

} // namespace specrt::tools
