//===- runtime/server/server.cpp - requests of programs, and processes that compile ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/server/server.h"
#include "runtime/base/clock.h"
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

/// Without work for so long, the server ends.
constexpr uint64_t MostIdleNs = 10'000'000'000;
/// How often it looks whether it can still be found.
constexpr uint64_t SeldomNs = 1'000'000'000;
/// How often it looks at what compiles with the priority of programs.
constexpr uint64_t AwaitedLookNs = 20'000'000;

/// Processes that compile at a time.
size_t mostProcesses() { return static_cast<size_t>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L)); }

/// Opens libspecrt-jit.so beside libspecrt.so, and LLVM with it. Null: Why says why not.
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
    announceSenders(Listener.get()); // connections inherit that
    return;
  }
  Where.reset();
  if (Made == Endpoint::Outcome::Failed)
    return;
  Starter.Outgoing = frameOf(MessageKind::Elsewhere, std::string());
  Starter.IsLast = true;
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
    tellProgress();
    if (monotonicNs() >= LookAtNs)
      look();
  }
  if (Where)
    Where->remove();
}

bool Server::isOver() {
  const uint64_t Now = monotonicNs();
  // Who removes the cache wants none of what would be written there for later.
  if (Where && !Where->isReachable())
    Jobs.remove_if([](const Served &S) { return S.IsAbandoned; });
  if (!Jobs.empty()) {
    IdleSinceNs = Now;
    return false;
  }
  // Another one may have what this one lacks: memory, or a library that was installed meanwhile.
  if (!Problem.empty())
    return std::all_of(Clients.begin(), Clients.end(),
                       [](const Client &C) { return C.Outgoing.empty(); });
  // Who could bring work does not find it any more.
  const bool IsLost = !Where || !Where->isReachable();
  return (IsLost && Clients.empty()) || Now - IdleSinceNs >= MostIdleNs;
}

/// Until something can be received or sent, or it is time to look at processes.
void Server::wait() {
  std::vector<pollfd> Awaited;
  const bool Accepts = Listener && monotonicNs() >= AcceptAtNs;
  if (Accepts)
    Awaited.push_back({.fd = Listener.get(), .events = POLLIN, .revents = 0});
  for (const Client &C : Clients)
    Awaited.push_back(
        {.fd = C.Connection.get(),
         .events = static_cast<short>(C.Sent < C.Outgoing.size() ? POLLIN | POLLOUT : POLLIN),
         .revents = 0});
  bool IsWorking = false;
  for (const Served &S : Jobs)
    if (S.Work.hasBegun()) {
      Awaited.push_back({.fd = S.Work.output(), .events = POLLIN, .revents = 0});
      IsWorking = true;
    }
  const uint64_t Now = monotonicNs();
  uint64_t Ns = SeldomNs;
  if (IsWorking)
    Ns = LookAtNs > Now ? LookAtNs - Now : 0;
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
      // Without descriptors for more it would be ready again and again.
      constexpr uint64_t PauseNs = 200'000'000;
      AcceptAtNs = errno == EAGAIN ? 0 : monotonicNs() + PauseNs;
      return;
    }
    if (isOfThisUser(New.get()))
      Clients.emplace_back(std::move(New));
  }
}

/// False when the client is to be dropped.
bool Server::receive(Client &From) {
  if (!From.Incoming.receive(From.Connection.get(), /*OfThisUser=*/true))
    return false;
  while (std::optional<Frame> Next = From.Incoming.next()) {
    if (From.IsLast)
      continue;
    if (From.HasGreeted)
      take(From, std::move(*Next));
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
                    Said.Version == Greeting::CurrentVersion && Said.Identity == identity().text();
  if (From.HasGreeted)
    return;
  fail(From, FailureMessage::Cause::NoCompiler,
       "the server that was found belongs to another version of libspecrt");
  From.IsLast = true;
}

void Server::take(Client &From, Frame Request) {
  std::optional<JobTerms> Terms = termsOf(Request);
  if (!Terms || From.Awaits)
    return fail(From, FailureMessage::Cause::NotUnderstood, "the request is not understood");
  const auto Shared = std::find_if(Jobs.begin(), Jobs.end(), [&](const Served &S) {
    // Nobody leaves the lowest priority again.
    const bool MayWait = !Terms->IsAwaited || S.Work.terms().IsAwaited || !S.Work.hasBegun();
    return MayWait && !Terms->SharedKey.empty() && S.Work.terms().SharedKey == Terms->SharedKey;
  });
  if (Shared == Jobs.end()) {
    if (const Answer *Known = remembered(*Terms)) {
      From.Outgoing += Known->Frames;
      return;
    }
    Served &New = Jobs.emplace_back(std::move(Request), std::move(*Terms));
    New.Waiting.push_back(&From);
    From.Awaits = &New;
    return;
  }
  Shared->IsAbandoned = false;
  Shared->Waiting.push_back(&From);
  From.Awaits = &*Shared;
  From.Outgoing += Shared->Told;
  if (Terms->IsAwaited)
    Shared->Work.await();
}

void Server::drop(Client &Gone) {
  if (Served *Of = Gone.Awaits) {
    std::erase(Of->Waiting, &Gone);
    if (Of->Waiting.empty()) {
      Of->IsAbandoned = true;
      Of->AbandonedNs = monotonicNs();
      Of->UsedBeforeNs = Of->Work.allUsedNs();
      if (Of->Work.terms().AfterExitMs == 0)
        finish(*Of);
    }
  }
  Clients.remove_if([&](const Client &C) { return &C == &Gone; });
}

void Server::fail(Client &To, FailureMessage::Cause Why, const std::string &Text) {
  To.Outgoing += frameOf(MessageKind::Failed, FailureMessage{Why, Text});
}

void Server::tell(Served &Of, const std::string &Frames) {
  Of.Told += Frames;
  for (Client *Waiting : Of.Waiting)
    Waiting->Outgoing += Frames;
}

void Server::finish(Served &Done) {
  for (Client *Waiting : Done.Waiting)
    Waiting->Awaits = nullptr;
  Jobs.remove_if([&](const Served &S) { return &S == &Done; });
}

void Server::remember(const Served &Done) {
  constexpr size_t MostAnswers = 8;
  const JobTerms &Terms = Done.Work.terms();
  if (Terms.SharedKey.empty() || !Terms.IsKept || CacheDirectory.empty() ||
      Done.Work.candidateKeys().empty())
    return;
  Answers.push_front(
      {.SharedKey = Terms.SharedKey, .Frames = Done.Told, .Keys = Done.Work.candidateKeys()});
  if (Answers.size() > MostAnswers)
    Answers.pop_back();
}

/// Only as long as all of it is in the store: who removes that wants it made anew.
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

void Server::endWith(Served &Of, FailureMessage::Cause Why, const std::string &Text) {
  tell(Of, frameOf(MessageKind::Failed, FailureMessage{Why, Text}));
  finish(Of);
}

/// What the compiling processes have written.
void Server::collect() {
  for (auto Next = Jobs.begin(); Next != Jobs.end();) {
    Served &S = *Next++;
    if (!S.Work.hasBegun())
      continue;
    std::string Frames;
    const bool GoesOn = S.Work.receive(Frames);
    tell(S, Frames);
    if (GoesOn)
      continue;
    if (S.Work.isAnswered()) {
      remember(S);
      finish(S);
    } else {
      const bool IsOfServer = S.Work.lackedSomething();
      endWith(S, IsOfServer ? FailureMessage::Cause::ServerEnded : FailureMessage::Cause::Crashed,
              S.Work.howItEnded());
    }
  }
  for (auto Next = Clients.begin(); Next != Clients.end();) {
    Client &C = *Next++;
    if (!send(C))
      drop(C);
  }
}

/// Those that a call waits for first; of each kind as many as there are processors.
void Server::beginJobs() {
  for (const bool IsAwaited : {true, false})
    for (auto Next = Jobs.begin(); Next != Jobs.end();) {
      Served &S = *Next++;
      if (S.Work.hasBegun() || S.Work.terms().IsAwaited != IsAwaited)
        continue;
      const auto Running = std::count_if(Jobs.begin(), Jobs.end(), [&](const Served &J) {
        return J.Work.hasBegun() && J.Work.terms().IsAwaited == IsAwaited;
      });
      if (static_cast<size_t>(Running) >= mostProcesses())
        break;
      begin(S);
    }
}

/// Opens LLVM and starts the compiler. False when there is none.
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

void Server::begin(Served &Next) {
  if (!load())
    return endWith(Next, FailureMessage::Cause::NoCompiler, Problem);
  if (const int Error = Next.Work.begin(*Api, CacheDirectory))
    return endWith(Next, FailureMessage::Cause::ServerEnded,
                   std::string("no process for the compiler: ") + std::strerror(Error));
  LookAtNs = 0;
}

void Server::rest(Served &Of, bool Rests) {
  if (Of.Work.rests() == Rests)
    return;
  Of.Work.rest(Rests);
  tell(Of, frameOf(MessageKind::Progress, ProgressMessage{Rests}));
}

/// Says to those who wait that the server is alive.
void Server::tellProgress() {
  const uint64_t Now = monotonicNs();
  if (Now - ToldNs < SeldomNs)
    return;
  ToldNs = Now;
  for (const Served &S : Jobs)
    for (Client *Waiting : S.Waiting)
      Waiting->Outgoing += frameOf(MessageKind::Progress, ProgressMessage{S.Work.rests()});
}

/// Has a job that nobody waits for had its time? On a busy machine it gets little of it.
bool Server::isOverdue(const Served &Of) {
  constexpr uint64_t MostStretch = 10;
  const uint64_t MostNs = uint64_t{Of.Work.terms().AfterExitMs} * 1'000'000;
  return Of.Work.allUsedNs() - Of.UsedBeforeNs >= MostNs ||
         monotonicNs() - Of.AbandonedNs >= MostStretch * MostNs;
}

/// Stops what takes too long, and what takes processors from programs.
void Server::look() {
  uint64_t UsedNs = 0;
  std::vector<pid_t> Idle;
  for (auto Next = Jobs.begin(); Next != Jobs.end();) {
    Served &S = *Next++;
    if (!S.Work.hasBegun())
      continue;
    const uint64_t Used = S.Work.usedNs();
    if (S.Work.isEndless(Used)) {
      endWith(S, FailureMessage::Cause::NeverEnded, "it took more than its time");
      continue;
    }
    if (S.IsAbandoned && isOverdue(S)) {
      finish(S);
      continue;
    }
    if (S.Work.terms().IsAwaited)
      continue;
    UsedNs += Used;
    Idle.push_back(S.Work.process());
  }
  LookAtNs = monotonicNs() + AwaitedLookNs;
  if (Idle.empty())
    return;
  const bool Rests = Manner.mustRest(Idle, UsedNs);
  LookAtNs = monotonicNs() + Manner.pauseNs();
  for (Served &S : Jobs)
    if (S.Work.hasBegun() && !S.Work.terms().IsAwaited)
      rest(S, Rests);
}

} // namespace specrt
