//===- runtime/compile/compiler_client.h - the compile server, from the program's side ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only place that talks to a compile server, one request at a time. It may end at any moment,
// as any process: then another one is started. While the worker waits for an answer it is outside
// of the gate (runtime/base/exit_gate.h), so that an exit need not wait for it.
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
#include <string>
#include <sys/types.h>

namespace specrt {

/// Which server a request goes to.
struct ServerChoice {
  std::string CacheDirectory; ///< where it listens; "": one that serves this program alone
  std::string Identity;       ///< see Greeting
};

/// One thread at a time uses it, the worker that of the registry, except for close, drain, the
/// queries about the gate and the counters.
class CompilerClient {
public:
  /// What became of a request.
  template <class T> struct Reply {
    std::optional<T> Answer;
    /// Where there is no answer: why not. Neither: the process is ending.
    std::optional<FailureMessage> Failure = {};
  };

  /// Candidates come before the answer, each once.
  Reply<CompileAnswer> compile(const ServerChoice &Where, const CompileRequest &Request,
                               const std::function<void(CandidateMessage)> &Take);
  Reply<InstrumentAnswer> instrument(const ServerChoice &Where, const CompileRequest &Request);
  Reply<DescribeAnswer> describe(const ServerChoice &Where, const DescribeRequest &Request);
  Reply<PropagateAnswer> propagate(const ServerChoice &Where, const PropagateRequest &Request);

  /// "" or why nothing can be compiled any more in this process; known from the first request on.
  const std::string &problem() const { return Problem; }

  /// Closes the gate for ever and waits until nobody is inside; a worker that waits for an answer
  /// goes on waiting for ever, unless it drains. True on success, false after a second. Any thread.
  bool close();
  /// Closes the gate for ever; the worker comes back from what it waits for. Any thread.
  void drain();

  bool isClosed() const { return Gate.isClosed(); }
  bool isBusy() const { return Gate.isBusy(); }
  /// Also for what else must be over before exit goes on.
  ExitGate &gate() { return Gate; }

  /// In a forked child, which gets a connection of its own: the parent goes on with this one.
  void forgetAfterFork();

  std::atomic<uint64_t> NumCompiles{0};
  /// Has a server ever been asked?
  bool wasUsed() const { return Used.load(std::memory_order_relaxed); }

  /// Told of what the server's store cannot do; may be empty.
  StoreReporter ReportStore;
  /// What else the worker has to do, and can do while it waits. May not throw.
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
  bool IsOwnTable = false; ///< Connection is no descriptor of the program
  FrameReader Incoming;
  bool IsAsking = false;             ///< a request has not come to its end
  uid_t User = 0;                    ///< whose rights this process had when it connected
  std::atomic<uint64_t> ClosedNs{0}; ///< when the gate was
  ExitGate Gate;
  std::atomic<bool> Draining{false}, Used{false};
  std::string Problem;
  std::set<std::string> Warned;
};

/// Logs, once, that parallel loops have found no memory for threads.
void tellFailedLoops();

} // namespace specrt

#endif
