//===- runtime/executor/executor.cpp - the process that replays -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/guards.h"
#include "runtime/base/clock.h"
#include "runtime/base/processors.h"
#include "runtime/cache/loaded_version.h"
#include "runtime/executor/captured_memory.h"
#include "runtime/executor/region_call.h"
#include "runtime/executor/replay.h"
#include "runtime/protocol/frames.h"
#include "support/write_all.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <memory>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace specrt {
namespace {

using Outcome = ReplayResult::Outcome;

/// What a candidate's process tells the executor: once when it has compared, again when it has
/// timed.
struct Report {
  ReplayResult Result = {};
  std::vector<uint8_t> Values = {}; ///< that the nest hands to the code behind it
  template <class Archive> void fields(Archive &A) { A(Result, Values); }
};

/// The region with the addresses of the program: those of its data, and of functions that this
/// process has, too.
class ReplayedRegion {
public:
  ReplayedRegion(RegionMessage Message, const CapturedMemory &Memory,
                 const std::vector<uint64_t> &Addresses)
      : Received(std::move(Message)), View(Received.region()) {
    Good = Received.isValid() && Addresses.size() == View.num_symbols &&
           Memory.call().NumArguments == View.num_args;
    if (!Good)
      return;
    Symbols.assign(View.symbols, View.symbols + View.num_symbols);
    for (size_t I = 0; I < Symbols.size(); ++I) {
      Symbols[I].address = reinterpret_cast<void *>(Addresses[I]);
      if (isCaptured(Memory.call(), Addresses[I]))
        continue;
      if (void *const Here = dlsym(RTLD_DEFAULT, Symbols[I].name))
        Symbols[I].address = Here;
    }
    View.symbols = Symbols.data();
  }

  bool good() const { return Good; }
  const specrt_region &region() const { return View; }

private:
  static bool isCaptured(const CapturedCall &Call, uint64_t Address) {
    return std::any_of(
        Call.Segments, Call.Segments + Call.NumSegments,
        [&](const CapturedSegment &S) { return S.Begin <= Address && Address < S.End; });
  }

  const ReceivedRegion Received;
  specrt_region View;
  std::vector<specrt_symbol> Symbols;
  bool Good = false;
};

/// Waits until \p Threads threads find a processor each, at most half a second. Returns whether
/// they do.
bool awaitProcessors(uint32_t Threads) {
  constexpr int MaxTries = 100;
  constexpr useconds_t PauseUs = 5000;
  const auto Processors = static_cast<unsigned>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
  for (int Try = 0; Try < MaxTries; ++Try) {
    if (othersThatRun({}) + Threads <= Processors)
      return true;
    usleep(PauseUs);
  }
  return false;
}

/// One candidate, in its own process.
class CandidateRun {
public:
  CandidateRun(const ReplayRequest &Asked, const ReplayedObject &Object,
               const specrt_region &Region, CapturedMemory &Memory)
      : Asked(Asked), Object(Object), Region(Region), Memory(Memory),
        Call(Region, Memory.call().Packed) {
    Told.Result.Name = Object.Name;
  }

  /// Sends reports to \p To. \p BestNs: the least time of a candidate so far; 0: none.
  void run(int To, double BestNs) {
    if (load()) {
      compare();
      (void)writeAll(To, frameOf(MessageKind::Replayed, Told));
      if (Told.Result.Is != Outcome::Same || !takeTimes(BestNs))
        return;
    }
    (void)writeAll(To, frameOf(MessageKind::Replayed, Told));
  }

private:
  bool refuse(Outcome Is, std::string Why) {
    Told.Result.Is = Is;
    Told.Result.Why = std::move(Why);
    return false;
  }

  bool load() {
    StoredVersion Stored;
    Stored.Object = Object.Object;
    Stored.Description.Key = Object.Key;
    std::string Why;
    Loaded = LoadedVersion::load(Stored, Region, Asked.Threads, Why);
    Body = Loaded ? Loaded->body(Object.Name) : nullptr;
    if (!Body || !Call.good())
      return refuse(Outcome::NotRun, Body ? "has arguments that cannot be passed" : Why);
    return true;
  }

  /// Of serial code the thread's time, which goes on neither while the server pauses replays nor
  /// while another thread has the processor.
  uint64_t nowNs() const {
    timespec Used{};
    if (Body->parallel || clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Used) != 0)
      return monotonicNs();
    return static_cast<uint64_t>(Used.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(Used.tv_nsec);
  }

  double timeOfCall() {
    const uint64_t Begin = nowNs();
    Exit = Call(Body->body);
    return static_cast<double>(nowNs() - Begin);
  }

  void compare() {
    if (!Memory.fill())
      return (void)refuse(Outcome::NotRun, "could not be given the captured bytes");
    __builtin_ia32_ldmxcsr(Memory.call().Mxcsr);
    if (!allHold(GuardView(Body->entry->guards), Region, Memory.call().Packed))
      return (void)refuse(Outcome::Unguarded, "is not for this call");
    Told.Result.Ns = timeOfCall();
    Told.Result.Is = Outcome::Same;
    if (!Asked.ComparesBits)
      return;
    if (const std::string Difference = Memory.firstDifference(); !Difference.empty())
      return (void)refuse(Outcome::Differs, Difference);
    Told.Values = Memory.results();
    const auto *const Number = reinterpret_cast<const uint8_t *>(&Exit);
    Told.Values.insert(Told.Values.end(), Number, Number + sizeof(uint32_t));
  }

  /// Repeats the call. The first one has met code, and threads have started; it counts only where
  /// that is nothing beside it.
  bool takeTimes(double BestNs) {
    // In a call of that length a start of threads is nothing, and one more tells how far times
    // scatter. What is far behind is not timed exactly.
    constexpr double LongNs = 100e6, FarBehind = 1.3;
    constexpr int LeastCalls = 3, MostCalls = 50;
    const bool IsLong = Told.Result.Ns > LongNs;
    double Sum = 0, Least = IsLong ? Told.Result.Ns : 0;
    const auto IsEnough = [&](int Calls) {
      if (BestNs > 0 && Least > FarBehind * BestNs)
        return true;
      return IsLong ? Calls >= 1 : Calls >= LeastCalls && (Sum >= LongNs || Calls >= MostCalls);
    };
    if (Asked.AwaitsProcessors && !awaitProcessors(Body->parallel ? Asked.Threads : 1)) {
      Told.Result.Ns = 0;
      return true;
    }
    for (int Calls = 0; !IsEnough(Calls); ++Calls) {
      if (!Memory.refill())
        return false;
      const double Ns = timeOfCall();
      Sum += Ns;
      Least = Least == 0 ? Ns : std::min(Least, Ns);
    }
    Told.Result.Ns = Least;
    return true;
  }

  const ReplayRequest &Asked;
  const ReplayedObject &Object;
  const specrt_region &Region;
  CapturedMemory &Memory;
  RegionCall Call;
  std::shared_ptr<LoadedVersion> Loaded;
  const specrt_object_body *Body = nullptr;
  uint64_t Exit = 0;
  Report Told;
};

/// Time in which this process was not stopped: the server pauses replays while no processor is
/// free.
class ActiveTime {
public:
  uint64_t nowNs() const { return monotonicNs() - StoppedNs; }

  /// As poll for input, but for a moment only.
  bool pollBriefly(int File) {
    constexpr int MomentMs = 20;
    constexpr uint64_t LongestNs = 10 * uint64_t{MomentMs} * 1'000'000;
    const uint64_t Begin = monotonicNs();
    pollfd Awaited{.fd = File, .events = POLLIN, .revents = 0};
    const bool IsReady = poll(&Awaited, 1, MomentMs) > 0;
    if (const uint64_t Passed = monotonicNs() - Begin; Passed > LongestNs)
      StoppedNs += Passed;
    return IsReady;
  }

private:
  uint64_t StoppedNs = 0;
};

/// Receives reports until the process has ended, the first one is late, or \p EndNs has passed.
/// Returns the last one.
std::optional<Report> lastReport(int From, ActiveTime &Clock, uint64_t FirstNs, uint64_t EndNs) {
  FrameReader Incoming;
  std::optional<Report> Last;
  while (Clock.nowNs() < (Last ? EndNs : std::min(FirstNs, EndNs))) {
    const bool IsOpen = !Clock.pollBriefly(From) || Incoming.receive(From);
    while (const std::optional<Frame> Next = Incoming.next())
      if (Report Told; Next->Kind == MessageKind::Replayed && restore(Next->Body, Told))
        Last = std::move(Told);
    if (!IsOpen)
      break;
  }
  return Last;
}

/// How a process ended that has told nothing. What is killed, or ends by itself, lacked memory.
ReplayResult failure(const std::string &Name, int Status) {
  ReplayResult Result{.Name = Name, .Why = "lacked memory"};
  if (!WIFSIGNALED(Status) || WTERMSIG(Status) == SIGKILL)
    return Result;
  Result.Is = Outcome::Faulted;
  Result.Why = std::string("touches other memory than the call does, or crashes (") +
               strsignal(WTERMSIG(Status)) + ")";
  return Result;
}

class Executor {
public:
  explicit Executor(ReplayRequest From) : Asked(std::move(From)), Memory(ExecutorCapture) {}

  int run() {
    if (!Memory.read())
      return 1;
    const std::optional<std::vector<uint64_t>> Addresses = Memory.symbols();
    if (!Addresses)
      return 1;
    if (!Memory.reserve())
      return AddressesTaken;
    const ReplayedRegion Region(std::move(Asked.Region), Memory, *Addresses);
    if (!Region.good())
      return 1;
    EndNs = Clock.nowNs() + uint64_t{Asked.MaxMs} * 1'000'000;
    for (const ReplayedObject &Object : Asked.Objects) {
      ReplayResult Result = replayIn(Object, Region.region());
      if (Result.Is == Outcome::Same && Result.Ns > 0 && (BestNs == 0 || Result.Ns < BestNs))
        BestNs = Result.Ns;
      if (!writeAll(ExecutorConnection, frameOf(MessageKind::Replayed, Result)))
        return 1;
    }
    return 0;
  }

private:
  ReplayResult replayIn(const ReplayedObject &Object, const specrt_region &Region) {
    // A call that finds nothing in caches, beside loading an object and starting threads.
    constexpr uint64_t Slowest = 4, LoadNs = 1'000'000'000;
    const uint64_t Begin = Clock.nowNs();
    int Ends[2];
    if (Begin >= EndNs)
      return {.Name = Object.Name, .Is = Outcome::Late, .Why = "there was no time for it"};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Ends) != 0)
      return {.Name = Object.Name, .Why = "there is no connection for it"};
    const Descriptor Mine(Ends[0]);
    Descriptor Theirs(Ends[1]);
    const pid_t Process = fork();
    if (Process < 0)
      return {.Name = Object.Name, .Why = "there is no process for it"};
    if (Process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      CandidateRun(Asked, Object, Region, Memory).run(Theirs.get(), BestNs);
      _exit(0);
    }
    Theirs = Descriptor();
    const uint64_t First = Begin + LoadNs + Slowest * Memory.call().Nanoseconds;
    std::optional<Report> Told = lastReport(Mine.get(), Clock, First, EndNs);
    const bool IsLate = !Told && Clock.nowNs() >= std::min(First, EndNs);
    kill(Process, SIGKILL);
    int Status = 0;
    while (waitpid(Process, &Status, 0) < 0 && errno == EINTR) {
    }
    if (IsLate)
      return {.Name = Object.Name,
              .Is = First < EndNs ? Outcome::NotRun : Outcome::Late,
              .Why = "took much longer than the program's call"};
    if (!Told)
      return failure(Object.Name, Status);
    return judge(std::move(*Told));
  }

  /// Compares what is handed to the code behind the nest with what the first candidate hands over.
  ReplayResult judge(Report Told) {
    if (Told.Result.Is != Outcome::Same || !Asked.ComparesBits)
      return std::move(Told.Result);
    if (!Values)
      Values = std::move(Told.Values);
    else if (*Values != Told.Values) {
      Told.Result.Is = Outcome::Differs;
      Told.Result.Why = "hands other values to the code behind the nest";
    }
    return std::move(Told.Result);
  }

  ReplayRequest Asked;
  CapturedMemory Memory;
  ActiveTime Clock;
  uint64_t EndNs = 0; ///< of Clock
  double BestNs = 0;
  std::optional<std::vector<uint8_t>> Values; ///< of the first candidate
};

} // namespace

int runExecutor() {
  prctl(PR_SET_NAME, "specrt-replay");
  FrameReader Incoming;
  while (true) {
    pollfd Awaited{.fd = ExecutorConnection, .events = POLLIN, .revents = 0};
    if (poll(&Awaited, 1, -1) < 0 || !Incoming.receive(ExecutorConnection))
      return 1;
    const std::optional<Frame> Next = Incoming.next();
    if (!Next)
      continue;
    ReplayRequest Asked;
    if (Next->Kind != MessageKind::Replay || !restore(Next->Body, Asked))
      return 1;
    return Executor(std::move(Asked)).run();
  }
}

} // namespace specrt
