//===- runtime/executor/executor.cpp - replays candidates in a process of its own ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/guards.h"
#include "runtime/base/clock.h"
#include "runtime/base/processors.h"
#include "runtime/cache/loaded_version.h"
#include "runtime/call/trial.h"
#include "runtime/executor/captured_memory.h"
#include "runtime/executor/child_process.h"
#include "runtime/executor/region_call.h"
#include "runtime/executor/replay.h"
#include "runtime/protocol/frames.h"
#include "support/write_all.h"

#include <algorithm>
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

/// The message of a candidate's process to the executor. It sends one after the comparison and
/// another one after the measurement.
struct Report {
  ReplayResult Result = {};
  std::vector<uint8_t> Values = {}; ///< values that the nest passes to the code behind it
  template <class Archive> void fields(Archive &A) { A(Result, Values); }
};

/// The region with addresses for its symbols: those of the program for captured data, and this
/// process's for functions of the C library.
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

/// Waits, half a second at most, until \p Threads threads would have a processor each. Returns
/// whether they would.
bool awaitProcessors(uint32_t Threads) {
  constexpr int MaxTries = 100;        // half a second in all
  constexpr useconds_t PauseUs = 5000; // some time slices of the system
  const auto Processors = static_cast<unsigned>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
  for (int Try = 0; Try < MaxTries; ++Try) {
    if (othersThatRun() + Threads <= Processors)
      return true;
    usleep(PauseUs);
  }
  return false;
}

/// Replays one candidate in this process.
class CandidateRun {
public:
  CandidateRun(const ReplayRequest &Asked, const StoredObject &Object, const specrt_region &Region,
               CapturedMemory &Memory)
      : Asked(Asked), Object(Object), Region(Region), Memory(Memory),
        Call(Region, Memory.call().Packed) {
    Told.Result.Name = Object.Name;
  }

  /// Sends reports to \p To. \p BestNs is the least time of a candidate so far; 0 if there is none.
  void run(int To, double BestNs) {
    if (load()) {
      compare();
      (void)writeAll(To,
                     frameOf(MessageKind::Replayed, Told)); // the executor is gone if this fails
      if (Told.Result.Is != Outcome::Same || !measure(BestNs))
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
    Stored.Object = Object.Bytes;
    Stored.Description.Key = Object.Key;
    std::string Why;
    Loaded = LoadedVersion::load(Stored, Region, Asked.Threads, Why);
    Body = Loaded ? Loaded->body(Object.Name) : nullptr;
    if (!Body || !Call.good())
      return refuse(Outcome::NotRun, Body ? "has arguments that cannot be passed" : Why);
    return true;
  }

  /// Returns the thread's processor time for serial candidates. It excludes pauses by the server
  /// and the time that other threads have the processor.
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
      return (void)refuse(Outcome::Unguarded, "has guards that do not hold for the call");
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

  /// Repeats the call and reports the least time. The first call also loads code and starts
  /// threads, so its time counts only if it is long. Returns false on failure.
  bool measure(double BestNs) {
    // Loading code and starting threads take some ms. The number of calls is that of a trial; short
    // calls are repeated until their sum is as long.
    constexpr double LongNs = 100e6;
    constexpr uint32_t MostCalls = 50;
    const bool IsLong = Told.Result.Ns > LongNs;
    double Sum = 0, Least = IsLong ? Told.Result.Ns : 0;
    const auto IsEnough = [&](uint32_t Calls) {
      if (BestNs > 0 && Least > FarBehind * BestNs)
        return true;
      return IsLong ? Calls >= 1 : Calls >= EnoughTimes && (Sum >= LongNs || Calls >= MostCalls);
    };
    if (!awaitProcessors(Body->parallel ? Asked.Threads : 1)) {
      Told.Result.Ns = 0;
      return true;
    }
    for (uint32_t Calls = 0; !IsEnough(Calls); ++Calls) {
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
  const StoredObject &Object;
  const specrt_region &Region;
  CapturedMemory &Memory;
  RegionCall Call;
  std::shared_ptr<LoadedVersion> Loaded;
  const specrt_object_body *Body = nullptr;
  uint64_t Exit = 0; ///< the number of the exit by which the nest was left
  Report Told;
};

/// A clock that stops while this process is stopped. The server stops it while no processor is
/// free.
class ActiveClock {
public:
  uint64_t nowNs() const { return monotonicNs() - StoppedNs; }

  /// Waits for input, 20 ms at most. Returns whether there is some.
  bool waitBriefly(int File) {
    constexpr int WaitMs = 20; // how late the end of the time is noticed
    constexpr uint64_t StoppedFromNs = 10 * uint64_t{WaitMs} * 1'000'000; // no wake-up is so late
    const uint64_t Begin = monotonicNs();
    pollfd Awaited{.fd = File, .events = POLLIN, .revents = 0};
    const bool IsReady = poll(&Awaited, 1, WaitMs) > 0;
    if (const uint64_t Passed = monotonicNs() - Begin; Passed > StoppedFromNs)
      StoppedNs += Passed;
    return IsReady;
  }

private:
  uint64_t StoppedNs = 0;
};

/// Receives reports until the process has ended, the first report is late, or \p EndNs has passed.
/// Returns the last report.
std::optional<Report> lastReport(int From, ActiveClock &Clock, uint64_t FirstNs, uint64_t EndNs) {
  FrameReader Incoming;
  std::optional<Report> Last;
  while (Clock.nowNs() < (Last ? EndNs : std::min(FirstNs, EndNs))) {
    const bool IsOpen = !Clock.waitBriefly(From) || Incoming.receive(From);
    while (const std::optional<Frame> Next = Incoming.next())
      if (Report Told; Next->Kind == MessageKind::Replayed && restore(Next->Body, Told))
        Last = std::move(Told);
    if (!IsOpen)
      break;
  }
  return Last;
}

/// Returns the result of a process that has sent no report. The kernel kills processes, and they
/// end by themselves, for lack of memory.
ReplayResult failure(const std::string &Name, int Status) {
  ReplayResult Result{.Name = Name, .Why = "lacked memory"};
  if (!WIFSIGNALED(Status) || WTERMSIG(Status) == SIGKILL)
    return Result;
  Result.Is = Outcome::Faulted;
  Result.Why = std::string("accesses other memory than the call, or crashes (") +
               strsignal(WTERMSIG(Status)) + ")";
  return Result;
}

class Executor {
public:
  explicit Executor(ReplayRequest From) : Asked(std::move(From)), Memory(ExecutorCapture) {}

  /// Replays all candidates and sends a result for each. Returns the exit status of the process.
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
    for (const StoredObject &Object : Asked.Objects) {
      const ReplayResult Result = replayObject(Object, Region.region());
      if (Result.Is == Outcome::Same && Result.Ns > 0 && (BestNs == 0 || Result.Ns < BestNs))
        BestNs = Result.Ns;
      if (!writeAll(ExecutorConnection, frameOf(MessageKind::Replayed, Result)))
        return 1;
    }
    return 0;
  }

private:
  ReplayResult replayObject(const StoredObject &Object, const specrt_region &Region) {
    // The captured call may have found its data in caches; a first replay finds nothing there.
    // Loading takes milliseconds, on a busy machine some hundred.
    constexpr uint64_t Slowest = 4, LoadNs = 1'000'000'000;
    const uint64_t Begin = Clock.nowNs();
    const uint64_t FirstNs = Begin + LoadNs + Slowest * Memory.call().Nanoseconds;
    if (Begin >= EndNs)
      return {.Name = Object.Name, .Is = Outcome::Late, .Why = "there was no time for it"};
    ChildProcess Process([&](int Connection) {
      CandidateRun(Asked, Object, Region, Memory).run(Connection, BestNs);
      return 0;
    });
    if (!Process.good())
      return {.Name = Object.Name, .Why = "there is no process for it"};
    std::optional<Report> Told = lastReport(Process.connection(), Clock, FirstNs, EndNs);
    const bool IsLate = !Told && Clock.nowNs() >= std::min(FirstNs, EndNs);
    Process.kill();
    const int Status = Process.wait();
    if (IsLate)
      return {.Name = Object.Name,
              .Is = FirstNs < EndNs ? Outcome::NotRun : Outcome::Late,
              .Why = "took several times as long as the program's call"};
    return Told ? judge(std::move(*Told)) : failure(Object.Name, Status);
  }

  /// Compares the values that the nest hands to the code behind it with those of the first
  /// candidate.
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
  ActiveClock Clock;
  uint64_t EndNs = 0;                         ///< of Clock
  double BestNs = 0;                          ///< the least time of a candidate; 0 if there is none
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
