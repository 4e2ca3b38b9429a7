//===- runtime/server/job.cpp - one request and the process that serves it ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/server/job.h"
#include "runtime/base/clock.h"
#include "runtime/base/processors.h"
#include "runtime/server/serve_request.h"
#include "support/process/own_descriptors.h"
#include "support/process/parent_death.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sched.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace specrt {
namespace {

void writeTo(const char *Path, std::string_view Text) {
  const Descriptor File(open(Path, O_WRONLY | O_CLOEXEC));
  [[maybe_unused]] const ssize_t Written = write(File.get(), Text.data(), Text.size());
}

/// Moves this process to the scheduler's idle class, in a session of its own: with autogroups the
/// kernel divides processors among sessions before it compares priorities. 19 is the lowest one.
void becomeIdle() {
  setsid();
  writeTo("/proc/self/autogroup", "19");
  sched_param Parameters{};
  sched_setscheduler(0, SCHED_IDLE, &Parameters);
}

/// Makes room on the stack, bounds memory, and writes no core files. Of 1000, 800 has the kernel
/// end this process before those of programs when memory is short, even where they use twice as
/// much.
void setLimits() {
  writeTo("/proc/self/oom_score_adj", "800");
  rlimit Limit{};
  // Eight times Linux's default: Polly and isl recurse over expressions of generated code.
  constexpr rlim_t StackBytes = rlim_t{64} << 20;
  if (getrlimit(RLIMIT_STACK, &Limit) == 0 && Limit.rlim_cur < StackBytes) {
    Limit.rlim_cur = std::min(StackBytes, Limit.rlim_max);
    setrlimit(RLIMIT_STACK, &Limit);
  }
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer) &&                         \
    !__has_feature(thread_sanitizer)
  // Address space, most of which LLVM maps and never touches. docs/server.md gives the bound.
  constexpr rlim_t MemoryBytes = rlim_t{8} << 30;
  if (getrlimit(RLIMIT_AS, &Limit) == 0 && Limit.rlim_cur > MemoryBytes) {
    Limit.rlim_cur = MemoryBytes;
    setrlimit(RLIMIT_AS, &Limit);
  }
#endif
  Limit = {};
  setrlimit(RLIMIT_CORE, &Limit);
}

/// Serves the request in the new process and ends it.
[[noreturn]] void serve(const specrt_jit_api &Api, const Frame &Request,
                        const std::string &CacheDirectory, bool IsIdle, int To, int Capture,
                        int ErrorOutput, pid_t Server) noexcept {
  if (!endWith(Server))
    _exit(0);
  dup2(ErrorOutput, STDERR_FILENO);
  // The server's lock and connections must end with the server, not with this process.
  constexpr int Answers = STDERR_FILENO + 1, Captured = Answers + 1;
  const int Other = fcntl(To, F_DUPFD, Captured + 1);
  if (Other < 0)
    _exit(1);
  if (Capture >= 0)
    dup2(Capture, Captured);
  dup2(Other, Answers);
  closeFrom(Capture >= 0 ? Captured + 1 : Captured);
  prctl(PR_SET_NAME, "specrt-compile");
  signal(SIGPIPE, SIG_IGN);
  if (IsIdle)
    becomeIdle();
  setLimits();
  serveRequest(Api, Request, CacheDirectory, Answers, Capture >= 0 ? Captured : -1);
  _exit(0);
}

bool endsRequest(MessageKind Kind) {
  return Kind == MessageKind::Compiled || Kind == MessageKind::Instrumented ||
         Kind == MessageKind::Described || Kind == MessageKind::Propagated ||
         Kind == MessageKind::Failed;
}

uint64_t processorNsOf(pid_t Process) {
  clockid_t Clock;
  timespec Used{};
  if (clock_getcpuclockid(Process, &Clock) != 0 || clock_gettime(Clock, &Used) != 0)
    return 0;
  return static_cast<uint64_t>(Used.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(Used.tv_nsec);
}

} // namespace

std::optional<JobTerms> termsOf(const Frame &Request) {
  if (Request.Kind == MessageKind::Propagate) {
    PropagateRequest Asked;
    if (!restore(Request.Body, Asked))
      return std::nullopt;
    return JobTerms{.BudgetMs = Asked.BudgetMs, .IsAwaited = true};
  }
  if (Request.Kind == MessageKind::Describe) {
    DescribeRequest Asked;
    if (!restore(Request.Body, Asked))
      return std::nullopt;
    return JobTerms{.BudgetMs = Asked.BudgetMs, .IsAwaited = Asked.IsAwaited};
  }
  CompileRequest Asked;
  if ((Request.Kind != MessageKind::Compile && Request.Kind != MessageKind::Instrument) ||
      !restore(Request.Body, Asked))
    return std::nullopt;
  return JobTerms{.SharedKey = Asked.SharedKey,
                  .IsKept = Asked.IsKept,
                  .ReadsStore = Asked.ReadsStore,
                  .BudgetMs = Asked.BudgetMs + (Asked.HasCapture ? Asked.AfterExitMs : 0),
                  .AfterExitMs = Asked.IsKept ? Asked.AfterExitMs : 0,
                  .IsAwaited = Asked.IsAwaited,
                  .HasCapture = Asked.HasCapture};
}

void emptyCapture(const Descriptor &Capture) {
  if (!Capture)
    return;
  [[maybe_unused]] const int Failed = ftruncate(Capture.get(), 0);
}

Job::~Job() {
  emptyCapture(Capture);
  if (Process <= 0)
    return;
  if (!signalGroup(SIGKILL))
    kill(Process, SIGKILL);
  while (waitpid(Process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

/// Signals the process with those that replay for it. Returns false, and does nothing, if the
/// process is so new that it has no group yet.
bool Job::signalGroup(int Number) const { return HasGroup && kill(-Process, Number) == 0; }

void Job::listThreads(std::vector<pid_t> &To) const {
  if (Terms.HasCapture)
    specrt::listThreads(Process, To);
  else
    To.push_back(Process);
}

int Job::begin(const specrt_jit_api &Api, const std::string &CacheDirectory) {
  int Ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Ends) != 0)
    return errno;
  Output = Descriptor(Ends[0]);
  const Descriptor Theirs(Ends[1]);
  ErrorOutput = Descriptor(memfd_create("specrt-errors", MFD_CLOEXEC));
  HasGroup = !Terms.IsAwaited;
  const pid_t Server = getpid(), New = fork();
  if (New < 0)
    return errno;
  if (New == 0)
    serve(Api, Request, CacheDirectory, HasGroup, Theirs.get(), Capture.get(), ErrorOutput.get(),
          Server);
  Process = New;
  LastCheckNs = monotonicNs();
  return 0;
}

bool Job::receive(std::string &To) {
  const bool IsOpen = Incoming.receive(Output.get());
  while (std::optional<Frame> Next = Incoming.next()) {
    To += frameOf(Next->Kind, Next->Body);
    if (CandidateMessage Made; Next->Kind == MessageKind::Candidate && restore(Next->Body, Made))
      Keys.push_back(Made.Key);
    Answered = Answered || endsRequest(Next->Kind);
  }
  return IsOpen && !Answered;
}

/// Returns the last line of the process's standard error, in which LLVM or the C++ library says why
/// it ends the process. Cut to what fits a log line.
std::string Job::lastErrorLine() const {
  constexpr off_t MaxBytes = 4096; // read from the end
  constexpr size_t MaxShown = 300; // characters
  char Text[MaxBytes];
  const off_t Size = lseek(ErrorOutput.get(), 0, SEEK_END);
  const ssize_t Read =
      pread(ErrorOutput.get(), Text, sizeof(Text), std::max<off_t>(Size - MaxBytes, 0));
  std::string_view Left(Text, static_cast<size_t>(std::max<ssize_t>(Read, 0)));
  while (!Left.empty() && std::isspace(static_cast<unsigned char>(Left.back())))
    Left.remove_suffix(1);
  Left.remove_prefix(Left.rfind('\n') + 1); // npos + 1 is 0
  return std::string(Left.substr(0, MaxShown));
}

bool Job::lackedResources() {
  awaitEnd();
  const std::string Words = lastErrorLine();
  const bool IsOfMemory =
      Words.find("out of memory") != Words.npos || Words.find("bad_alloc") != Words.npos;
  return IsOfMemory || (WIFSIGNALED(Status) ? WTERMSIG(Status) == SIGKILL
                                            : Words.find("LLVM ERROR") == Words.npos);
}

void Job::awaitEnd() {
  while (Process > 0 && waitpid(Process, &Status, 0) < 0 && errno == EINTR) {
  }
  Process = 0;
}

std::string Job::howItEnded() {
  awaitEnd();
  std::string How = WIFSIGNALED(Status)
                        ? std::string("the compiler crashed (") + strsignal(WTERMSIG(Status)) + ")"
                        : "the compiler gave up";
  if (const std::string Words = lastErrorLine(); !Words.empty())
    How += ": " + Words;
  return How;
}

void Job::await() {
  if (!std::exchange(Terms.IsAwaited, true) && hasBegun())
    pause(false); // it stays in the idle class
}

bool Job::pause(bool Pauses) {
  // A process without its group has not arranged yet that it is killed when the server dies:
  // stopped then, it would stay for ever.
  if (Paused == Pauses || !signalGroup(Pauses ? SIGSTOP : SIGCONT))
    return false;
  Paused = Pauses;
  return true;
}

uint64_t Job::usedNs() {
  const uint64_t Now = processorNsOf(Process);
  return Now - std::min(Now, std::exchange(LastUsedNs, Now));
}

bool Job::isEndless(uint64_t UsedNs) {
  // The process answers by itself a quarter of a second after its budget. Four times the budget
  // leave room for three other threads on its processor, the second for a budget of 0.
  constexpr uint64_t Stretch = 4, GraceMs = 1000;
  const uint64_t Now = monotonicNs(), Passed = Now - std::exchange(LastCheckNs, Now);
  // A process that sleeps is not starved: it will not go on when a processor is free.
  const bool IsStarved = UsedNs < Passed / Stretch && (Paused || wantsProcessor(Process));
  OwnNs += IsStarved ? UsedNs : Passed;
  return OwnNs >= (uint64_t{Terms.BudgetMs} * Stretch + GraceMs) * 1'000'000;
}

} // namespace specrt
