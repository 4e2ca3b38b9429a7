//===- runtime/compile/compiler_client.cpp - a connection to the compile server ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compile/compiler_client.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/reasons.h"
#include "runtime/base/tuning.h"
#include "runtime/compile/library_path.h"
#include "runtime/compile/server_start.h"
#include "runtime/protocol/endpoint.h"
#include "support/attempt.h"
#include "support/helper_functions.h"
#include "support/process/own_descriptors.h"

#include <cerrno>
#include <cstring>
#include <iterator>
#include <memory>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace specrt {
namespace {

std::string notAvailable(const std::string &Why) {
  return std::string(words(Reason::NoCompiler)) + ": " + Why;
}

/// Announces to calls, while it exists, that a compile is running.
class Announcement {
public:
  Announcement() { tuning().IsCompiling.store(true, std::memory_order_relaxed); }
  ~Announcement() {
    tuning().CompileStarves.store(false, std::memory_order_relaxed);
    tuning().IsCompiling.store(false, std::memory_order_relaxed);
  }
  Announcement(const Announcement &) = delete;
  Announcement &operator=(const Announcement &) = delete;
};

} // namespace

void tellFailedLoops() {
  static std::atomic<bool> Told{false};
  if (haveLoopsFailed() && !Told.exchange(true, std::memory_order_relaxed))
    logLine(LogLevel::Warning, "no memory for threads: parallel loops run on the calling thread");
}

/// Re-enters the gate. Once it is closed the program's objects may be destroyed, so the thread then
/// stays here until the process ends; only after drain() does this return, false.
bool CompilerClient::comesBack() {
  constexpr useconds_t PauseUs = 10'000; // until the process ends, or drain() has its effect
  while (Gate.isClosed()) {
    if (Draining)
      return false;
    const ExitGate::Absence Outside(Gate);
    usleep(PauseUs);
  }
  return true;
}

/// Waits, outside of the gate, until something can be received or sent, and calls Meanwhile.
/// Returns false when the process exits or the server is silent.
bool CompilerClient::awaits(short Events) {
  constexpr int MeanwhileMs = 20;                           // how late Meanwhile may be
  constexpr uint64_t MaxSilenceNs = 5 * ProgressIntervalNs; // some messages may be late
  const uint64_t Begin = monotonicNs();
  pollfd Awaited{.fd = Connection.get(), .events = Events, .revents = 0};
  while (true) {
    int Ready;
    {
      const ExitGate::Absence Outside(Gate);
      Ready = poll(&Awaited, 1, MeanwhileMs);
    }
    if (!comesBack())
      return false;
    if (Meanwhile)
      Meanwhile();
    if (Ready != 0)
      return true;
    if (monotonicNs() - Begin >= MaxSilenceNs)
      return false;
  }
}

bool CompilerClient::send(const std::string &Bytes) {
  for (size_t Sent = 0; Sent < Bytes.size();) {
    if (!awaits(POLLOUT))
      return false;
    const std::optional<size_t> More =
        sendSome(Connection.get(), Bytes.data() + Sent, Bytes.size() - Sent);
    if (!More)
      return false;
    Sent += *More;
  }
  return true;
}

/// Connects to a server that listens, or starts one. With \p IsElsewhere, a started server has
/// answered that another one has the lock, which may not have reached listen() yet. Two seconds are
/// plenty for that; after them this program gets a server for itself.
bool CompilerClient::connect(const ServerChoice &Where, bool IsElsewhere) {
  constexpr uint64_t MaxWaitNs = 2'000'000'000;
  constexpr useconds_t PauseUs = 2000; // a server needs about as long to start
  Connection = Descriptor();
  Incoming = FrameReader();
  IsOwnTable = hasOwnDescriptors();
  if (!Where.CacheDirectory.empty()) {
    const Endpoint Listening(Where.CacheDirectory, Where.Identity);
    const uint64_t Deadline = monotonicNs() + (IsElsewhere ? MaxWaitNs : 0);
    while (!(Connection = Listening.connect()) && monotonicNs() < Deadline) {
      {
        const ExitGate::Absence Outside(Gate);
        usleep(PauseUs);
      }
      if (!comesBack())
        return false;
    }
  }
  User = geteuid();
  if (Connection)
    return true;
  ServerStart Started =
      startServer(Where.CacheDirectory, !IsElsewhere && !Where.CacheDirectory.empty());
  Connection = std::move(Started.Connection);
  if (!Connection && Started.IsLasting)
    Problem = notAvailable(Started.Why);
  return static_cast<bool>(Connection);
}

void CompilerClient::take(const LogMessage &Line) {
  using Source = LogMessage::Source;
  if (Line.From != Source::Compiler) {
    if (ReportStore)
      ReportStore({Line.Text, Line.From == Source::StoreFile ? StoreMessage::Kind::UnusableFile
                                                             : StoreMessage::Kind::General});
    return;
  }
  constexpr LogLevel Levels[] = {LogLevel::Error, LogLevel::Warning, LogLevel::Info,
                                 LogLevel::Debug};
  const bool IsKnown = Line.Level >= 0 && static_cast<size_t>(Line.Level) < std::size(Levels);
  const LogLevel Level = IsKnown ? Levels[Line.Level] : LogLevel::Debug;
  // Each compiling process finds and reports the same problems again.
  if (Level <= LogLevel::Warning && !Warned.insert(Line.Text).second)
    return;
  logLine(Level, "%s", Line.Text.c_str());
}

CompilerClient::Step CompilerClient::take(Frame &Next,
                                          const std::function<void(CandidateMessage)> &Take,
                                          std::optional<Frame> &Last) {
  switch (Next.Kind) {
  case MessageKind::Log:
    if (LogMessage Line; restore(Next.Body, Line))
      take(Line);
    return Step::Again;
  case MessageKind::Progress:
    if (ProgressMessage Now; restore(Next.Body, Now)) {
      tuning().CompileStarves.store(Now.IsPaused, std::memory_order_relaxed);
      tuning().IsCompiling.store(!Now.IsPaused, std::memory_order_relaxed);
    }
    return Step::Again;
  case MessageKind::Candidate:
    if (CandidateMessage Made; restore(Next.Body, Made))
      Take(std::move(Made));
    return Step::Again;
  default:
    Last = std::move(Next);
    return Last->Kind == MessageKind::Elsewhere ? Step::Over : Step::Done;
  }
}

/// Returns the frame that ends the request; nothing when the process exits.
std::optional<Frame> CompilerClient::ask(const ServerChoice &Where, MessageKind Kind,
                                         const std::string &Body,
                                         const std::function<void(CandidateMessage)> &Take) {
  // The tries are: a connection whose server has ended, a new server, and the same for the one that
  // it names.
  constexpr int MaxTries = 4;
  const Announcement UnderWay;
  Used.store(true, std::memory_order_relaxed);
  // After std::bad_alloc in the middle of a request its answer may still arrive. A program that has
  // changed its user needs another server.
  if (std::exchange(IsAsking, true) || User != geteuid())
    Connection = Descriptor();
  const std::string Bytes = frameOf(Kind, Body);
  bool IsElsewhere = false;
  for (int Try = 0; Try < MaxTries && !Gate.isClosed(); ++Try) {
    if (!Connection) {
      if (!connect(Where, std::exchange(IsElsewhere, false)))
        break;
      if (!send(frameOf(MessageKind::Greeting, Greeting{.Identity = Where.Identity}))) {
        Connection = Descriptor();
        continue;
      }
    }
    bool IsOpen = send(Bytes);
    while (IsOpen && awaits(POLLIN)) {
      IsOpen = Incoming.receive(Connection.get());
      std::optional<Frame> Last;
      while (std::optional<Frame> Next = Incoming.next()) {
        const Step Then = take(*Next, Take, Last);
        if (Then == Step::Done) {
          IsAsking = false;
          return Last;
        }
        IsElsewhere = Then == Step::Over;
      }
      IsOpen = IsOpen && !IsElsewhere;
    }
    // The server has ended, or another one has to be asked.
    Connection = Descriptor();
    if (IsOpen && !IsElsewhere)
      break; // the server is silent
  }
  IsAsking = false;
  if (Gate.isClosed())
    return std::nullopt;
  return Frame{MessageKind::Failed,
               archive(FailureMessage{.Why = FailureMessage::Cause::ServerEnded,
                                      .Text = "the compile server ended, or did not answer"})};
}

template <class T>
CompilerClient::Reply<T>
CompilerClient::replyTo(const ServerChoice &Where, MessageKind Kind, const std::string &Body,
                        MessageKind Expected, const std::function<void(CandidateMessage)> &Take) {
  using Cause = FailureMessage::Cause;
  const ExitGate::Visit Guard(Gate);
  if (!Guard.admitted())
    return {};
  if (!Problem.empty())
    return {.Answer = {}, .Failure = FailureMessage{Cause::NoCompiler, Problem}};
  const std::optional<Frame> Last = ask(Where, Kind, Body, Take);
  if (!Problem.empty() && !Gate.isClosed())
    return {.Answer = {}, .Failure = FailureMessage{Cause::NoCompiler, Problem}};
  if (!Last)
    return {};
  T Answer;
  if (Last->Kind == Expected && restore(Last->Body, Answer))
    return {.Answer = std::move(Answer)};
  FailureMessage Failure{.Why = Cause::NotUnderstood,
                         .Text = "the server's answer is not understood"};
  if (Last->Kind == MessageKind::Failed)
    (void)restore(Last->Body, Failure);
  if (Failure.Why == Cause::NoCompiler)
    Failure.Text = Problem = notAvailable(Failure.Text);
  return {.Answer = {}, .Failure = std::move(Failure)};
}

CompilerClient::Reply<CompileAnswer>
CompilerClient::compile(const ServerChoice &Where, const CompileRequest &Request,
                        const std::function<void(CandidateMessage)> &Take) {
  NumCompiles.fetch_add(1, std::memory_order_relaxed);
  Reply<CompileAnswer> Made = replyTo<CompileAnswer>(Where, MessageKind::Compile, archive(Request),
                                                     MessageKind::Compiled, Take);
  lookForLoops(libraryDirectory());
  tellFailedLoops();
  return Made;
}

static void takeNothing(const CandidateMessage &) {}

CompilerClient::Reply<InstrumentAnswer> CompilerClient::instrument(const ServerChoice &Where,
                                                                   const CompileRequest &Request) {
  NumCompiles.fetch_add(1, std::memory_order_relaxed);
  return replyTo<InstrumentAnswer>(Where, MessageKind::Instrument, archive(Request),
                                   MessageKind::Instrumented, takeNothing);
}

CompilerClient::Reply<DescribeAnswer> CompilerClient::describe(const ServerChoice &Where,
                                                               const DescribeRequest &Request) {
  return replyTo<DescribeAnswer>(Where, MessageKind::Describe, archive(Request),
                                 MessageKind::Described, takeNothing);
}

CompilerClient::Reply<PropagateAnswer> CompilerClient::propagate(const ServerChoice &Where,
                                                                 const PropagateRequest &Request) {
  return replyTo<PropagateAnswer>(Where, MessageKind::Propagate, archive(Request),
                                  MessageKind::Propagated, takeNothing);
}

size_t compileLater(const ServerChoice &Where, std::span<const LaterRequest> Requests,
                    std::string &Why) {
  Descriptor Connection = Endpoint(Where.CacheDirectory, Where.Identity).connect();
  if (!Connection) {
    ServerStart Started = startServer(Where.CacheDirectory, /*Listens=*/true);
    Connection = std::move(Started.Connection);
    Why = Started.Why;
  }
  if (!Connection)
    return 0;
  const auto IsSent = [&](const std::string &Bytes, int Attached) {
    const std::optional<size_t> Sent =
        sendSome(Connection.get(), Bytes.data(), Bytes.size(), Attached);
    if (!Sent)
      Why = std::string("the compile server does not take them: ") + std::strerror(errno);
    return Sent == Bytes.size();
  };
  if (!IsSent(frameOf(MessageKind::Greeting, Greeting{.Identity = Where.Identity}), -1))
    return 0;
  for (size_t Sent = 0; Sent < Requests.size(); ++Sent)
    if (!IsSent(frameOf(MessageKind::CompileLater, Requests[Sent].Asked),
                Requests[Sent].Capture.get()))
      return Sent;
  return Requests.size();
}

bool CompilerClient::close() {
  constexpr uint64_t MaxNs = 1'000'000'000; // limit of the delay of an exit
  Gate.close();
  // Several steps of an exit call this; all of them together wait for a second.
  uint64_t Before = 0;
  const uint64_t Now = monotonicNs();
  const uint64_t Closed = ClosedNs.compare_exchange_strong(Before, Now) ? Now : Before;
  while (Gate.isBusy() && monotonicNs() - Closed < MaxNs)
    usleep(100);
  return !Gate.isBusy();
}

void CompilerClient::drain() {
  Draining.store(true);
  Gate.close();
}

void CompilerClient::forgetAfterFork() {
  Gate.forget();
  // The number refers to a descriptor table that this process does not have.
  if (IsOwnTable)
    Connection.release();
  Connection = Descriptor();
  // The parent's worker may have been changing these. The old objects are abandoned.
  std::construct_at(&Incoming);
  std::construct_at(&Problem);
  std::construct_at(&Warned);
  IsAsking = false;
  tuning().IsCompiling.store(false, std::memory_order_relaxed);
  tuning().CompileStarves.store(false, std::memory_order_relaxed);
}

} // namespace specrt
