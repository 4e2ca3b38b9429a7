//===- tests/runtime/server/job_test.cpp - processes of jobs that are stopped ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/protocol/frames.h"
#include "runtime/protocol/messages.h"
#include "runtime/server/job.h"
#include "support/process/parent_death.h"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <poll.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace specrt {
namespace {

constexpr int PatienceMs = 20'000;
/// The descriptor that a job's process gets for its capture. These jobs get the end of a pipe.
constexpr int CaptureOfProcess = STDERR_FILENO + 2;

/// Stands for a compiler that never returns.
const specrt_describe_result *compileForever(const specrt_describe_request * /*Request*/) {
  for (;;)
    pause();
}

/// Stands for a compiler that replays: forks a process, writes its id, and never returns.
const specrt_describe_result *replayForever(const specrt_describe_request * /*Request*/) {
  const pid_t Parent = getpid(), Child = fork();
  if (Child == 0 && !endWith(Parent))
    _exit(1);
  if (Child > 0 && write(CaptureOfProcess, &Child, sizeof(Child)) != sizeof(Child))
    _exit(1);
  for (;;)
    pause();
}

/// A job that no call waits for. Its processes hold the pipe's end for writing.
class EndlessJob {
public:
  EndlessJob(decltype(specrt_jit_api::describe) Compiler, int Writable) {
    Api.describe = Compiler;
    const specrt_c_type None{};
    DescribeRequest Asked;
    const auto *Bytes = reinterpret_cast<const uint8_t *>(&None);
    Asked.Result.Bytes.assign(Bytes, Bytes + sizeof(None));
    Asked.BudgetMs = PatienceMs;
    Frame Request{MessageKind::Describe, archive(Asked)};
    const JobTerms Terms = termsOf(Request).value();
    Work = std::make_unique<Job>(std::move(Request), Terms, Descriptor(Writable));
    EXPECT_EQ(Work->begin(Api, "/nonexistent"), 0);
  }

  /// Stops the job as soon as that is possible.
  void stop() const {
    while (!Work->pause(true))
      usleep(100);
  }
  Job &job() const { return *Work; }

private:
  specrt_jit_api Api{};
  std::unique_ptr<Job> Work;
};

class JobTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_EQ(pipe2(Ends.data(), O_CLOEXEC), 0); }
  void TearDown() override { close(Ends[0]); }

  /// Waits until something was written, or nobody is left who could write. Returns the bytes read,
  /// or -1 if neither comes to pass.
  ssize_t await(void *To, size_t Size) const {
    pollfd Readable{.fd = Ends[0], .events = POLLIN, .revents = 0};
    return poll(&Readable, 1, PatienceMs) == 1 ? read(Ends[0], To, Size) : -1;
  }
  /// Returns the state of a process as in /proc: 'T' for a stopped one.
  static char stateOf(pid_t Process) {
    std::string Text;
    std::getline(std::ifstream("/proc/" + std::to_string(Process) + "/stat"), Text);
    const size_t End = Text.rfind(')');
    return End == Text.npos || End + 2 >= Text.size() ? '?' : Text[End + 2];
  }
  /// Waits until the process is stopped, or until it is not.
  static bool becomes(pid_t Process, bool Stopped) {
    for (int Ms = 0; Ms < PatienceMs; ++Ms, usleep(1000))
      if ((stateOf(Process) == 'T') == Stopped)
        return true;
    return false;
  }

  std::array<int, 2> Ends{};
};

/// Runs a server that stops its job at the first opportunity and dies. Which of the two is faster,
/// the job's process that arranges its end or the server, differs from time to time.
TEST_F(JobTest, AStoppedJobDoesNotOutliveItsServer) {
  for (int Round = 0; Round < 100; ++Round) {
    const pid_t Server = fork();
    ASSERT_GE(Server, 0);
    if (Server == 0) {
      const EndlessJob Endless(compileForever, Ends[1]);
      Endless.stop();
      kill(getpid(), SIGKILL);
    }
    int Status = 0;
    ASSERT_EQ(waitpid(Server, &Status, 0), Server);
    ASSERT_TRUE(WIFSIGNALED(Status) && WTERMSIG(Status) == SIGKILL);
  }
  close(Ends[1]);
  char Byte = 0;
  EXPECT_EQ(await(&Byte, 1), 0) << "a process of a job is left";
}

TEST_F(JobTest, ReplaysGoOnWhenACallWaits) {
  const EndlessJob Endless(replayForever, Ends[1]);
  pid_t Replays = 0;
  ASSERT_EQ(await(&Replays, sizeof(Replays)), static_cast<ssize_t>(sizeof(Replays)));
  Endless.stop();
  ASSERT_TRUE(becomes(Endless.job().process(), true));
  ASSERT_TRUE(becomes(Replays, true));
  Endless.job().await();
  EXPECT_TRUE(becomes(Endless.job().process(), false));
  EXPECT_TRUE(becomes(Replays, false));
}

} // namespace
} // namespace specrt
