//===- runtime/executor/replay.cpp - candidates on a captured call --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/replay.h"
#include "profiler/store/store_file.h"
#include "runtime/compile/library_path.h"
#include "runtime/executor/captured_memory.h"
#include "runtime/protocol/frames.h"
#include "support/own_descriptors.h"
#include "support/write_all.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace specrt {
namespace {

/// Becomes the executor: the server's program, in an address space of its own.
[[noreturn]] void becomeExecutor(int Connection, int Capture) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int Highest = std::max({Connection, Capture, ExecutorCapture}) + 1;
  const int Other = fcntl(Connection, F_DUPFD, Highest), File = fcntl(Capture, F_DUPFD, Highest);
  if (Other >= 0 && File >= 0 && dup2(Other, ExecutorConnection) >= 0 &&
      dup2(File, ExecutorCapture) >= 0) {
    closeFrom(ExecutorCapture + 1);
    execl("/proc/self/exe", "specrt-server", libraryPath(), "replay", "", nullptr);
  }
  _exit(1);
}

/// Starts an executor and receives its results. Returns its exit status; negative: it was killed,
/// or could not be started.
int askExecutor(const std::string &Request, int Capture, std::vector<ReplayResult> &Results) {
  Results.clear();
  int Ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Ends) != 0)
    return -1;
  const Descriptor Mine(Ends[0]);
  Descriptor Theirs(Ends[1]);
  const pid_t Process = fork();
  if (Process < 0)
    return -1;
  if (Process == 0)
    becomeExecutor(Theirs.get(), Capture);
  Theirs = Descriptor();
  FrameReader Incoming;
  for (bool IsOpen = writeAll(Mine.get(), Request); IsOpen;) {
    pollfd Awaited{.fd = Mine.get(), .events = POLLIN, .revents = 0};
    if (poll(&Awaited, 1, -1) < 0)
      continue;
    IsOpen = Incoming.receive(Mine.get());
    while (const std::optional<Frame> Next = Incoming.next())
      if (ReplayResult Told; Next->Kind == MessageKind::Replayed && restore(Next->Body, Told))
        Results.push_back(std::move(Told));
  }
  int Status = 0;
  while (waitpid(Process, &Status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : -1;
}

} // namespace

double capturedNs(int Capture) {
  CapturedMemory Memory(Capture);
  return Memory.read() ? static_cast<double>(Memory.call().Nanoseconds) : 0;
}

std::vector<ReplayResult> replay(const ReplayRequest &Asked, int Capture, std::string &Why) {
  // Addresses are chosen at random: it takes much memory to be taken often.
  constexpr int MaxTries = 4;
  const std::string Request = frameOf(MessageKind::Replay, Asked);
  std::vector<ReplayResult> Results;
  int Status = AddressesTaken;
  for (int Try = 0; Try < MaxTries && Status == AddressesTaken; ++Try)
    Status = askExecutor(Request, Capture, Results);
  if (Status == 0 && Results.size() == Asked.Objects.size())
    return Results;
  Why = Status == AddressesTaken ? "the program's addresses are taken"
                                 : "the process that replays has failed";
  return {};
}

} // namespace specrt
