//===- runtime/executor/replay.cpp - runs candidates on a captured call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/replay.h"
#include "runtime/compile/library_path.h"
#include "runtime/executor/captured_memory.h"
#include "runtime/executor/child_process.h"
#include "runtime/protocol/frames.h"
#include "support/process/own_descriptors.h"
#include "support/write_all.h"

#include <algorithm>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace specrt {
namespace {

/// Executes the server's program as an executor. Returns an exit status only on failure.
int becomeExecutor(int Connection, int Capture) {
  const int Highest = std::max({Connection, Capture, ExecutorCapture}) + 1;
  const int Other = fcntl(Connection, F_DUPFD, Highest), File = fcntl(Capture, F_DUPFD, Highest);
  if (Other >= 0 && File >= 0 && dup2(Other, ExecutorConnection) >= 0 &&
      dup2(File, ExecutorCapture) >= 0) {
    closeFrom(ExecutorCapture + 1);
    execl("/proc/self/exe", "specrt-server", libraryPath(), "replay", "", nullptr);
  }
  return 1;
}

/// Starts an executor and receives its results. Returns its exit status; negative if it was killed
/// or could not be started.
int askExecutor(const std::string &Request, int Capture, std::vector<ReplayResult> &Results) {
  Results.clear();
  ChildProcess Executor([&](int Connection) { return becomeExecutor(Connection, Capture); });
  if (!Executor.good())
    return -1;
  FrameReader Incoming;
  for (bool IsOpen = writeAll(Executor.connection(), Request); IsOpen;) {
    pollfd Awaited{.fd = Executor.connection(), .events = POLLIN, .revents = 0};
    if (poll(&Awaited, 1, -1) < 0)
      continue;
    IsOpen = Incoming.receive(Executor.connection());
    while (const std::optional<Frame> Next = Incoming.next())
      if (ReplayResult Told; Next->Kind == MessageKind::Replayed && restore(Next->Body, Told))
        Results.push_back(std::move(Told));
  }
  const int Status = Executor.wait();
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : -1;
}

} // namespace

double capturedNs(int Capture) {
  CapturedMemory Memory(Capture);
  return Memory.read() ? static_cast<double>(Memory.call().Nanoseconds) : 0;
}

std::vector<ReplayResult> replay(const ReplayRequest &Asked, int Capture, std::string &Why) {
  // The kernel chooses addresses at random. If a try fails with probability p, all fail with p^4.
  constexpr int MaxTries = 4;
  const std::string Request = frameOf(MessageKind::Replay, Asked);
  std::vector<ReplayResult> Results;
  int Status = AddressesTaken;
  for (int Try = 0; Try < MaxTries && Status == AddressesTaken; ++Try)
    Status = askExecutor(Request, Capture, Results);
  if (Status == 0 && Results.size() == Asked.Objects.size())
    return Results;
  Why = Status == AddressesTaken ? "other memory lies at the program's addresses"
                                 : "the process that replays has failed";
  return {};
}

} // namespace specrt
