//===- runtime/compile/compiler_client.h - a connection to the compile server ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sends one request at a time. A server may end at any moment, as any process may: then the client
// starts another one. While the worker waits for an answer it is outside of the gate
// (runtime/base/exit_gate.h), so that an exit does not wait for it.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_COMPILE_COMPILER_CLIENT_H
#define SPECRT_RUNTIME_COMPILE_COMPILER_CLIENT_H

#include "profiler/store/store_file.h"
#include "profiler/store/store_message.h"
#include "runtime/base/config.h"
#include "runtime/base/exit_gate.h"
#include "runtime/protocol/frames.h"
#include "runtime/protocol/messages.h"
#include <atomic>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <sys/types.h>

namespace specrt {

/// The server that a request is sent to.
struct ServerChoice {
  std::string CacheDirectory; ///< where it listens; "": a server for this program alone
  std::string Identity;       ///< that of Greeting
};

/// Used by one thread at a time (the registry's one by the worker), except for close, drain, the
/// queries about the gate and the counters. Requests throw std::bad_alloc.
class CompilerClient {
public:
  /// The result of a request.
  template <class T> struct Reply {
    std::optional<T> Answer;
    /// Set when there is no answer, unless the process is exiting.
    std::optional<FailureMessage> Failure = {};
  };

  /// Passes each candidate to \p Take, before the answer.
  Reply<CompileAnswer> compile(const ServerChoice &Where, const CompileRequest &Request,
                               const std::function<void(CandidateMessage)> &Take);
  Reply<InstrumentAnswer> instrument(const ServerChoice &Where, const CompileRequest &Request);
  Reply<DescribeAnswer> describe(const ServerChoice &Where, const DescribeRequest &Request);
  Reply<PropagateAnswer> propagate(const ServerChoice &Where, const PropagateRequest &Request);

  /// Returns "" or, after a request has failed for that reason, why this process cannot compile.
  const std::string &problem() const { return Problem; }

  /// Closes the gate for ever and waits until no thread is inside. A worker that waits for an
  /// answer never returns from that, unless drain() is called. Returns false after a second. Any
  /// thread.
  bool close();
  /// Closes the gate for ever and ends the worker's waiting. Any thread.
  void drain();

  bool isClosed() const { return Gate.isClosed(); }
  bool isBusy() const { return Gate.isBusy(); }
  /// Returns the gate, for other work that must end before the process exits.
  ExitGate &gate() { return Gate; }

  /// Must be called in a forked child: the connection stays the parent's.
  void forgetAfterFork();

  std::atomic<uint64_t> NumCompiles{0};
  /// Returns whether any request was made.
  bool wasUsed() const { return Used.load(std::memory_order_relaxed); }

  /// Receives the server's problems with its store; may be empty.
  StoreReporter ReportStore;
  /// Called every 20 ms while a request waits, for the worker's other duties. Must not throw. May
  /// be null.
  void (*Meanwhile)() = nullptr;

private:
  enum class Step : uint8_t { Done, Again, Over };

  std::optional<Frame> ask(const ServerChoice &Where, MessageKind Kind, const std::string &Body,
                           const std::function<void(CandidateMessage)> &Take);
  template <class T>
  Reply<T> replyTo(const ServerChoice &Where, MessageKind Kind, const std::string &Body,
                   MessageKind Expected, const std::function<void(CandidateMessage)> &Take);
  bool connect(const ServerChoice &Where, bool IsElsewhere);
  bool comesBack();
  bool awaits(short Events);
  bool send(const std::string &Bytes);
  Step take(Frame &Next, const std::function<void(CandidateMessage)> &Take,
            std::optional<Frame> &Last);
  void take(const LogMessage &Line);

  Descriptor Connection;
  bool IsOwnTable = false; ///< Connection belongs to a descriptor table of our own threads
  FrameReader Incoming;
  bool IsAsking = false;             ///< a request is unfinished
  uid_t User = 0;                    ///< effective user when it connected
  std::atomic<uint64_t> ClosedNs{0}; ///< when the gate was closed; 0: it is open
  ExitGate Gate;
  std::atomic<bool> Draining{false}, Used{false};
  std::string Problem;
  std::set<std::string> Warned;
};

/// A request that is left to the server, and the file with a captured call, if Asked.HasCapture.
struct LaterRequest {
  CompileRequest Asked;
  Descriptor Capture = Descriptor();
};

/// Sends \p Requests to a server, which is started if there is none, and does not wait for answers.
/// Returns how many were sent: all, those before the first that does not fit into the socket's
/// buffer (208 KiB by default), or none, with \p Why set, when there is no server. For the end of
/// the process: uses no CompilerClient, whose worker may still be waiting. Any thread.
size_t compileLater(const ServerChoice &Where, std::span<const LaterRequest> Requests,
                    std::string &Why);

/// Logs, once, that parallel loops have found no memory for threads.
void tellFailedLoops();

} // namespace specrt

#endif
