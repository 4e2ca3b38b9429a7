//===- runtime/server/server.cpp - serves programs with processes that compile ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/server/server.h"
#include "runtime/base/clock.h"
#include "runtime/base/config.h"
#include "runtime/cache/identity.h"
#include "runtime/cache/version_store.h"
#include "runtime/compile/library_path.h"
#include "runtime/server/serve_request.h"
#include "support/elf_file.h"
#include "support/helper_functions.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace specrt {
namespace {

/// The server ends after this time without work: a series of short runs shares one server, and its
/// 100 MB are soon free again.
constexpr uint64_t MaxIdleNs = 10'000'000'000;
/// The interval between checks for jobs that exceed their budget, while no background job runs.
/// Budgets are whole seconds by default.
constexpr uint64_t BudgetCheckNs = 20'000'000;

/// Opens libspecrt-jit.so beside libspecrt.so, and LLVM with it. Returns null, with \p Why set, on
/// failure.
const specrt_jit_api *openCompiler(std::string &Why) {
  const std::string Path = libraryDirectory() + "/libspecrt-jit.so";
  void *Handle = openLibrary(Path, Why, {SPECRT_LLVM_LIBRARY});
  if (!Handle)
    return nullptr;
  auto *Query =
      reinterpret_cast<const specrt_jit_api *(*)(uint32_t)>(dlsym(Handle, "specrt_jit_query"));
  const specrt_jit_api *Found = Query ? Query(SPECRT_JIT_API_VERSION) : nullptr;
  if (!Found)
    Why = Path + " belongs to another version of libspecrt";
  return Found;
}

} // namespace

Server::Server(Descriptor First, std::string Directory, bool Listens)
    : CacheDirectory(std::move(Directory)), IdleSinceNs(monotonicNs()) {
  Client &Starter = Clients.emplace_back(std::move(First));
  if (!Listens)
    return;
  Where.emplace(CacheDirectory, identity().text());
  const Endpoint::Outcome Made =
      Where->good() ? Where->listen(Listener) : Endpoint::Outcome::Failed;
  if (Made == Endpoint::Outcome::Listens) {
    announceSenders(Listener.get()); // accepted connections inherit it
    return;
  }
  if (Made == Endpoint::Outcome::Failed) {
    const std::string Text = "other programs cannot share the compile server: " + Where->problem();
    Starter.Outgoing =
        frameOf(MessageKind::Log, LogMessage{LogMessage::Source::Compiler, /*Level=*/2, Text});
    Where.reset();
    return;
  }
  Where.reset();
  Starter.Outgoing = frameOf(MessageKind::Elsewhere, std::string());
  Starter.IsElsewhere = true;
}

void Server::run() {
  while (!isOver()) {
    wait();
    for (auto Next = Clients.begin(); Next != Clients.end();) {
      Client &C = *Next++;
      if (!receive(C) || !send(C))
        drop(C);
    }
    collect();
    beginJobs();
    sendProgress();
    if (monotonicNs() >= NextCheckNs)
      checkJobs();
  }
  if (Where)
    Where->remove();
}

bool Server::isOver() {
  const uint64_t Now = monotonicNs();
  // The cache was removed, so results for later runs are not needed.
  if (Where && !Where->isReachable())
    Jobs.remove_if([](const ActiveJob &S) { return S.IsAbandoned; });
  if (!Jobs.empty()) {
    IdleSinceNs = Now;
    return false;
  }
  // Another server may have what this one lacks: memory, or a library that is installed meanwhile.
  if (!Problem.empty())
    return std::all_of(Clients.begin(), Clients.end(),
                       [](const Client &C) { return C.Outgoing.empty(); });
  // New programs cannot reach it.
  const bool IsLost = !Where || !Where->isReachable();
  return (IsLost && Clients.empty()) || Now - IdleSinceNs >= MaxIdleNs;
}

/// Blocks until something can be received or sent, or the next check is due.
void Server::wait() {
  std::vector<pollfd> Awaited;
  const bool Accepts = Listener && monotonicNs() >= NextAcceptNs;
  if (Accepts)
    Awaited.push_back({.fd = Listener.get(), .events = POLLIN, .revents = 0});
  for (const Client &C : Clients)
    Awaited.push_back(
        {.fd = C.Connection.get(),
         .events = static_cast<short>(C.Sent < C.Outgoing.size() ? POLLIN | POLLOUT : POLLIN),
         .revents = 0});
  bool IsWorking = false;
  for (const ActiveJob &S : Jobs)
    if (S.Work.hasBegun()) {
      Awaited.push_back({.fd = S.Work.output(), .events = POLLIN, .revents = 0});
      IsWorking = true;
    }
  const uint64_t Now = monotonicNs();
  uint64_t Ns = ProgressIntervalNs;
  if (IsWorking)
    Ns = NextCheckNs > Now ? NextCheckNs - Now : 0;
  timespec Longest{.tv_sec = static_cast<time_t>(Ns / 1'000'000'000),
                   .tv_nsec = static_cast<long>(Ns % 1'000'000'000)};
  ppoll(Awaited.data(), Awaited.size(), &Longest, nullptr);
  if (Accepts)
    acceptClients();
}

void Server::acceptClients() {
  while (true) {
    Descriptor New(accept4(Listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!New) {
      // Without descriptors for more connections the listener would stay ready.
      constexpr uint64_t PauseNs = 200'000'000;
      NextAcceptNs = errno == EAGAIN ? 0 : monotonicNs() + PauseNs;
      return;
    }
    if (isOfThisUser(New.get()))
      Clients.emplace_back(std::move(New));
  }
}

/// Returns false when the client has to be dropped.
bool Server::receive(Client &From) {
  if (!From.Incoming.receive(From.Connection.get(), /*OfThisUser=*/true))
    return false;
  while (std::optional<Frame> Next = From.Incoming.next()) {
    if (From.IsLast || (From.IsElsewhere && Next->Kind != MessageKind::Greeting &&
                        Next->Kind != MessageKind::CompileLater))
      continue;
    if (From.HasGreeted)
      accept(From, std::move(*Next));
    else
      greet(From, *Next);
  }
  return true;
}

bool Server::send(Client &To) {
  while (To.Sent < To.Outgoing.size()) {
    const std::optional<size_t> More =
        sendSome(To.Connection.get(), To.Outgoing.data() + To.Sent, To.Outgoing.size() - To.Sent);
    if (!More)
      return false;
    if (*More == 0)
      return true;
    To.Sent += *More;
  }
  To.Outgoing.clear();
  To.Sent = 0;
  return !To.IsLast;
}

void Server::greet(Client &From, const Frame &First) {
  Greeting Said;
  From.HasGreeted = First.Kind == MessageKind::Greeting && restore(First.Body, Said) &&
                    Said.Identity == identity().text();
  if (From.HasGreeted)
    return;
  fail(From, FailureMessage::Cause::NoCompiler,
       "the server that was found belongs to another version of libspecrt");
  From.IsLast = true;
}

/// Accepts a compile that no program waits for: it gets its remaining time after the program's end.
void Server::acceptForLater(Client &From, Frame Request) {
  Request.Kind = MessageKind::Compile;
  std::optional<JobTerms> Terms = termsOf(Request);
  Descriptor Capture;
  if (Terms && Terms->HasCapture)
    Capture = From.Incoming.takeAttached();
  const auto IsSame = [&](const ActiveJob &S) {
    return S.Work.terms().SharedKey == Terms->SharedKey;
  };
  if (!Terms || Terms->AfterExitMs == 0 || Terms->SharedKey.empty() ||
      std::any_of(Jobs.begin(), Jobs.end(), IsSame) || Terms->HasCapture != bool{Capture} ||
      (!Capture && remembered(*Terms))) {
    emptyCapture(Capture);
    return;
  }
  ActiveJob &New = Jobs.emplace_back(std::move(Request), std::move(*Terms), std::move(Capture));
  New.IsAbandoned = true;
  New.AbandonedNs = monotonicNs();
}

void Server::accept(Client &From, Frame Request) {
  if (Request.Kind == MessageKind::CompileLater)
    return acceptForLater(From, std::move(Request));
  std::optional<JobTerms> Terms = termsOf(Request);
  if (!Terms || From.Awaits || Terms->HasCapture)
    return fail(From, FailureMessage::Cause::NotUnderstood, "the request is not understood");
  const auto Shared = std::find_if(Jobs.begin(), Jobs.end(), [&](const ActiveJob &S) {
    // A process cannot leave the idle class, so a call must not wait for one that is in it.
    const bool MayWait = !Terms->IsAwaited || S.Work.terms().IsAwaited || !S.Work.hasBegun();
    return MayWait && !Terms->SharedKey.empty() && S.Work.terms().SharedKey == Terms->SharedKey;
  });
  if (Shared == Jobs.end()) {
    if (const Answer *Known = remembered(*Terms)) {
      From.Outgoing += Known->Frames;
      return;
    }
    ActiveJob &New = Jobs.emplace_back(std::move(Request), std::move(*Terms));
    New.Waiting.push_back(&From);
    From.Awaits = &New;
    return;
  }
  Shared->IsAbandoned = false;
  Shared->Waiting.push_back(&From);
  From.Awaits = &*Shared;
  From.Outgoing += Shared->Frames;
  if (Terms->IsAwaited)
    Shared->Work.await();
}

void Server::drop(Client &Gone) {
  if (ActiveJob *Of = Gone.Awaits) {
    std::erase(Of->Waiting, &Gone);
    if (Of->Waiting.empty()) {
      Of->IsAbandoned = true;
      Of->AbandonedNs = monotonicNs();
      Of->UsedBeforeNs = Of->Work.allUsedNs();
      if (Of->Work.terms().AfterExitMs == 0)
        remove(*Of);
    }
  }
  Clients.remove_if([&](const Client &C) { return &C == &Gone; });
}

void Server::fail(Client &To, FailureMessage::Cause Why, const std::string &Text) {
  To.Outgoing += frameOf(MessageKind::Failed, FailureMessage{Why, Text});
}

void Server::forward(ActiveJob &Of, const std::string &Frames) {
  Of.Frames += Frames;
  for (Client *Waiting : Of.Waiting)
    Waiting->Outgoing += Frames;
}

void Server::remove(ActiveJob &Done) {
  for (Client *Waiting : Done.Waiting)
    Waiting->Awaits = nullptr;
  Jobs.remove_if([&](const ActiveJob &S) { return &S == &Done; });
}

void Server::remember(const ActiveJob &Done) {
  // Programs that start together ask for the same within milliseconds, for a few regions each.
  constexpr size_t MaxAnswers = 8;
  const JobTerms &Terms = Done.Work.terms();
  if (Terms.SharedKey.empty() || !Terms.IsKept || CacheDirectory.empty() ||
      Done.Work.candidateKeys().empty())
    return;
  Answers.push_front(
      {.SharedKey = Terms.SharedKey, .Frames = Done.Frames, .Keys = Done.Work.candidateKeys()});
  if (Answers.size() > MaxAnswers)
    Answers.pop_back();
}

/// Returns the answer to a request of the same key, or null. An answer counts as long as all of its
/// candidates are in the store: a user who removes them wants them compiled again.
const Server::Answer *Server::remembered(const JobTerms &Terms) {
  if (Terms.SharedKey.empty() || !Terms.ReadsStore)
    return nullptr;
  const auto Known = std::find_if(Answers.begin(), Answers.end(),
                                  [&](const Answer &A) { return A.SharedKey == Terms.SharedKey; });
  if (Known == Answers.end())
    return nullptr;
  VersionStore Store(
      CacheDirectory, UINT64_MAX, [](const StoreMessage &) {},
      /*MayWrite=*/false);
  const bool IsThere =
      std::all_of(Known->Keys.begin(), Known->Keys.end(),
                  [&](const std::string &Key) { return Store.has(VersionKey{Key}); });
  return IsThere ? &*Known : nullptr;
}

void Server::failJob(ActiveJob &Of, FailureMessage::Cause Why, const std::string &Text) {
  forward(Of, frameOf(MessageKind::Failed, FailureMessage{Why, Text}));
  remove(Of);
}

/// Forwards what the compiling processes have written.
void Server::collect() {
  for (auto Next = Jobs.begin(); Next != Jobs.end();) {
    ActiveJob &S = *Next++;
    if (!S.Work.hasBegun())
      continue;
    std::string Frames;
    const bool GoesOn = S.Work.receive(Frames);
    forward(S, Frames);
    if (GoesOn)
      continue;
    if (S.Work.isAnswered()) {
      remember(S);
      remove(S);
    } else {
      const bool IsOfServer = S.Work.lackedResources();
      failJob(S, IsOfServer ? FailureMessage::Cause::ServerEnded : FailureMessage::Cause::Crashed,
              S.Work.howItEnded());
    }
  }
  for (auto Next = Clients.begin(); Next != Clients.end();) {
    Client &C = *Next++;
    if (!send(C))
      drop(C);
  }
}

/// Returns whether a job may begin. A replay runs alone, because other jobs would disturb its
/// times, and after the earlier requests, whose results it needs in the store. Requests of programs
/// that wait are not delayed by it.
bool Server::mayBegin(const ActiveJob &Next) const {
  const auto IsInTheWay = [&](const ActiveJob &J) {
    return J.Work.hasBegun() &&
           (Next.Work.terms().HasCapture || (J.Work.terms().HasCapture && Next.IsAbandoned));
  };
  return std::none_of(Jobs.begin(), Jobs.end(), IsInTheWay);
}

/// Starts jobs, those that a call waits for first. Of each kind as many run at a time as the server
/// has processors.
void Server::beginJobs() {
  for (const bool IsAwaited : {true, false})
    for (auto Next = Jobs.begin(); Next != Jobs.end();) {
      ActiveJob &S = *Next++;
      if (S.Work.hasBegun() || S.Work.terms().IsAwaited != IsAwaited)
        continue;
      const auto Running = std::count_if(Jobs.begin(), Jobs.end(), [&](const ActiveJob &J) {
        return J.Work.hasBegun() && J.Work.terms().IsAwaited == IsAwaited;
      });
      if (static_cast<size_t>(Running) >= usableProcessors())
        break;
      if (mayBegin(S))
        begin(S);
    }
}

/// Loads LLVM and starts the compiler. Returns false, with Problem set, on failure.
bool Server::load() {
  if (Api || !Problem.empty())
    return Api != nullptr;
  const specrt_jit_api *Found = openCompiler(Problem);
  if (!Found)
    return false;
  static const specrt_jit_config Config = {
      logFromCompiler,
      "",
      reinterpret_cast<specrt_rows_begin_fn *>(helperFunction(SPECRT_ROWS_BEGIN)),
      reinterpret_cast<specrt_rows_end_fn *>(helperFunction(SPECRT_ROWS_END)),
      entryRunsFunctions(),
      fusedRowsFunctions(),
      zerosFunctions()};
  const char *Why = nullptr;
  Found->start(&Config, &Why);
  if (Why)
    Problem = Why;
  else
    Api = Found;
  return Api != nullptr;
}

void Server::begin(ActiveJob &Next) {
  if (!load())
    return failJob(Next, FailureMessage::Cause::NoCompiler, Problem);
  if (const int Error = Next.Work.begin(*Api, CacheDirectory))
    return failJob(Next, FailureMessage::Cause::ServerEnded,
                   std::string("no process for the compiler: ") + std::strerror(Error));
  NextCheckNs = 0;
}

/// Shows waiting clients that the server is alive.
void Server::sendProgress() {
  const uint64_t Now = monotonicNs();
  if (Now - LastProgressNs < ProgressIntervalNs)
    return;
  LastProgressNs = Now;
  for (const ActiveJob &S : Jobs)
    for (Client *Waiting : S.Waiting)
      Waiting->Outgoing += frameOf(MessageKind::Progress, ProgressMessage{S.Work.isPaused()});
}

/// Returns whether an abandoned job has used up SPECRT_AFTER_EXIT_MS of processor time, or ten
/// times as much of real time: a machine that is busy for so long has no time for it.
bool Server::isOverdue(const ActiveJob &Of) {
  constexpr uint64_t MaxStretch = 10;
  const uint64_t MaxNs = uint64_t{Of.Work.terms().AfterExitMs} * 1'000'000;
  return Of.Work.allUsedNs() - Of.UsedBeforeNs >= MaxNs ||
         monotonicNs() - Of.AbandonedNs >= MaxStretch * MaxNs;
}

/// Ends jobs that exceed their budget, and pauses or continues background jobs.
void Server::checkJobs() {
  uint64_t UsedNs = 0;
  std::vector<pid_t> Idle;
  for (auto Next = Jobs.begin(); Next != Jobs.end();) {
    ActiveJob &S = *Next++;
    if (!S.Work.hasBegun())
      continue;
    const uint64_t Used = S.Work.usedNs();
    if (S.Work.isEndless(Used)) {
      failJob(S, FailureMessage::Cause::NeverEnded, "it took more than its time");
      continue;
    }
    if (S.IsAbandoned && isOverdue(S)) {
      remove(S);
      continue;
    }
    if (S.Work.terms().IsAwaited)
      continue;
    UsedNs += Used;
    S.Work.listThreads(Idle);
  }
  NextCheckNs = monotonicNs() + BudgetCheckNs;
  if (Idle.empty())
    return;
  const bool Pauses = Background.mustPause(Idle, UsedNs);
  NextCheckNs = monotonicNs() + Background.intervalNs();
  for (ActiveJob &S : Jobs)
    if (S.Work.hasBegun() && !S.Work.terms().IsAwaited && S.Work.pause(Pauses))
      forward(S, frameOf(MessageKind::Progress, ProgressMessage{Pauses}));
}

} // namespace specrt
