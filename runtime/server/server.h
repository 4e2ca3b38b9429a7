//===- runtime/server/server.h - requests of programs, and processes that compile ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread that never computes: it passes frames on between programs and compiling processes,
// and decides when those run. LLVM is loaded once, before the first of them is forked, so that each
// begins with it in memory.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_SERVER_SERVER_H
#define SPECRT_RUNTIME_SERVER_SERVER_H

#include "runtime/protocol/endpoint.h"
#include "runtime/server/courtesy.h"
#include "runtime/server/job.h"
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace specrt {

class Server {
public:
  /// First: the connection to who has started it. CacheDirectory: for what is kept; "": nothing is.
  /// Listens: there, for other programs, too.
  Server(Descriptor First, std::string CacheDirectory, bool Listens);

  /// Until there has been no work for a while, or nobody could bring any.
  void run();

private:
  struct Served;

  struct Client {
    explicit Client(Descriptor Socket) : Connection(std::move(Socket)) {}
    Descriptor Connection;
    FrameReader Incoming;
    std::string Outgoing;
    size_t Sent = 0; ///< of Outgoing
    bool HasGreeted = false;
    bool IsLast = false;      ///< nothing is served after what is outgoing
    Served *Awaits = nullptr; ///< or null
  };

  /// A job and who waits for it.
  struct Served {
    explicit Served(Frame Request, JobTerms Terms) : Work(std::move(Request), std::move(Terms)) {}
    Job Work;
    std::string Told; ///< all frames so far, for who comes later
    std::vector<Client *> Waiting;
    bool IsAbandoned = false;  ///< nobody waits any more
    uint64_t AbandonedNs = 0;  ///< since when, of CLOCK_MONOTONIC
    uint64_t UsedBeforeNs = 0; ///< processor time until then
  };

  /// What a shared job has answered, for programs that looked at the store just before it was
  /// there.
  struct Answer {
    std::string SharedKey, Frames;
    std::vector<std::string> Keys; ///< of its candidates, as in the store
  };

  void wait();
  void acceptClients();
  bool receive(Client &From);
  bool send(Client &To);
  void greet(Client &From, const Frame &First);
  void take(Client &From, Frame Request);
  void drop(Client &Gone);
  void fail(Client &To, FailureMessage::Cause Why, const std::string &Text);
  void tell(Served &Of, const std::string &Frames);
  void endWith(Served &Of, FailureMessage::Cause Why, const std::string &Text);
  void finish(Served &Done);
  void remember(const Served &Done);
  const Answer *remembered(const JobTerms &Terms);
  void collect();
  void beginJobs();
  void begin(Served &Next);
  bool load();
  void tellProgress();
  void look();
  static bool isOverdue(const Served &Of);
  void rest(Served &Of, bool Rests);
  bool isOver();

  const std::string CacheDirectory;
  std::optional<Endpoint> Where; ///< nothing: it serves one program
  Descriptor Listener;
  std::list<Client> Clients;
  std::list<Served> Jobs;
  std::list<Answer> Answers; ///< the latest first
  const specrt_jit_api *Api = nullptr;
  std::string Problem; ///< why there is no compiler; "": none was needed, or it is there
  Courtesy Manner;
  uint64_t IdleSinceNs, LookAtNs = 0, ToldNs = 0, AcceptAtNs = 0;
};

} // namespace specrt

#endif
