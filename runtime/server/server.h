//===- runtime/server/server.h - serves programs with processes that compile ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread forwards frames between programs and compiling processes and decides when those run.
// It computes nothing itself. It loads LLVM once, before it forks the first process, so that each
// of them starts with LLVM in memory.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_SERVER_SERVER_H
#define SPECRT_RUNTIME_SERVER_SERVER_H

#include "runtime/protocol/endpoint.h"
#include "runtime/server/job.h"
#include "runtime/server/throttle.h"
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace specrt {

/// Not thread-safe. Throws std::bad_alloc, after which the process has to end: its compiling
/// processes end with it, and programs start another server.
class Server {
public:
  /// \p First is the connection to the program that started the server. Compiled versions are
  /// stored in \p CacheDirectory; "" stores nothing. With \p Listens the server accepts other
  /// programs there, too, unless another server does already.
  Server(Descriptor First, std::string CacheDirectory, bool Listens);

  /// Serves until there has been no work for ten seconds, or no program can reach the server.
  void run();

private:
  struct ActiveJob;

  struct Client {
    explicit Client(Descriptor Socket) : Connection(std::move(Socket)) {}
    Descriptor Connection;
    FrameReader Incoming;
    std::string Outgoing;
    size_t Sent = 0; ///< bytes of Outgoing
    bool HasGreeted = false;
    bool IsLast = false; ///< the client is dropped once Outgoing is sent
    /// The client has to ask another server and is told so. Its CompileLater requests are accepted,
    /// because it may end without reading that answer.
    bool IsElsewhere = false;
    ActiveJob *Awaits = nullptr; ///< null: none
  };

  /// A job and the clients that wait for its answer.
  struct ActiveJob {
    ActiveJob(Frame Request, JobTerms Terms, Descriptor Capture = Descriptor())
        : Work(std::move(Request), std::move(Terms), std::move(Capture)) {}
    Job Work;
    std::string Frames; ///< all that were sent so far, for clients that join later
    std::vector<Client *> Waiting;
    bool IsAbandoned = false;  ///< Waiting has become empty
    uint64_t AbandonedNs = 0;  ///< when, of CLOCK_MONOTONIC
    uint64_t UsedBeforeNs = 0; ///< processor time used until then
  };

  /// The answer of a finished shared job. A program that looked at the store just before the job
  /// wrote to it asks for the same once more.
  struct Answer {
    std::string SharedKey, Frames;
    std::vector<std::string> Keys; ///< of its candidates in the store
  };

  void wait();
  void acceptClients();
  bool receive(Client &From);
  bool send(Client &To);
  void greet(Client &From, const Frame &First);
  void accept(Client &From, Frame Request);
  void acceptForLater(Client &From, Frame Request);
  void drop(Client &Gone);
  void fail(Client &To, FailureMessage::Cause Why, const std::string &Text);
  void forward(ActiveJob &Of, const std::string &Frames);
  void failJob(ActiveJob &Of, FailureMessage::Cause Why, const std::string &Text);
  void remove(ActiveJob &Done);
  void remember(const ActiveJob &Done);
  const Answer *remembered(const JobTerms &Terms);
  void collect();
  void beginJobs();
  bool mayBegin(const ActiveJob &Next) const;
  void begin(ActiveJob &Next);
  bool load();
  void sendProgress();
  void checkJobs();
  static bool isOverdue(const ActiveJob &Of);
  bool isOver();

  const std::string CacheDirectory;
  std::optional<Endpoint> Where; ///< none: it serves one program
  Descriptor Listener;
  std::list<Client> Clients;
  std::list<ActiveJob> Jobs;
  std::list<Answer> Answers; ///< the latest first
  const specrt_jit_api *Api = nullptr;
  std::string Problem; ///< why the compiler cannot be loaded; "": it can, or was not needed yet
  Throttle Background;
  // Times of CLOCK_MONOTONIC, in nanoseconds.
  uint64_t IdleSinceNs, NextCheckNs = 0, LastProgressNs = 0, NextAcceptNs = 0;
};

} // namespace specrt

#endif
