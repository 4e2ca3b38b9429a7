//===- runtime/server/job.cpp - one request and the process that serves it ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/server/job.h"
#include "runtime/base/clock.h"
#include "runtime/base/processors.h"
#include "runtime/server/serve_request.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <climits>
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
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace specrt {
namespace {

void writeTo(const char *Path, std::string_view Text) {
  const Descriptor File(open(Path, O_WRONLY | O_CLOEXEC));
  [[maybe_unused]] const ssize_t Written = write(File.get(), Text.data(), Text.size());
}

/// A process that nobody waits for gets of the processors what nobody else wants. In a session of
/// its own, because the kernel may share processors among sessions before it looks at priorities.
void becomeIdle() {
  setsid();
  writeTo("/proc/self/autogroup", "19");
  sched_param Parameters{};
  sched_setscheduler(0, SCHED_IDLE, &Parameters);
}

/// Deep recursion of Polly and isl has room, and nothing takes the machine's memory: where it is
/// short all the same, this process is the one to go.
void setLimits() {
  writeTo("/proc/self/oom_score_adj", "800");
  rlimit Limit{};
  constexpr rlim_t StackBytes = rlim_t{64} << 20;
  if (getrlimit(RLIMIT_STACK, &Limit) == 0 && Limit.rlim_cur < StackBytes) {
    Limit.rlim_cur = std::min(StackBytes, Limit.rlim_max);
    setrlimit(RLIMIT_STACK, &Limit);
  }
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer) &&                         \
    !__has_feature(thread_sanitizer)
  constexpr rlim_t MemoryBytes = rlim_t{8} << 30;
  if (getrlimit(RLIMIT_AS, &Limit) == 0 && Limit.rlim_cur > MemoryBytes) {
    Limit.rlim_cur = MemoryBytes;
    setrlimit(RLIMIT_AS, &Limit);
  }
#endif
  Limit = {};
  setrlimit(RLIMIT_CORE, &Limit);
}

constexpr long CloseRangeCall = 436; // the headers of the build may lack it
constexpr int MostFiles = 1024;      ///< that are closed where the kernel lacks it, too

/// In the new process: serves the request and ends.
[[noreturn]] void serve(const specrt_jit_api &Api, const Frame &Request,
                        const std::string &CacheDirectory, bool IsIdle, int To,
                        int LastWords) noexcept {
  dup2(LastWords, STDERR_FILENO);
  // The server's lock and connections are not this process's: they end with the server.
  constexpr int Answers = STDERR_FILENO + 1;
  if (To != Answers)
    dup2(To, Answers);
  if (syscall(CloseRangeCall, static_cast<unsigned>(Answers + 1), UINT_MAX, 0) != 0)
    for (int File = Answers + 1; File < MostFiles; ++File)
      close(File);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NAME, "specrt-compile");
  signal(SIGPIPE, SIG_IGN);
  if (IsIdle)
    becomeIdle();
  setLimits();
  serveRequest(Api, Request, CacheDirectory, Answers);
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
                  .BudgetMs = Asked.BudgetMs,
                  .AfterExitMs = Asked.IsKept ? Asked.AfterExitMs : 0,
                  .IsAwaited = Asked.IsAwaited};
}

Job::~Job() {
  if (Process <= 0)
    return;
  kill(Process, SIGKILL);
  while (waitpid(Process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

int Job::begin(const specrt_jit_api &Api, const std::string &CacheDirectory) {
  int Ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Ends) != 0)
    return errno;
  Output = Descriptor(Ends[0]);
  const Descriptor Theirs(Ends[1]);
  LastWords = Descriptor(memfd_create("specrt-last-words", MFD_CLOEXEC));
  const pid_t New = fork();
  if (New < 0)
    return errno;
  if (New == 0)
    serve(Api, Request, CacheDirectory, !Terms.IsAwaited, Theirs.get(), LastWords.get());
  Process = New;
  LastLookNs = monotonicNs();
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

/// The last line that the process has written to its standard error: what LLVM, or who else ends
/// it, says about why.
std::string Job::lastWords() const {
  constexpr off_t Most = 4096;
  constexpr size_t MostShown = 300;
  char Text[Most];
  const off_t Size = lseek(LastWords.get(), 0, SEEK_END);
  const ssize_t Read = pread(LastWords.get(), Text, sizeof(Text), std::max<off_t>(Size - Most, 0));
  std::string_view Left(Text, static_cast<size_t>(std::max<ssize_t>(Read, 0)));
  while (!Left.empty() && std::isspace(static_cast<unsigned char>(Left.back())))
    Left.remove_suffix(1);
  Left.remove_prefix(Left.rfind('\n') + 1); // npos + 1 is 0
  return std::string(Left.substr(0, MostShown));
}

bool Job::lackedSomething() {
  awaitEnd();
  const std::string Words = lastWords();
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
  if (const std::string Words = lastWords(); !Words.empty())
    How += ": " + Words;
  return How;
}

void Job::await() {
  if (!std::exchange(Terms.IsAwaited, true) && hasBegun())
    rest(false); // what it has of a priority it keeps
}

void Job::rest(bool Now) {
  if (std::exchange(Rests, Now) != Now)
    kill(Process, Now ? SIGSTOP : SIGCONT);
}

uint64_t Job::usedNs() {
  const uint64_t Now = processorNsOf(Process);
  return Now - std::min(Now, std::exchange(LastUsedNs, Now));
}

bool Job::isEndless(uint64_t UsedNs) {
  constexpr uint64_t Stretch = 4, GraceMs = 1000, Starving = 4;
  const uint64_t Now = monotonicNs(), Passed = Now - std::exchange(LastLookNs, Now);
  // Who sleeps of itself needs no processor.
  const bool IsStarved = UsedNs < Passed / Starving && (Rests || wantsProcessor(Process));
  OwnNs += IsStarved ? UsedNs : Passed;
  return OwnNs >= (uint64_t{Terms.BudgetMs} * Stretch + GraceMs) * 1'000'000;
}

} // namespace specrt
